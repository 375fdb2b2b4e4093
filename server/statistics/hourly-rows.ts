import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'
import type { PartName, PartRow } from './points.ts'
import { arrayAsText, parseArrays, type ServiceRef } from './rollups.ts'
import type { Buckets } from './windows.ts'

/** A packed day, or the packed hours of one. `firstBucket` is the number of its first hour's bucket, below 0 where the day begins before the window. */
export type StoredDay = { firstBucket: number; packed: Uint8Array }

/** What is stored for a window: packed days, and rows of the other buckets. */
export type StoredRows = { rows: PartRow[]; days: StoredDay[] }

type Values = { organizationId: string; serviceId: string; since: string; days: string }

/** Packed hours have no name and no counts. The rows of agents have no method and no template. */
type Row = {
  start: string
  key: string | null
  method: string | null
  template: string | null
  count: number
  failed: number
  ms: string | null
  bins: string | null
  counts: string | null
  packed: Buffer | null
}

const KINDS = {
  runs: {
    table: sql`run_hours`,
    ...{ key: sql`h.agent_slug`, method: sql`null`, template: sql`null` },
    ...{ count: sql`h.runs`, failed: sql`h.failure + h.timeout` },
  },
  endpoints: {
    table: sql`all_endpoint_hours`,
    ...{ key: sql`h.endpoint_key`, method: sql`h.method`, template: sql`h.template` },
    ...{ count: sql`h.calls`, failed: sql`h.failed_calls` },
  },
}

/**
 * Reads a window by the hour: packed days, the packed hours of today, and the other hours. For a week of three endpoints
 * with a run a minute, the database takes 0.2 ms; with all hours of today 0.4 ms, with all hours 2 ms. It is one statement,
 * so each run counts once.
 */
export async function readHourlyRows(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
  kind: 'runs' | 'endpoints',
): Promise<StoredRows> {
  const { since, until } = buckets
  const found = await db.execute<Row>(
    selectHourly(kind, {
      organizationId: service.organizationId,
      serviceId: service.id,
      since: since.toISOString(),
      days: daysFrom(since, until),
    }),
  )
  const rows: PartRow[] = []
  const days: StoredDay[] = []
  for (const { start, key, method, template, count, failed, packed, ...latencies } of found) {
    const bucket = (Date.parse(start) - since.getTime()) / HOUR_MS
    if (packed) days.push({ firstBucket: bucket, packed })
    else {
      const name = (method === null ? [key] : [key, method, template]) as unknown as PartName
      rows.push({ bucket, name, count, failed, latencies: parseArrays(latencies) })
      if (shouldYield()) await yieldToEventLoop()
    }
  }
  return { rows, days }
}

/** The UTC days from that of `since` to that of `until`, as an array of the database. */
function daysFrom(since: Date, until: Date): string {
  const days: string[] = []
  for (let day = Math.floor(since.getTime() / DAY_MS) * DAY_MS; day <= until.getTime(); day += DAY_MS) {
    days.push(new Date(day).toISOString())
  }
  return `{${days.join(',')}}`
}

/**
 * A packed day holds while the daily rows count as many results: a late run is added to these. A day without one, today
 * mostly, is read from its complete hours, which are packed as long as no late run comes, and from the rows of its other
 * hours. `offset 0` makes the database read by the index what a day has, not all that the service has. The inner `select`
 * hides how many days there are: for that number, the database would plan the statement each time, in 0.3 ms.
 */
function selectHourly(kind: 'runs' | 'endpoints', { organizationId, serviceId, since, days }: Values): SQL {
  const { table, key, method, template, count, failed } = KINDS[kind]
  const packed = sql.identifier(kind)
  return sql`
    select stored.*
    from unnest((select ${days}::timestamptz[])) as days(day)
    left join lateral (
      select p.${packed} as packed from packed_days p
      where p.organization_id = ${organizationId} and p.service_id = ${serviceId} and p.day = days.day and p.results = (
        select sum(d.runs + d.skipped) from run_days d
        where d.organization_id = ${organizationId} and d.service_id = ${serviceId} and d.day = p.day)
      offset 0) p on true
    left join lateral (
      select r.${packed} as packed, r.packed_until from recent_latencies r
      where p.packed is null and r.organization_id = ${organizationId} and r.service_id = ${serviceId}
        and r.packed_until > days.day and r.packed_until <= days.day + interval '24 hours' and r.packed_until <= r.hour
      offset 0) r on true
    cross join lateral (
      select days.day as start, null as key, null as method, null as template, null::int as count, null::int as failed,
        null as ms, null as bins, null as counts, coalesce(p.packed, r.packed) as packed
      where coalesce(p.packed, r.packed) is not null
      union all
      select h.hour, ${key}, ${method}, ${template}, ${count}, ${failed}, ${arrayAsText(sql`h.ms`)},
        ${arrayAsText(sql`h.bins`)}, ${arrayAsText(sql`h.counts`)}, null
      from ${table} h
      where p.packed is null and h.organization_id = ${organizationId} and h.service_id = ${serviceId}
        and h.hour >= greatest(days.day, ${since}::timestamptz, r.packed_until)
        and h.hour < days.day + interval '24 hours') stored`
}
