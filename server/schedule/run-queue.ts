import { type SQL, sql } from 'drizzle-orm'
import { SLOW_MS } from '../fairness/fair-permits.ts'

// The order in which the queued runs of one organization are taken. Among organizations the workers decide
// (server/fairness/fair-permits.ts).

/** Longer than a scheduled run can be queued, so that requested runs are taken before scheduled ones. */
const REQUEST_HEAD_START = sql`interval '10 minutes'`

/**
 * Returns `rank_at` and `is_slow` of a run that is queued now. A scheduled run ranks later by the time that the service's
 * recent runs took. So the runs of a slow target come after the other runs of their minute, but are not starved.
 */
export function queueOrder(
  service: { organizationId: string | SQL; id: string | SQL },
  cause: string | SQL,
): { rankAt: SQL; isSlow: SQL } {
  const slotMs = sql`coalesce((select t.slot_ms from service_states t 
    where t.organization_id = ${service.organizationId} and t.service_id = ${service.id}), 0)`
  return {
    rankAt: sql`now() + case when ${cause} = 'request' then -${REQUEST_HEAD_START} else ${slotMs} * interval '1 millisecond' end`,
    isSlow: sql`${slotMs} >= ${SLOW_MS}::int`,
  }
}
