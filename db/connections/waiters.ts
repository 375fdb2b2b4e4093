import type { Connection } from './connection.ts'
import type { RequestBounds } from './request-bounds.ts'
import { RoundRobinQueue } from './round-robin-queue.ts'

type Waiter = { resolve: (connection: Connection) => void; reject: (error: unknown) => void }

/** The weight of the latest interval in the moving average. */
const WEIGHT = 0.1

/**
 * The callers that wait for a connection of a pool. They take turns; requests that have had a connection come first.
 */
export class Waiters {
  /** Requests that have had a connection before, and callers without a deadline. */
  readonly #begun = new RoundRobinQueue<Waiter>()
  readonly #newcomers = new RoundRobinQueue<Waiter>()
  /** When a newcomer last got a connection, or when the first newcomer started to wait. */
  #lastGrantAt = 0
  /** The moving average of the time from one newcomer's connection to the next. */
  #grantMs = 0

  get length(): number {
    return this.#begun.length + this.#newcomers.length
  }

  /** Returns how long a new request of the caller would wait, by the number of requests before it. */
  expectedWaitMs(caller: string): number {
    if (this.#newcomers.length === 0) return 0
    const sinceGrant = performance.now() - this.#lastGrantAt
    return (this.#newcomers.aheadOf(caller) + 1) * Math.max(this.#grantMs, sinceGrant)
  }

  /** Waits for a connection. @throws `timeoutError()` after `ms` */
  wait(bounds: RequestBounds | null, ms: number, timeoutError: () => Error): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const caller = bounds?.caller ?? ''
      const queue = bounds && !bounds.hadConnection ? this.#newcomers : this.#begun
      const timer = setTimeout(() => {
        queue.remove(caller, waiter)
        reject(timeoutError())
      }, ms)
      const waiter: Waiter = {
        resolve: (connection) => {
          clearTimeout(timer)
          if (bounds) bounds.hadConnection = true
          resolve(connection)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      if (queue === this.#newcomers && queue.length === 0) this.#lastGrantAt = performance.now()
      queue.push(caller, waiter)
    })
  }

  /** Removes and returns the waiter whose turn it is. */
  shift(): Waiter | undefined {
    const begun = this.#begun.shift()
    if (begun) return begun
    const newcomer = this.#newcomers.shift()
    const now = performance.now()
    if (newcomer) this.#grantMs += WEIGHT * (now - this.#lastGrantAt - this.#grantMs)
    this.#lastGrantAt = now
    return newcomer
  }

  rejectAll(error: unknown): void {
    for (let waiter = this.shift(); waiter; waiter = this.shift()) waiter.reject(error)
  }
}
