// Without it, the server parses and plans every statement of drizzle again, in two round trips: four times the CPU there, a
// page of services 4.4 ms instead of 1.1. The driver keeps prepared statements forever, so only some are prepared.

/** The most statements that a pool prepares because they repeat, on each connection. */
const PREPARED_MAX = 400
/** Statements that are remembered as sent once. */
const SEEN_MAX = 2_000

export type PreparePolicy = (text: string) => boolean

/** Returns a function that decides whether to prepare a statement: from its second use, up to `PREPARED_MAX`. */
export function createPreparePolicy(): PreparePolicy {
  const prepared = new Set<string>()
  const seen = new Set<string>()
  return (text) => {
    if (prepared.has(text)) return true
    // A generic plan of a statement on a partitioned table locks all partitions.
    if (prepared.size >= PREPARED_MAX || /\bresults\b/.test(text)) return false
    if (seen.delete(text)) prepared.add(text)
    else if (seen.size >= SEEN_MAX) seen.clear()
    else seen.add(text)
    return prepared.has(text)
  }
}
