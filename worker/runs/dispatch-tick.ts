import type { Db } from '#db/client.ts'
import type { RecordOptions } from '#server/record/store-runs.ts'
import { nextGroupDueInMs } from '#server/schedule/schedule-groups.ts'
import type { Liveness } from '../liveness.ts'
import { dispatchDue } from './dispatch.ts'
import { promoteWaiting } from './promote.ts'

/** A timer may fire this early by the database's clock. */
const MARGIN_MS = 1

export type DispatchOptions = {
  db: Db
  record: RecordOptions
  canTrustHeartbeats: Liveness['canTrustHeartbeats']
  /** Called when there may be a run to start. */
  onQueued: () => void
}

/**
 * Queues runs of due services, and waiting runs whose service no longer has a run in flight. Returns when the next services
 * are due, in milliseconds from now; null when that is unknown.
 */
export async function dispatchTick({
  db,
  record,
  canTrustHeartbeats,
  onQueued,
}: DispatchOptions): Promise<number | null> {
  while ((await dispatchDue(db, record, canTrustHeartbeats)) > 0) onQueued()
  while ((await promoteWaiting(db)) > 0);
  onQueued()
  const dueInMs = await nextGroupDueInMs(db)
  // What is due now was left: another transaction holds it, or its agents may be dead. The next look finds it.
  return dueInMs === null || dueInMs <= 0 ? null : Math.ceil(dueInMs) + MARGIN_MS
}
