import { createHash, randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// One process at a time. Whoever holds a thing answers on a local socket, so nothing is left held by one that was
// killed, whatever process has its id by then.

/** Longer than it takes to find a socket dead and replace it. */
const SETTLE_MS = 200

/**
 * Holds `folder` for `use` until the answered function is called or the process ends; null when another process holds it.
 * The socket stands in the folder, where everyone who shares the folder finds it.
 */
export async function lockFolder(folder: string, use: string): Promise<(() => void) | null> {
  const path = socketPath(folder, use)
  if ((await readHolder(path)) !== null) return null
  const mark = randomBytes(8).toString('hex')
  // Under a name of its own first: closing a server removes the name it was given, which may be another's by then.
  const own = `${path}.${process.pid}`
  rmSync(own, { force: true })
  const server = await listen(own, mark)
  renameSync(own, path)
  // Of two that found nobody at the same moment, the later one has replaced the other by now.
  await sleep(SETTLE_MS)
  if ((await readHolder(path)) !== mark) {
    server.close()
    return null
  }
  return () => {
    rmSync(path, { force: true })
    server.close()
  }
}

/** Whether the last one that held `folder` for `use` ended without releasing it: it was killed, and may have left more. */
export async function wasHolderKilled(folder: string, use: string): Promise<boolean> {
  const path = socketPath(folder, use)
  return existsSync(path) && (await readHolder(path)) === null
}

// A socket's path may have no more than 104 bytes on some systems.
function socketPath(folder: string, use: string): string {
  const inside = join(folder, `${use}.sock`)
  if (Buffer.byteLength(inside) <= 90) return inside
  return join(tmpdir(), `soundline-${createHash('sha256').update(inside).digest('hex').slice(0, 16)}.sock`)
}

function listen(path: string, mark: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(mark))
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })
}

/** What the holder says; empty when it is there and says nothing (it may be suspended); null when nobody is there. */
function readHolder(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let answer: string | null = null
    const socket = connect(path, () => {
      answer ??= ''
    })
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer = (answer ?? '') + chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}
