/** What asks for a place. `key` is a part of an organization's work of which only `keyMax` may run; absent: any number. */
export type Work = { organizationId: string; key?: string | null }

export type Wait = {
  signal?: AbortSignal | null
  /** Rejects with `error()` after `ms`. Without it the wait has no limit. */
  limit?: { ms: number; error: () => Error }
}

type Held = { count: number; keys: Map<string, number> }
type Waiting = Work & { grant: () => void }

/**
 * An organization may hold this many times the free places that are left beside the last one: alone three quarters, each
 * of two three sevenths. So some stay free for others (dynamic thresholds, as in the shared buffer of a network switch).
 */
const HELD_PER_FREE = 3

/** The key of runs that usually take long. */
export const SLOW = 'slow'

/** Returns a queue of which an organization's slow work may hold half. */
export function slowAwareQueue(size: number): FairQueue {
  return new FairQueue(size, Math.ceil(size / 2))
}

/**
 * A number of places that organizations share: the one that holds fewest comes first, and equals take turns. Each process
 * divides its own places.
 */
export class FairQueue {
  readonly size: number
  private readonly keyMax: number
  private readonly holders = new Map<string, Held>()
  /** In the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>()
  private count = 0

  constructor(size: number, keyMax = Infinity) {
    this.size = size
    this.keyMax = keyMax
  }

  get held(): number {
    return this.count
  }

  get free(): number {
    return this.size - this.count
  }

  mayTake({ organizationId, key }: Work): boolean {
    const own = this.holders.get(organizationId)
    if (this.free <= 0 || !own) return this.free > 0
    return own.count < HELD_PER_FREE * (this.free - 1) && !(key && (own.keys.get(key) ?? 0) >= this.keyMax)
  }

  /** Returns the organizations that hold places and may take no other, and their keys that may not. */
  refused(): Work[] {
    return [...this.holders].flatMap(([organizationId, { keys }]) =>
      this.mayTake({ organizationId })
        ? [...keys.keys()].map((key) => ({ organizationId, key })).filter((work) => !this.mayTake(work))
        : [{ organizationId }],
    )
  }

  /** Takes a place, even where `mayTake` says no, and returns the function that releases it. */
  take({ organizationId, key }: Work): () => void {
    const own = this.holders.get(organizationId) ?? { count: 0, keys: new Map<string, number>() }
    this.holders.set(organizationId, own)
    const change = (by: 1 | -1) => {
      this.count += by
      own.count += by
      if (key) own.keys.set(key, (own.keys.get(key) ?? 0) + by)
    }
    change(1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      change(-1)
      if (key && own.keys.get(key) === 0) own.keys.delete(key)
      if (own.count === 0) this.holders.delete(organizationId)
      this.grantWaiting()
    }
  }

  /**
   * Takes places for at most `limit` of the items, which are ordered within each organization. Organizations that hold the
   * same begin in random order: the order of their ids would favour the same ones each time.
   */
  choose<T extends Work>(items: Iterable<T>, limit: number): { item: T; release: () => void }[] {
    const ofOrganizations = [...Map.groupBy(items, (item) => item.organizationId)]
    const drawn = ofOrganizations.map((entry) => ({ entry, lot: Math.random() })).toSorted((a, b) => a.lot - b.lot)
    const waiting = new Map(drawn.map(({ entry }) => entry))
    const chosen: { item: T; release: () => void }[] = []
    while (chosen.length < limit) {
      const item = this.next(waiting)
      if (!item) break
      chosen.push({ item, release: this.take(item) })
    }
    return chosen
  }

  /**
   * Waits for a place. Resolves with the function that releases it.
   * @throws the signal's reason when it aborts, or the limit's error
   */
  acquire(work: Work, { signal, limit }: Wait = {}): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        outcome()
      }
      const leave = (reason: unknown) => {
        const others = (this.waiting.get(work.organizationId) ?? []).filter((one) => one !== entry)
        if (others.length > 0) this.waiting.set(work.organizationId, others)
        else this.waiting.delete(work.organizationId)
        settle(() => reject(reason))
      }
      const onAbort = () => leave(signal?.reason)
      const timer = limit && setTimeout(() => leave(limit.error()), limit.ms)
      const entry = { ...work, grant: () => settle(() => resolve(this.take(work))) }
      signal?.addEventListener('abort', onAbort)
      const own = this.waiting.get(work.organizationId)
      if (own) own.push(entry)
      else this.waiting.set(work.organizationId, [entry])
      this.grantWaiting()
    })
  }

  private grantWaiting(): void {
    for (let next = this.next(this.waiting); next; next = this.next(this.waiting)) next.grant()
  }

  /** Removes and returns the item whose turn it is; null when none may take a place. */
  private next<T extends Work>(waiting: Map<string, T[]>): T | null {
    if (this.free <= 0 || waiting.size === 0) return null
    const heldBy = (id: string) => this.holders.get(id)?.count ?? 0
    for (const [id, items] of [...waiting].toSorted(([a], [b]) => heldBy(a) - heldBy(b))) {
      const at = items.findIndex((item) => this.mayTake(item))
      if (at < 0) continue
      const [item] = items.splice(at, 1)
      waiting.delete(id)
      if (items.length > 0) waiting.set(id, items)
      return item ?? null
    }
    return null
  }
}
