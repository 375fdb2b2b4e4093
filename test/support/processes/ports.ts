import { createServer } from 'node:net'

/**
 * Below the ports that systems give to connections and to `listen(0)`, so that no other program takes one before it is
 * used.
 */
const FIRST = 16_000
/** Each worker of the test run has its own ports. */
const PER_WORKER = 1_500
const start = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % 10) * PER_WORKER
// Another run on this machine most likely begins elsewhere.
let next = Math.floor(Math.random() * PER_WORKER)

/** Returns a loopback port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PER_WORKER; tries++) {
    const port = start + (next++ % PER_WORKER)
    if (await isFree(port)) return port
  }
  throw new Error('All ports of this worker are in use')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
