import type { Db } from '#db/client.ts'
import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { log } from '../process/log.ts'
import type { LiveHub } from './hub.ts'

/** What a request waits for: a run, or all runs of a batch. Ids of both kinds are UUIDs, so one set holds both. */
export type Awaited = { organizationId: string; id: string }

/** Returns which of the runs and batches are not done yet, in one statement. */
export type FindOpen = (db: Db, awaited: readonly Awaited[]) => Promise<ReadonlySet<string>>

export type RunWaitsOptions = { db: Db; live: LiveHub; findOpen: FindOpen; bounds?: Partial<typeof BOUNDS> }

const BOUNDS = {
  /** At most one statement in this time, whatever the number of waits. */
  intervalMs: 1_000,
  /** A notification may be lost: what is waited for is read again after this time without one. */
  quietMs: 5_000,
  /** One more request does not wait, and gets the present state. */
  waitsMax: 10_000,
  /** The same for one organization, and for one person in all organizations, so that none takes the waits of the others. */
  ownerMax: 2_000,
}

/** What is waited for, and on whose behalf. */
type Waiter = Awaited & { userId: string }
type Wait = Waiter & { end: () => void }

/**
 * The requests of one web process that wait for runs. They hold no database connection: changes arrive through the
 * process's one listener, and all that is waited for is then checked in one statement.
 */
export class RunWaits {
  readonly #options: RunWaitsOptions
  readonly #bounds: typeof BOUNDS
  readonly #waits = new Set<Wait>()
  /** The number of waits of each organization and each person, by their ids. */
  readonly #perOwner = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires, by `performance.now()`. */
  #dueAt = Number.POSITIVE_INFINITY
  #checkedAt = Number.NEGATIVE_INFINITY
  #isChecking = false
  #isClosed = false
  #unsubscribe: (() => void) | null = null

  constructor(options: RunWaitsOptions) {
    this.#options = options
    this.#bounds = { ...BOUNDS, ...options.bounds }
  }

  /** Whether the process stops: requests no longer wait. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The number of requests that wait. */
  get size(): number {
    return this.#waits.size
  }

  /** Resolves when the run or the batch is done, after `ms`, when the signal aborts, or when the process stops. */
  wait(waiter: Waiter, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || signal?.aborted || this.#isFull(waiter)) return Promise.resolve()
    this.#unsubscribe ??= this.#options.live.subscribe((organizationId) => this.#onChange(organizationId))
    return new Promise((resolve) => {
      const wait: Wait = {
        ...waiter,
        end: () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', wait.end)
          this.#remove(wait)
          if (this.#waits.size === 0 && !this.#isChecking) this.#arm()
          resolve()
        },
      }
      const timer = setTimeout(wait.end, ms)
      signal?.addEventListener('abort', wait.end, { once: true })
      this.#waits.add(wait)
      for (const owner of ownersOf(waiter)) this.#perOwner.set(owner, this.#waitsOf(owner) + 1)
      // It may be done since the caller read it.
      this.#checkWithin(this.#bounds.intervalMs)
    })
  }

  #waitsOf(owner: string): number {
    return this.#perOwner.get(owner) ?? 0
  }

  #isFull(waiter: Waiter): boolean {
    const { waitsMax, ownerMax } = this.#bounds
    return this.#waits.size >= waitsMax || ownersOf(waiter).some((owner) => this.#waitsOf(owner) >= ownerMax)
  }

  #remove(wait: Wait): void {
    if (!this.#waits.delete(wait)) return
    for (const owner of ownersOf(wait)) {
      const left = this.#waitsOf(owner) - 1
      if (left > 0) this.#perOwner.set(owner, left)
      else this.#perOwner.delete(owner)
    }
  }

  /** Ends all waits at once; further ones do not wait. */
  close(): void {
    this.#isClosed = true
    this.#unsubscribe?.()
    for (const wait of [...this.#waits]) wait.end()
  }

  /** A null organization means that notifications were lost. */
  #onChange(organizationId: string | null): void {
    if (organizationId === null || this.#perOwner.has(organizationId)) this.#checkWithin(0)
  }

  /** Checks all waits after `ms`, or as soon as the last check is long enough ago. */
  #checkWithin(ms: number): void {
    const at = Math.max(performance.now() + ms, this.#checkedAt + this.#bounds.intervalMs)
    if (at >= this.#dueAt) return
    this.#dueAt = at
    if (!this.#isChecking) this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    if (this.#waits.size === 0) {
      this.#dueAt = Number.POSITIVE_INFINITY
      return
    }
    const delayMs = Math.max(0, this.#dueAt - performance.now())
    this.#timer = withoutRequestBounds(() => setTimeout(() => void this.#check(), delayMs))
  }

  async #check(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#checkedAt = performance.now()
    this.#isChecking = true
    const checked = [...this.#waits]
    const awaited = new Map(checked.map((wait) => [wait.id, wait]))
    try {
      const open = await this.#options.findOpen(this.#options.db, [...awaited.values()])
      for (const wait of checked) if (!open.has(wait.id)) wait.end()
    } catch (error) {
      log.warn({ err: error }, 'the runs that requests wait for were not checked: trying again')
      this.#checkWithin(0)
    }
    this.#isChecking = false
    this.#checkWithin(this.#bounds.quietMs)
    this.#arm()
  }
}

function ownersOf({ organizationId, userId }: Waiter): string[] {
  return [organizationId, userId]
}
