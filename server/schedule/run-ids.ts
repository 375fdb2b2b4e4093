import { v7 as uuidv7 } from 'uuid'

/**
 * Returns an id for a run that is made at `now` by the database's clock. Results are found by the time in it, and their
 * starts are by that clock too, while the clocks of machines may be wrong.
 */
export function createRunId(now: Date): string {
  return uuidv7({ msecs: now.getTime() })
}
