/**
 * The database did not answer, or not in time: the connection broke, there was none to be had, or the deadline of the
 * request was over. What a transaction had done until then is rolled back, unless it was already being committed.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Told by its code, since Next bundles a second copy of this class. */
  readonly code = 'DATABASE_UNAVAILABLE'
}

const UNAVAILABLE = new Set([
  'DATABASE_UNAVAILABLE',
  // Cancelled, by the deadline or by the longest time of a statement; ended by an operator; shutting down or starting.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '25P03',
])

/** Whether an error says that the database could not be asked, and not that it refused. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(String((error as { code?: unknown } | null)?.code))
}
