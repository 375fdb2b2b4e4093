// Drizzle has every statement parsed, described and planned anew, in two round trips. Prepared, it is one, and half the
// work on both sides. The driver never forgets what it prepared, so not everything may be.

/** Statements that a pool prepares, on each of its connections. */
const PREPARED_MAX = 400
/** A longer text is of long lists. */
const TEXT_MAX = 8_000
/** Statements remembered as sent once. */
const SEEN_MAX = 2_000
/** Planned for any values, a statement over partitions would lock them all. */
const PARTITIONED = /\bresults\b/

export type PreparePolicy = (text: string) => boolean

/** Whether a text is one to prepare: from its second time on, while there is room for it. */
export function createPreparePolicy(): PreparePolicy {
  const prepared = new Set<string>()
  const seen = new Set<string>()
  return (text) => {
    if (prepared.has(text)) return true
    if (prepared.size >= PREPARED_MAX || text.length > TEXT_MAX || PARTITIONED.test(text)) return false
    if (seen.has(text)) {
      prepared.add(text)
      seen.delete(text)
      return true
    }
    // Lists of every length never end; most of them do not come again.
    if (seen.size >= SEEN_MAX) seen.clear()
    seen.add(text)
    return false
  }
}
