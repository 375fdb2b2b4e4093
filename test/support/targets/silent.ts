import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

const LISTENER = `
  const server = require('node:net').createServer()
  server.listen({ port: Number(process.argv[1]), host: process.argv[2], backlog: 1 }, () => process.stdout.write('up'))
`

/** An address where connections are neither taken nor refused: its process is stopped and its queue is full. */
export async function startSilent(host: string, port: number): Promise<{ close: () => Promise<void> }> {
  const child = spawn(process.execPath, ['-e', LISTENER, String(port), host], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const queued: Socket[] = []
  // Full is what stays unanswered while the loop has turned: a stall of this process must not be taken for silence.
  for (let unanswered = 0; unanswered < 2; ) {
    const socket = connect({ port, host })
    socket.on('error', () => {})
    queued.push(socket)
    await setTimeout(250)
    await setImmediate()
    if (socket.connecting) unanswered += 1
  }
  return {
    close: async () => {
      for (const socket of queued) socket.destroy()
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
