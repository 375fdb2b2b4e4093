import { createServer, isIPv6, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './lifecycle.ts'
import type { Settings } from './settings.ts'

const RETRY_MS = 200

const REASONS: Record<string, (port: number, host: string, setting: string) => string> = {
  EADDRINUSE: (port, _host, setting) => `${setting}: ${port} is already in use`,
  EACCES: (port, _host, setting) => `${setting}: this user is not allowed to use ${port}`,
  EADDRNOTAVAIL: (_port, host) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: (_port, host) => `HOST: ${host} is not an address of this machine`,
}

/** Returns the address at which people reach the server: `BASE_URL`, or this machine and `port`. */
export function publicAddress({ BASE_URL, HOST }: Pick<Settings, 'BASE_URL' | 'HOST'>, port: number): string {
  if (BASE_URL) return BASE_URL
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/**
 * Makes `server` listen and returns the port. `setting` is where the port comes from.
 * @throws StartupError when the address is in use or not allowed
 */
export function listen(server: Server, port: number, host: string, setting = 'PORT'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? '']
      reject(reason ? new StartupError(reason(port, host, setting)) : error)
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/**
 * Checks that the address is free, by listening for a moment, and returns the port. Retries for `waitMs` while it is not.
 * @throws StartupError as `listen` does
 */
export async function checkAddress(port: number, host: string, waitMs = 0): Promise<number> {
  for (const until = performance.now() + waitMs; ; await sleep(RETRY_MS)) {
    const trial = createServer()
    try {
      const found = await listen(trial, port, host)
      await new Promise((resolve) => trial.close(resolve))
      return found
    } catch (error) {
      if (performance.now() >= until) throw error
    }
  }
}
