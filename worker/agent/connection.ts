import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '#server/process/log.ts'
import { Unreachable } from './requests.ts'

// Repeats requests until the server responds, and logs when the connection is lost and restored.

const FIRST_DELAY_MS = 500
const LAST_DELAY_MS = 15_000

export type Connection = {
  /** Whether some requests fail now. */
  isLost: () => boolean
  /** Repeats `send` with growing delays while the server is out of reach. Rejects with other errors, and on an abort. */
  persist: <T>(kind: string, send: () => Promise<T>, signal: AbortSignal) => Promise<T>
}

export function createConnection(url: string): Connection {
  /** The kinds of requests that fail now: one that works says nothing about the others. */
  const failing = new Set<string>()
  let lostAt = 0

  const onFailure = (kind: string, reason: string) => {
    if (failing.size === 0) {
      lostAt = performance.now()
      log.warn({ url, reason }, 'the connection to the server is lost; trying again')
    }
    failing.add(kind)
  }
  const onSuccess = (kind: string) => {
    if (!failing.delete(kind) || failing.size > 0) return
    log.info({ url, seconds: Math.round((performance.now() - lostAt) / 1_000) }, 'the connection to the server is back')
  }

  return {
    isLost: () => failing.size > 0,
    async persist(kind, send, signal) {
      for (let failures = 0; ; failures++) {
        try {
          const answer = await send()
          onSuccess(kind)
          return answer
        } catch (error) {
          if (!(error instanceof Unreachable)) {
            // A refusal is a response.
            if (!signal.aborted) onSuccess(kind)
            throw error
          }
          onFailure(kind, error.message)
          await sleep(Math.max(error.retryAfterMs, delayMs(failures)), undefined, { signal })
        }
      }
    },
  }
}

/** Doubles with each failure, with jitter, so that agents do not reconnect at the same moment. */
function delayMs(failures: number): number {
  return Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)
}
