import { setTimeout as sleep } from 'node:timers/promises'
import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import { log } from '../../../process/log.ts'

/** `owner` is the agent's organization, or the agent itself when it is shared. */
export type PollWait = { keyId: string; owner: string }

const BOUNDS = {
  /** At most one statement in this time, whatever the number of agents. */
  intervalMs: 500,
  /** Agents that wait in one process. */
  waitsMax: 500,
  /** The same for one owner, so that one owner cannot use the waits of the others. */
  ownerMax: 100,
  /** How long a poll waits when these limits are reached. */
  fullMs: 5_000,
}

type Wait = PollWait & { end: () => void }

/**
 * The agents that wait in this web process for runs. They hold no database connection: one statement at a time finds the
 * agents that have queued runs, or that may no longer wait.
 */
export class PollWaits {
  readonly #db: Db
  readonly #bounds: typeof BOUNDS
  readonly #waits = new Set<Wait>()
  readonly #perOwner = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  constructor(db: Db, bounds: Partial<typeof BOUNDS> = {}) {
    this.#db = db
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** Whether the process stops: agents no longer wait. */
  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /**
   * Resolves when the agent may have queued runs or may no longer wait, after `ms`, when the signal aborts, or when the
   * process stops. Resolves with false, after a pause, when too many agents wait: this one asks again later.
   */
  async wait({ keyId, owner }: PollWait, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.isClosed || signal.aborted) return true
    const waiting = this.#perOwner.get(owner) ?? 0
    if (this.#waits.size >= this.#bounds.waitsMax || waiting >= this.#bounds.ownerMax) {
      await this.#pause(Math.min(ms, this.#bounds.fullMs), signal)
      return false
    }
    await this.#hold({ keyId, owner }, ms, signal)
    return true
  }

  /** Resolves after `ms`, or when the signal aborts. A process that stops does not wait for it. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, this.#closing.signal]) }).catch(() => {})
  }

  #hold(poll: PollWait, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wait: Wait = {
        ...poll,
        end: () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wait.end)
          this.#remove(wait)
          resolve()
        },
      }
      const timer = setTimeout(wait.end, ms)
      signal.addEventListener('abort', wait.end, { once: true })
      this.#waits.add(wait)
      this.#perOwner.set(poll.owner, (this.#perOwner.get(poll.owner) ?? 0) + 1)
      this.#arm()
    })
  }

  /** Ends all waits at once; further ones do not wait. */
  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
    for (const wait of [...this.#waits]) wait.end()
  }

  #remove(wait: Wait): void {
    if (!this.#waits.delete(wait)) return
    const left = (this.#perOwner.get(wait.owner) ?? 1) - 1
    if (left > 0) this.#perOwner.set(wait.owner, left)
    else this.#perOwner.delete(wait.owner)
  }

  #arm(): void {
    if (this.#timer !== undefined || this.isClosed) return
    this.#timer = withoutRequestBounds(() => setTimeout(() => void this.#check(), this.#bounds.intervalMs))
  }

  async #check(): Promise<void> {
    const checked = [...this.#waits]
    try {
      const ready = await findReadyKeys(this.#db, [...new Set(checked.map(({ keyId }) => keyId))])
      for (const wait of checked) if (ready.has(wait.keyId)) wait.end()
    } catch (error) {
      log.warn({ err: error }, 'the agents that wait for runs were not checked: trying again')
    }
    this.#timer = undefined
    if (this.#waits.size > 0) this.#arm()
  }
}

/**
 * Returns the keys of agents that have queued runs, and those that were deleted, revoked or switched off: their polls
 * return that. Reads one row of `runs_queue_idx` per key.
 */
async function findReadyKeys(db: Db, keyIds: string[]): Promise<Set<string>> {
  if (keyIds.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    select i.id from unnest(${uuids(keyIds)}) as i(id)
      left join agent_keys k on k.id = i.id and k.revoked_at is null left join agents a on a.id = k.agent_id
    where a.is_active is distinct from true
      or exists (select 1 from runs r where r.state = 'queued' and r.agent_id = a.id)`)
  return new Set(rows.map(({ id }) => id))
}
