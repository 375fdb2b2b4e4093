// With drizzle, the server parses, describes and plans every statement again, in two round trips. A prepared statement
// takes one round trip, and half the CPU on both sides. The driver keeps prepared statements forever, so only some are
// prepared.

/** The most statements that a pool prepares because they repeat, on each connection. */
const PREPARED_MAX = 400
/** Longer texts contain long lists of values and rarely repeat. */
const REPEATED_TEXT_MAX = 8_000
/** Statements that are remembered as sent once. Most texts with long lists never repeat. */
const SEEN_MAX = 2_000

/** Whether a statement may be prepared: a generic plan of one on a partitioned table locks all partitions. */
export function isPreparable(text: string): boolean {
  return !/\bresults\b/.test(text)
}

export type PreparePolicy = (text: string) => boolean

/** Returns a function that decides whether to prepare a statement: from its second use, up to `PREPARED_MAX`. */
export function createPreparePolicy(): PreparePolicy {
  const prepared = new Set<string>()
  const seen = new Set<string>()
  return (text) => {
    if (prepared.has(text)) return true
    if (prepared.size >= PREPARED_MAX || text.length > REPEATED_TEXT_MAX || !isPreparable(text)) return false
    if (seen.delete(text)) prepared.add(text)
    else if (seen.size >= SEEN_MAX) seen.clear()
    else seen.add(text)
    return prepared.has(text)
  }
}
