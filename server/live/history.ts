import type { Topic } from '../schemas/live/topics.ts'

const GENERATION_MS = 60_000
/** About 20 MB. Beyond it, the past is forgotten, and pages that reconnect fetch everything again. */
const ENTRIES_MAX = 100_000

type Generation = { since: number; organizations: Map<string, Map<Topic, number>> }

/**
 * The last time of each topic within the last one to two minutes, so that a page that reconnects learns what it missed.
 * All times are by `performance.now()`.
 */
export class History {
  #older: Generation | null = null
  #newer: Generation
  #entries = 0

  constructor(now: number) {
    this.#newer = { since: now, organizations: new Map() }
  }

  /** Forgets everything: changes before `now` are unknown. */
  reset(now: number): void {
    this.#older = null
    this.#newer = { since: now, organizations: new Map() }
    this.#entries = 0
  }

  add(organizationId: string, topics: Iterable<Topic>, now: number): void {
    if (this.#entries > ENTRIES_MAX) this.reset(now)
    if (now - this.#newer.since > GENERATION_MS) this.#rotate(now)
    const { organizations } = this.#newer
    const known = organizations.get(organizationId) ?? new Map<Topic, number>()
    organizations.set(organizationId, known)
    const before = known.size
    for (const topic of topics) known.set(topic, now)
    this.#entries += known.size - before
  }

  /** Returns the topics of an organization since a time; null if the history does not go back that far. */
  since(organizationId: string, time: number): Topic[] | null {
    if (time < (this.#older ?? this.#newer).since) return null
    const found = new Set<Topic>()
    for (const generation of [this.#older, this.#newer]) {
      for (const [topic, at] of generation?.organizations.get(organizationId) ?? []) if (at >= time) found.add(topic)
    }
    return [...found]
  }

  #rotate(now: number): void {
    this.#older = this.#newer
    this.#newer = { since: now, organizations: new Map() }
    this.#entries = countEntries(this.#older)
  }
}

function countEntries({ organizations }: Generation): number {
  let entries = 0
  for (const topics of organizations.values()) entries += topics.size
  return entries
}
