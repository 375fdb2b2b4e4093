import type { Query, QueryClient } from '@tanstack/react-query'
import type { Topic } from '#server/schemas/live/topics.ts'
import { type Pace, paceOf } from './topics.ts'

/** The shortest time between two fetches of a query because of changes. */
const GAP_MS: Record<Pace, number> = { fast: 700, slow: 10_000 }
/** A query that takes long is fetched less often: it also pauses for this multiple of its duration. */
const [DURATION_FACTOR, DURATION_PAUSE_MAX_MS] = [5, 30_000]
/** A random delay, so that many pages do not fetch at the same moment. All queries of a page have the same. */
const SPREAD_MS: Record<Pace, number> = { fast: 300, slow: 2_000 }
/** The same when everything may have changed, which all pages learn at once. */
const SPREAD_ALL_MS = 2_000
const FETCHING_PAUSE_MS = 200
/** Queries that are due within this time are fetched together, so that the numbers of a page belong together. */
const TOGETHER_MS = 200
/** A request that takes longer has no response any more. */
const FETCH_MAX_MS = 15_000
/** For this long a change is remembered, for data that the server read before it and that arrives after it. */
const REMEMBERED_MS = 30_000
/** Data of a page may be this much older than it seems: the clocks' difference is only known with the time of the way. */
const CLOCK_DOUBT_MS = 1_000

type Change = { at: number; topics: readonly Topic[] | null }
type Times = { startedAt: number; durationMs: number }

/** Fetches the queries of the page again after changes. All times are by `performance.now()`. */
export class Refresher {
  readonly #client: QueryClient
  readonly #times = new WeakMap<Query, Times>()
  /** When to fetch a query, by its hash, and the time of the newest change that its data must contain. */
  readonly #due = new Map<string, { at: number; since: number }>()
  readonly #unsubscribe: () => void
  /** The latest changes, by the time of day: the age of data is known so. */
  #changes: Change[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(client: QueryClient) {
    this.#client = client
    this.#unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type === 'added') this.#catchUp(event.query)
      if (event.type !== 'updated') return
      if (event.action.type === 'setState') this.#catchUp(event.query)
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
    const at = Date.now()
    this.#changes = [...this.#changes.filter((change) => at - change.at < REMEMBERED_MS), { at, topics }]
    const share = Math.random()
    for (const query of this.#client.getQueryCache().getAll()) this.#mark(query, topics, share)
    this.#schedule()
  }

  /** A page that is opened brings data, which changes can have made out of date on its way. */
  #catchUp(query: Query): void {
    const { dataUpdatedAt } = query.state
    if (dataUpdatedAt === 0) return
    for (const { at, topics } of this.#changes) {
      if (at > dataUpdatedAt - CLOCK_DOUBT_MS) this.#mark(query, topics, 0)
    }
    this.#schedule()
  }

  /** `share`: which part of the random delay to wait. */
  #mark(query: Query, topics: readonly Topic[] | null, share: number): void {
    const pace = paceOf(query.queryKey, topics, query.state.data)
    if (pace === null) return
    if (!query.isActive()) {
      query.invalidate()
      return
    }
    const now = performance.now()
    const spreadMs = topics === null ? SPREAD_ALL_MS : SPREAD_MS[pace]
    const at = Math.max(now + share * spreadMs, this.#earliest(query, pace))
    const before = this.#due.get(query.queryHash)?.at ?? Number.POSITIVE_INFINITY
    this.#due.set(query.queryHash, { at: Math.min(at, before), since: now })
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
      if (at > now + TOGETHER_MS) continue
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
