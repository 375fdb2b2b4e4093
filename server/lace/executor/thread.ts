import { parentPort } from 'node:worker_threads'
import { perform, type Task } from '../evaluation/task.ts'

// The program of a thread: one task after the other, as they come. What goes wrong in it ends it.

parentPort!.on('message', async (task: Task) => {
  // Bytes come as a plain array of them.
  if (task.kind === 'chain' && task.received.body !== null) task.received.body = Buffer.from(task.received.body.buffer)
  const outcome = await perform(task)
  parentPort!.postMessage(outcome)
})
