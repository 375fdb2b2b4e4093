import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from './pool.ts'
import { withoutRequestBounds } from './request-bounds.ts'

/** The shortest time between two checks, and the time that a check may take. */
const CHECK_MS = 1_000
const CHECK_LIMIT_MS = 1_000
/** How long a replica is not asked after it could not be reached. */
const AWAY_MS = 5_000
/** The pause between two looks at a replica that changes are waited for, and the longest wait. */
const CATCH_UP_MS = 100
const CATCH_UP_LIMIT_MS = 5_000

// Positions are compared as bytes of the write-ahead log: clocks play no part, and an idle primary makes no lag.
const PRIMARY_POSITION = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as at`
const REPLICA_POSITION = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as at`

/** Where the primary was at a time, by `performance.now()`. */
type Sample = { time: number; at: bigint }

/**
 * Knows whether a replica shows what the primary had committed `maxMs` ago. The replica is compared with the positions
 * that the primary had at earlier checks, so its verdict may be `CHECK_MS` old.
 */
export class ReplicaLag {
  readonly #primary: Pool
  readonly #replica: Pool
  readonly #maxMs: number
  readonly #awayMs: number
  #samples: Sample[] = []
  #isFresh = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #awayUntil = 0
  #checking: Promise<void> | null = null
  #catchingUp: Promise<void> | null = null
  #nextCatchUp: Promise<void> | null = null

  constructor(primary: Pool, replica: Pool, maxMs: number, awayMs = AWAY_MS) {
    this.#primary = primary
    this.#replica = replica
    this.#maxMs = maxMs
    this.#awayMs = awayMs
  }

  /** Whether the replica may be asked now. */
  async isFresh(): Promise<boolean> {
    const now = performance.now()
    if (now < this.#awayUntil) return false
    if (now - this.#checkedAt >= CHECK_MS) {
      // Of no request: its deadline must not end the check that other requests wait for.
      this.#checking ??= withoutRequestBounds(() => this.#check()).finally(() => {
        this.#checking = null
      })
      await this.#checking
    }
    return this.#isFresh
  }

  /** The replica could not answer: it is not asked for a while. */
  distrust(): void {
    this.#isFresh = false
    this.#awayUntil = performance.now() + this.#awayMs
  }

  /**
   * Resolves when the replica shows what is committed now, or is not asked, or after some seconds. Callers share the looks
   * at it.
   */
  caughtUp(): Promise<void> {
    const begin = () => {
      this.#nextCatchUp = null
      this.#catchingUp = withoutRequestBounds(() => this.#catchUp()).finally(() => {
        this.#catchingUp = null
      })
      return this.#catchingUp
    }
    if (!this.#catchingUp) return begin()
    // What is committed now may be missing in the position that is waited for already.
    this.#nextCatchUp ??= this.#catchingUp.then(begin)
    return this.#nextCatchUp
  }

  async #check(): Promise<void> {
    const time = performance.now()
    const [primary, replica] = await Promise.allSettled([
      positionOf(this.#primary, PRIMARY_POSITION),
      positionOf(this.#replica, REPLICA_POSITION),
    ])
    if (replica.status === 'rejected') {
      this.distrust()
      return
    }
    this.#checkedAt = performance.now()
    // A primary that is too busy to answer: its former positions count as long as they may.
    if (primary.status === 'fulfilled') this.#samples.push({ time, at: primary.value })
    this.#samples = this.#samples.filter((sample) => time - sample.time <= this.#maxMs)
    this.#isFresh = this.#samples.some((sample) => sample.at <= replica.value)
  }

  async #catchUp(): Promise<void> {
    const end = performance.now() + Math.min(this.#maxMs, CATCH_UP_LIMIT_MS)
    try {
      const wanted = await positionOf(this.#primary, PRIMARY_POSITION)
      // Judged here too, because there may be no readers. Reads of a replica that is not fresh go to the primary.
      while (performance.now() < end && (await this.isFresh())) {
        if ((await positionOf(this.#replica, REPLICA_POSITION)) >= wanted) return
        await sleep(CATCH_UP_MS, undefined, { ref: false })
      }
    } catch {
      // The primary or the replica is away: the next read finds out.
    }
  }
}

/** @throws Error when the server does not answer in time, or has no such position: it is not a streaming replica */
async function positionOf(pool: Pool, text: string): Promise<bigint> {
  const limit = sleep(CHECK_LIMIT_MS, null, { ref: false })
  const asked = pool.run(text, [], { isEnd: true, limitMs: CHECK_LIMIT_MS })
  asked.catch(() => {})
  const rows = await Promise.race([asked, limit])
  const at = rows?.[0]?.at
  if (typeof at !== 'string') throw new Error('the server has no position')
  return BigInt(at.split('.')[0] as string)
}
