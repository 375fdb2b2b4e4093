import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

const LISTENER = `
  const server = require('node:net').createServer()
  server.listen({ port: Number(process.argv[1]), host: process.argv[2], backlog: 1 }, () => process.stdout.write('up'))
`

/**
 * Listens at an address that neither accepts nor refuses connections: its process is stopped and its backlog is full.
 */
export async function startSilent(host: string, port: number): Promise<{ close: () => Promise<void> }> {
  const child = spawn(process.execPath, ['-e', LISTENER, String(port), host], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const queued: Socket[] = []
  // The backlog is full when connections stay pending although the event loop runs: a stall here must not look like it.
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
