import { SLOW_MS } from '#server/schedule/run-queue.ts'

/** Whose work it is, and whether it is of the kind that took long lately. */
export type Work = { organizationId: string; isSlow: boolean }

/** An organization may hold this many times as many slots as are free: alone three quarters, one of two three sevenths. */
const TIMES_FREE = 3
/** What slow work of an organization may hold: alone half of all slots. */
const SLOW_TIMES_FREE = 1
/** Of so few slots one organization may have all. */
const SMALL_SIZE = 3
/** What an organization took counts half after so long. */
const HALF_LIFE_MS = 60_000
/** What one that has just begun counts as. */
const STARTED_MS = 1_000
/** Organizations whose former use is remembered. */
const REMEMBERED_MAX = 10_000

type HeldPermit = { since: number; isSlow: boolean }
type Use = {
  permits: Set<HeldPermit>
  slow: number
  /** Sum of when the holds began. */
  sinceSum: number
}

/**
 * Slots that organizations share. Some always stay free for whoever comes next: an organization may hold no more than
 * a multiple of what is free (dynamic thresholds, as switches share their buffer), and its slow work even less, so that
 * neither a neighbour nor a hanging target takes the last one. Among those that wait, the one that took least lately is
 * first. Each process shares its own slots: all of an agent's workers pick from one queue, and fair parts add up to one.
 */
export class FairPermits {
  readonly size: number
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
    // The last one is for somebody who has none.
    const spare = this.size > SMALL_SIZE ? this.free - 1 : this.free
    return use.permits.size < TIMES_FREE * spare && (!isSlow || use.slow < SLOW_TIMES_FREE * spare)
  }

  /** Takes a slot; the function that comes back gives it back. */
  acquire({ organizationId, isSlow }: Work): () => void {
    const use = this.uses.get(organizationId) ?? { permits: new Set(), slow: 0, sinceSum: 0 }
    this.uses.set(organizationId, use)
    const hold = { since: this.now(), isSlow }
    use.permits.add(hold)
    use.sinceSum += hold.since
    if (isSlow) use.slow++
    this.count++
    return () => {
      if (!use.permits.delete(hold)) return
      use.sinceSum -= hold.since
      if (hold.isSlow) use.slow--
      this.count--
      if (use.permits.size === 0) this.uses.delete(organizationId)
      this.addUse(organizationId, this.now() - hold.since)
    }
  }

  /** Slot-milliseconds that the organization took lately, those of what it holds included. */
  recentUse(organizationId: string): number {
    const use = this.uses.get(organizationId)
    const held = use ? use.permits.size * (this.now() + STARTED_MS) - use.sinceSum : 0
    return this.decayedUse(organizationId) + held
  }

  /** What has been held for long counts as slow from now on, whatever it was taken as. */
  markSlow(): void {
    const now = this.now()
    for (const use of this.uses.values()) {
      for (const hold of use.permits) {
        // In the order of their beginning: the rest is younger.
        if (now - hold.since < SLOW_MS) break
        if (hold.isSlow) continue
        hold.isSlow = true
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
 * Takes slots for some of what waits, at most `most`: always for the organization that took least lately, and there for
 * the first that may have one. `waiting` is in the order within each organization.
 */
export function chooseFairly<T extends Work>(
  waiting: Iterable<T>,
  permits: FairPermits,
  limit: number,
): { one: T; release: () => void }[] {
  const organizations = [...Map.groupBy(waiting, (one) => one.organizationId)].map(([id, items]) => ({
    id,
    items,
    taken: permits.recentUse(id),
  }))
  const chosen: { one: T; release: () => void }[] = []
  while (chosen.length < limit && organizations.length > 0) {
    organizations.sort((a, b) => a.taken - b.taken)
    const least = organizations[0] as (typeof organizations)[number]
    const at = least.items.findIndex((one) => permits.mayAcquire(one))
    const [one] = at < 0 ? [] : least.items.splice(at, 1)
    // What is refused now stays refused: each slot taken leaves fewer free.
    if (one === undefined) organizations.shift()
    else {
      chosen.push({ one, release: permits.acquire(one) })
      least.taken = permits.recentUse(least.id)
    }
  }
  return chosen
}
