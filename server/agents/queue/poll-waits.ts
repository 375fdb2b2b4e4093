import { sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { unavailable } from '../../errors.ts'
import { log } from '../../process/log.ts'

/** `owner` is the agent's organization, or the agent itself when it is shared. */
export type PollWait = { agentId: string; owner: string }

const BOUNDS = {
  /** At most one statement in this time, whatever the number of agents. */
  intervalMs: 500,
  /** Agents that wait in one process. */
  waitsMax: 500,
  /** The same for one owner, so that none takes the waits of the others. */
  ownerMax: 100,
}
const RETRY_SECONDS = 5

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
  #isClosed = false

  constructor(db: Db, bounds: Partial<typeof BOUNDS> = {}) {
    this.#db = db
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** Whether the process stops: agents no longer wait. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Resolves when the agent may have queued runs, after `ms`, when the signal aborts, or when the process stops.
   * @throws ApiError `service_unavailable` when too many agents wait
   */
  wait({ agentId, owner }: PollWait, ms: number, signal: AbortSignal): Promise<void> {
    const waiting = this.#perOwner.get(owner) ?? 0
    if (this.#waits.size >= this.#bounds.waitsMax || waiting >= this.#bounds.ownerMax) throw unavailable(RETRY_SECONDS)
    if (this.#isClosed || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wait: Wait = {
        agentId,
        owner,
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
      this.#perOwner.set(owner, waiting + 1)
      this.#arm()
    })
  }

  /** Ends all waits at once; further ones do not wait. */
  close(): void {
    this.#isClosed = true
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
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = withoutRequestBounds(() => setTimeout(() => void this.#check(), this.#bounds.intervalMs))
  }

  async #check(): Promise<void> {
    const checked = [...this.#waits]
    try {
      const ready = await findReadyAgents(this.#db, [...new Set(checked.map(({ agentId }) => agentId))])
      for (const wait of checked) if (ready.has(wait.agentId)) wait.end()
    } catch (error) {
      log.warn({ err: error }, 'the agents that wait for runs were not checked: trying again')
    }
    this.#timer = undefined
    if (this.#waits.size > 0) this.#arm()
  }
}

/**
 * Returns the agents that have queued runs, and those that were deleted or switched off: their next request tells them so.
 * Reads one row of `runs_queue_idx` per agent.
 */
async function findReadyAgents(db: Db, agentIds: string[]): Promise<Set<string>> {
  if (agentIds.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    select i.id from unnest(${uuids(agentIds)}) as i(id) left join agents a on a.id = i.id
    where a.is_active is distinct from true
      or exists (select 1 from runs r where r.state = 'queued' and r.agent_id = i.id)`)
  return new Set(rows.map(({ id }) => id))
}
