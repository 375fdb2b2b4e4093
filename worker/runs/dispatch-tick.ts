import type { Db } from '#db/client.ts'
import type { RecordOptions } from '#server/record/store-runs.ts'
import type { Liveness } from '../liveness.ts'
import { dispatchDue } from './dispatch.ts'
import { promoteWaiting } from './promote.ts'
import { nextGroupDueInMs } from './schedule-groups.ts'

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
 * are due, in milliseconds from now; null for none, and while due services were left: another transaction holds them, or
 * their agents may be dead.
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
  return dueInMs === null || dueInMs <= 0 ? null : Math.ceil(dueInMs) + MARGIN_MS
}
