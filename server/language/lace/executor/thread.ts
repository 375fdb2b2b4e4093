import { parentPort } from 'node:worker_threads'
import { perform, type Task } from '../evaluation/task.ts'

// The program of a thread. It performs one task after another; an unexpected error ends it.

parentPort!.on('message', async (task: Task) => {
  // A Buffer arrives as a plain Uint8Array.
  if (task.kind === 'chain' && task.received.body !== null) task.received.body = Buffer.from(task.received.body.buffer)
  const outcome = await perform(task)
  parentPort!.postMessage(outcome)
})
