import type { Query, QueryClient } from '@tanstack/react-query'
import type { Topic } from '#server/schemas/live/topics.ts'
import { type Pace, paceOf } from './topics.ts'

/** The shortest time between two fetches of a query because of changes. */
const GAP_MS: Record<Pace, number> = { fast: 1_000, slow: 10_000 }
/** A query that takes long is fetched less often: it also pauses for this multiple of its duration. */
const [DURATION_FACTOR, DURATION_PAUSE_MAX_MS] = [5, 30_000]
/** A random delay, so that many pages do not fetch at the same moment. */
const SPREAD_MS: Record<Pace, number> = { fast: 300, slow: 2_000 }
/** The same when everything may have changed, which all pages learn at once. */
const SPREAD_ALL_MS = 2_000
const FETCHING_PAUSE_MS = 200
/** A request that takes longer has no response any more. */
const FETCH_MAX_MS = 15_000

type Times = { startedAt: number; durationMs: number }

/** Fetches the queries of the page again after changes. All times are by `performance.now()`. */
export class Refresher {
  readonly #client: QueryClient
  readonly #times = new WeakMap<Query, Times>()
  /** When to fetch a query, by its hash, and the time of the newest change that its data must contain. */
  readonly #due = new Map<string, { at: number; since: number }>()
  readonly #unsubscribe: () => void
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(client: QueryClient) {
    this.#client = client
    this.#unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      if (event.action.type === 'fetch') this.#times.set(event.query, { startedAt: performance.now(), durationMs: 0 })
      const times = this.#times.get(event.query)
      if (times && event.action.type === 'success') times.durationMs = performance.now() - times.startedAt
    })
  }

  stop(): void {
    this.#unsubscribe()
    clearTimeout(this.#timer)
    this.#due.clear()
  }

  /** Fetches what the topics affect; null means everything. Queries that the page does not show are fetched when it does. */
  change(topics: readonly Topic[] | null): void {
    const now = performance.now()
    for (const query of this.#client.getQueryCache().getAll()) {
      const pace = paceOf(query.queryKey, topics)
      if (pace === null) continue
      if (!query.isActive()) {
        query.invalidate()
        continue
      }
      const spreadMs = topics === null ? SPREAD_ALL_MS : SPREAD_MS[pace]
      const at = Math.max(now + Math.random() * spreadMs, this.#earliest(query, pace))
      const before = this.#due.get(query.queryHash)?.at ?? Number.POSITIVE_INFINITY
      this.#due.set(query.queryHash, { at: Math.min(at, before), since: now })
    }
    this.#schedule()
  }

  #earliest(query: Query, pace: Pace): number {
    const times = this.#times.get(query)
    if (!times) return 0
    return times.startedAt + GAP_MS[pace] + Math.min(times.durationMs * DURATION_FACTOR, DURATION_PAUSE_MAX_MS)
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#due.size === 0) return
    const next = Math.min(...[...this.#due.values()].map(({ at }) => at))
    this.#timer = setTimeout(() => this.#fetchDue(), Math.max(0, next - performance.now()))
  }

  #fetchDue(): void {
    const now = performance.now()
    for (const [hash, { at, since }] of this.#due) {
      if (at > now) continue
      const query = this.#client.getQueryCache().get(hash)
      if (query && this.#isFetching(query, now) && !this.#isSince(query, since)) {
        // What is on its way may be older than the change.
        this.#due.set(hash, { at: now + FETCHING_PAUSE_MS, since })
        continue
      }
      this.#due.delete(hash)
      if (query && !this.#isSince(query, since)) this.#fetch(query)
    }
    this.#schedule()
  }

  #isFetching(query: Query, now: number): boolean {
    return query.state.fetchStatus === 'fetching' && now - (this.#times.get(query)?.startedAt ?? 0) < FETCH_MAX_MS
  }

  #isSince(query: Query, since: number): boolean {
    return (this.#times.get(query)?.startedAt ?? 0) > since
  }

  /** A hidden page fetches when it is shown again: react-query does that with what is out of date. */
  #fetch({ queryKey }: Query): void {
    const refetchType = document.hidden ? 'none' : 'active'
    void this.#client.invalidateQueries({ queryKey, exact: true, refetchType })
  }
}
