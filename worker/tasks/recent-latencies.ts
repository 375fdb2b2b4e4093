import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { packedSum, records } from '#server/record/hours.ts'
import type { Sketch } from '#server/statistics/sketch.ts'
import { recentHours } from '#server/statistics/windows.ts'

// Every page that lists a service shows its latencies of the last day. Past hours are merged once, so that reading
// costs the same for a run per minute as for a run per hour.

/** Services per transaction. Writers of their runs wait for it. */
const SERVICES_MAX = 25

/**
 * Merges the latencies of the 23 hours before the hour of `now`, for services that ran in the last day and have no such
 * sum yet. A service whose state a writer has locked is left for the next job; until then its hours are read one by
 * one.
 */
export async function mergeRecentLatencies(db: Db, now = new Date()): Promise<void> {
  while ((await db.transaction((tx) => sumBatch(tx, now))) > 0);
}

async function sumBatch(tx: Tx, now: Date): Promise<number> {
  const { from: first, current } = recentHours(now)
  const [from, until] = [first.toISOString(), current.toISOString()]
  // Writers lock the state too, so no hour changes during the transaction.
  const services = await tx.execute<{ service_id: string; organization_id: string }>(sql`
    select s.service_id, s.organization_id from service_states s
    left join recent_latencies r on (r.organization_id, r.service_id) = (s.organization_id, s.service_id)
    where s.last_run_at >= ${from}::timestamptz and r.hour is distinct from ${until}::timestamptz
    order by s.service_id limit ${SERVICES_MAX} for update of s skip locked`)
  if (services.length === 0) return 0
  const hours = await tx.execute<Sketch & { service_id: string }>(sql`
    select h.service_id, h.ms, h.bins, h.counts
    from ${records(services, 'service_id uuid, organization_id uuid')}
    join run_hours h on h.organization_id = i.organization_id and h.service_id = i.service_id
      and h.hour >= ${from}::timestamptz and h.hour < ${until}::timestamptz`)
  const ofService = Map.groupBy(hours, (row) => row.service_id)
  const sums = services.map((service) => ({
    ...service,
    sketch: packedSum(ofService.get(service.service_id) ?? []),
  }))
  await tx.execute(sql`
    insert into recent_latencies (service_id, organization_id, hour, sketch)
    select i.service_id, i.organization_id, ${until}::timestamptz, i.sketch
    from ${records(sums, 'service_id uuid, organization_id uuid, sketch bytea')}
    order by 1
    on conflict (organization_id, service_id) do update set hour = excluded.hour, sketch = excluded.sketch`)
  return services.length
}
