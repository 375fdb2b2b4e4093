import { createHash, randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Single-instance lock. The holder listens on a Unix socket, so a killed process releases it and a reused pid cannot
// fake it.

/** Longer than it takes to find a dead socket and replace it. */
const SETTLE_MS = 200

/** A holder that does not answer within these ticks is silent. */
const SILENT_TICKS = 20
const TICK_MS = 100

/**
 * Locks `folder` for one `use` until the returned function is called or the process ends. Returns null when another
 * process holds the lock. The socket is in the folder, so all processes that share the folder share the lock.
 */
export async function lockFolder(folder: string, use: string): Promise<(() => void) | null> {
  const path = socketPath(folder, use)
  if ((await readHolder(path)) !== null) return null
  const mark = randomBytes(8).toString('hex')
  // Listens under a unique name and renames it: closing a server removes the path that it listened on, not the new one,
  // which could belong to another process by that time.
  const own = `${path}.${process.pid}`
  rmSync(own, { force: true })
  const server = await listen(own, mark)
  renameSync(own, path)
  // If two processes found no holder at the same time, the later one replaces the socket of the other.
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

/** Returns whether the last holder ended without a release: it was killed, and its child processes may still run. */
export async function wasHolderKilled(folder: string, use: string): Promise<boolean> {
  const path = socketPath(folder, use)
  return existsSync(path) && (await readHolder(path)) === null
}

// Some systems limit a socket's path to 104 bytes.
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

/** Returns the holder's mark; empty when the holder is silent (suspended, perhaps); null without a holder. */
function readHolder(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let mark: string | null = ''
    const socket = connect(path)
    // Counts turns of the event loop, because an answer waits while this process is busy.
    let ticks = 0
    const ticking = setInterval(() => ++ticks === SILENT_TICKS && socket.destroy(), TICK_MS)
    socket.on('data', (chunk) => {
      mark += String(chunk)
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ENOENT' || code === 'ECONNREFUSED') mark = null
    })
    socket.on('close', () => {
      clearInterval(ticking)
      resolve(mark)
    })
  })
}
