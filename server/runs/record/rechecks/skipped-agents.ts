import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type RowKey, rowKeys } from '#db/row-match.ts'

/** The results of a service among which its agents' last ones are looked for, and their age. */
const RESULTS_MAX = 100
const AGE_MAX = sql`interval '7 days'`

/** Returns the agents whose own last part of each service was skipped, by service: such an agent saw nothing. */
export async function readSkippedAgents(
  db: Queryable,
  services: readonly RowKey<string>[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (services.length === 0) return new Map()
  const rows = await db.execute<{ service_id: string; agent_id: string }>(sql`
    select k.service_id, a.agent_id from ${rowKeys(services)} k (organization_id, service_id) cross join lateral (
      select distinct on (agent_id) agent_id, status from (
        select agent_id, status, started_at, id from results r
        where (r.organization_id, r.service_id) = (k.organization_id, k.service_id)
          and r.started_at > now() - ${AGE_MAX}
        order by started_at desc limit ${RESULTS_MAX}) l
      order by agent_id, started_at desc, id desc) a
    where a.status = 'skipped'`)
  const byService = Map.groupBy(rows, (row) => row.service_id)
  return new Map([...byService].map(([id, own]) => [id, new Set(own.map((row) => row.agent_id))]))
}
