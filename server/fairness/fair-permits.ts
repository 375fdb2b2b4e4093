/** Work that usually takes at least this long is slow. It may use only a part of the permits. */
export const SLOW_MS = 5_000

/** The organization that work belongs to, and whether work of its kind took long lately. */
export type Work = { organizationId: string; isSlow: boolean }

/**
 * An organization may hold this many times the free permits: the only one three quarters, each of two three sevenths.
 */
const HELD_PER_FREE = 3
/** The same for an organization's slow work: the only organization may hold half of the permits for it. */
const SLOW_HELD_PER_FREE = 1
/** Up to this size one organization may hold all permits. */
const SMALL_SIZE = 3
/** After this time an organization's past use counts half. */
const HALF_LIFE_MS = 60_000
/** The use that a permit adds as soon as it is acquired. */
const STARTED_MS = 1_000
/** Organizations whose past use is remembered. */
const REMEMBERED_MAX = 10_000

type HeldPermit = { since: number; isSlow: boolean }
type Use = {
  permits: Set<HeldPermit>
  slow: number
  /** Sum of the times at which the permits were acquired. */
  sinceSum: number
}

/**
 * Permits that organizations share. An organization may hold only a multiple of the free permits (dynamic thresholds,
 * as in the shared buffer of a network switch), and its slow work fewer, so that some permits stay free for other
 * organizations and a hanging target cannot take the last one. Of the waiting organizations, the one whose recent use
 * is smallest comes first. Each process divides its own permits. The workers of an agent pick from one queue, so the
 * sum of fair divisions is fair.
 */
export class FairPermits {
  /** May change: a remote agent says with each poll how many runs it can take. */
  size: number
  private readonly now: () => number
  private readonly uses = new Map<string, Use>()
  private readonly pastUse = new Map<string, { ms: number; at: number }>()
  private count = 0

  constructor(size: number, now: () => number = () => performance.now()) {
    this.size = size
    this.now = now
  }

  get held(): number {
    return this.count
  }

  get free(): number {
    return this.size - this.count
  }

  mayAcquire({ organizationId, isSlow }: Work): boolean {
    if (this.free <= 0) return false
    const use = this.uses.get(organizationId)
    if (!use) return true
    // The last permit is kept for an organization that holds none.
    const spare = this.size > SMALL_SIZE ? this.free - 1 : this.free
    return use.permits.size < HELD_PER_FREE * spare && (!isSlow || use.slow < SLOW_HELD_PER_FREE * spare)
  }

  /** Acquires a permit and returns the function that releases it. */
  acquire({ organizationId, isSlow }: Work): () => void {
    const use = this.uses.get(organizationId) ?? { permits: new Set(), slow: 0, sinceSum: 0 }
    this.uses.set(organizationId, use)
    const permit = { since: this.now(), isSlow }
    use.permits.add(permit)
    use.sinceSum += permit.since
    if (isSlow) use.slow++
    this.count++
    return () => {
      if (!use.permits.delete(permit)) return
      use.sinceSum -= permit.since
      if (permit.isSlow) use.slow--
      this.count--
      if (use.permits.size === 0) this.uses.delete(organizationId)
      this.addUse(organizationId, this.now() - permit.since)
    }
  }

  /** Returns the organization's recent use in permit-milliseconds, held permits included. */
  recentUse(organizationId: string): number {
    const use = this.uses.get(organizationId)
    const held = use ? use.permits.size * (this.now() + STARTED_MS) - use.sinceSum : 0
    return this.decayedUse(organizationId) + held
  }

  /** Marks permits that are held for long as slow, even if they were acquired for fast work. */
  markSlow(): void {
    const now = this.now()
    for (const use of this.uses.values()) {
      for (const permit of use.permits) {
        // Permits are in the order of their acquisition, so the rest was acquired later.
        if (now - permit.since < SLOW_MS) break
        if (permit.isSlow) continue
        permit.isSlow = true
        use.slow++
      }
    }
  }

  private decayedUse(organizationId: string): number {
    const past = this.pastUse.get(organizationId)
    return past ? past.ms * 2 ** ((past.at - this.now()) / HALF_LIFE_MS) : 0
  }

  private addUse(organizationId: string, ms: number): void {
    const sum = this.decayedUse(organizationId) + ms
    if (this.pastUse.size >= REMEMBERED_MAX) this.pastUse.clear()
    this.pastUse.set(organizationId, { ms: sum, at: this.now() })
  }
}

/**
 * Acquires permits for at most `limit` of the waiting items. Each permit is given to the organization whose recent use
 * is smallest, and there to the first item that may have one. `waiting` is ordered within each organization.
 */
export function chooseFairly<T extends Work>(
  waiting: Iterable<T>,
  permits: FairPermits,
  limit: number,
): { item: T; release: () => void }[] {
  const organizations = [...Map.groupBy(waiting, (item) => item.organizationId)].map(([id, items]) => ({
    id,
    items,
    use: permits.recentUse(id),
  }))
  const chosen: { item: T; release: () => void }[] = []
  while (chosen.length < limit && organizations.length > 0) {
    organizations.sort((a, b) => a.use - b.use)
    const least = organizations[0] as (typeof organizations)[number]
    const at = least.items.findIndex((item) => permits.mayAcquire(item))
    const [item] = at < 0 ? [] : least.items.splice(at, 1)
    // An organization that is refused now stays refused: each acquired permit leaves fewer free.
    if (item === undefined) organizations.shift()
    else {
      chosen.push({ item, release: permits.acquire(item) })
      least.use = permits.recentUse(least.id)
    }
  }
  return chosen
}
