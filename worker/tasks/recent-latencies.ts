import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { HOUR_MS } from '#server/durations.ts'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import type { EndpointAddition, RunAddition } from '#server/record/rollups/additions.ts'
import { readHours } from '#server/record/rollups/day-statements.ts'
import {
  addStatusCounts,
  countByHour,
  limitRows,
  packEndpointHours,
  packRunHours,
} from '#server/record/rollups/days.ts'
import {
  byteaText,
  ENDPOINT_COUNTERS,
  packedSum,
  RUN_COUNTERS,
  records,
} from '#server/record/rollups/hour-statements.ts'
import { spreadCleanRuns } from '#server/record/rollups/spread-clean-runs.ts'
import { unpackSketch } from '#server/statistics/packed-sketch.ts'
import type { Sketch } from '#server/statistics/sketch.ts'
import { bucketStart, recentHours } from '#server/statistics/windows.ts'
import { databaseTime } from '#server/system/database-clock.ts'

// Every page that lists a service shows its latencies of the last day, and statistics show its hours of today. Complete
// hours are merged, packed and summed once, so that reading costs the same for a run per minute as for a run per hour.

/** Services per transaction. Writers of their runs wait for it. */
const SERVICES_MAX = 25
/** Hourly rows of the endpoints of a day per transaction. A single service may have more. */
const ROWS_MAX = 2_000
/** With more, the hours of a day are neither packed nor summed: 24 hours of the longest script are fewer. */
const PACKED_ROWS_MAX = 100_000

/** The hours to merge, and those of the day of the last complete hour. `until` is the start of the current hour. */
type Bounds = { from: string; day: string; until: string }

/**
 * A service whose hours before `packed_until` are packed and summed already: the start of the day when there are none.
 * `rows` is the number of rows that the endpoints of the day have.
 */
type Service = { service_id: string; organization_id: string; packed_until: string; rows: number }

/**
 * Sums of a day that is not over, as rows of the daily roll-ups without their service: the fields have the names of the
 * columns, because readers expand the records into rows. `sketch` is the text form of `bytea`.
 */
type DaySum = { day: string; sketch: string | null }
type RunSum = DaySum &
  Pick<RunAddition, 'agent_slug' | (typeof RUN_COUNTERS)[number]> & { runs_by_hour: number[]; failed_by_hour: number[] }
type EndpointSum = DaySum &
  Pick<EndpointAddition, 'endpoint_key' | 'method' | 'template' | 'status_counts' | (typeof ENDPOINT_COUNTERS)[number]>

/** What is packed and summed already. */
type Former = {
  service_id: string
  runs: Buffer | null
  endpoints: Buffer | null
  run_sums: RunSum[] | null
  endpoint_sums: EndpointSum[] | null
}

/**
 * Merges the latencies of the 23 hours before the hour of `now`, and packs and sums the complete hours of the day, for
 * services that ran in the last day and have no such row yet. A service whose state a writer has locked is left for the
 * next job; until then its hours are read one by one.
 */
export async function mergeRecentLatencies(
  db: Db,
  now = databaseTime(),
  packedRowsMax = PACKED_ROWS_MAX,
): Promise<void> {
  const { from, current } = recentHours(now)
  const bounds = {
    from: from.toISOString(),
    day: bucketStart(new Date(current.getTime() - HOUR_MS), 'day').toISOString(),
    until: current.toISOString(),
  }
  while ((await db.transaction((tx) => sumBatch(tx, bounds, packedRowsMax))) > 0);
}

async function sumBatch(tx: Tx, bounds: Bounds, packedRowsMax: number): Promise<number> {
  const services = limitRows(await lockServices(tx, bounds), ROWS_MAX)
  if (services.length === 0) return 0
  const { day, until } = bounds
  const latenciesOf = Map.groupBy(await readLatencies(tx, services, bounds), (row) => row.service_id)
  const packable = services.filter(({ rows }) => rows <= packedRowsMax)
  const spans = packable.map(({ packed_until, ...service }) => ({ ...service, day: packed_until }))
  await spreadCleanRuns(
    tx,
    spans.map(({ day: from, ...service }) => ({ ...service, from, until })),
  )
  const hours = await readHours(tx, spans, until)
  const runsOf = Map.groupBy(hours.runs, (row) => row.service_id)
  const endpointsOf = Map.groupBy(hours.endpoints, (row) => row.service_id)
  const formers = new Map((await readFormers(tx, packable, bounds)).map((row) => [row.service_id, row]))
  const rows: unknown[] = []
  for (const service of services) {
    const { service_id, organization_id } = service
    const sketch = packedSum(latenciesOf.get(service_id) ?? [])
    if (!packable.includes(service)) {
      rows.push({ service_id, organization_id, sketch })
      continue
    }
    const runs = runsOf.get(service_id) ?? []
    const endpoints = endpointsOf.get(service_id) ?? []
    const former = formers.get(service_id)
    rows.push({
      ...{ service_id, organization_id, sketch, packed_until: until },
      runs: byteaText(await packRunHours(runs, former?.runs)),
      endpoints: byteaText(await packEndpointHours(endpoints, former?.endpoints)),
      run_sums: await addToRunSums(former?.run_sums ?? [], runs, day),
      endpoint_sums: await addToEndpointSums(former?.endpoint_sums ?? [], endpoints, day),
    })
  }
  await storeRows(tx, rows, until)
  return services.length
}

/** Whether hours of the day are packed, and no others. */
const isPacked = ({ day, until }: Bounds) =>
  sql`r.packed_until > ${day}::timestamptz and r.packed_until <= least(r.hour, ${until}::timestamptz)`

/** Locks the states of services without a row of this hour. Writers lock the state too, so no hour changes meanwhile. */
function lockServices(tx: Tx, bounds: Bounds): Promise<Service[]> {
  const { from, day, until } = bounds
  return tx.execute<Service>(sql`
    select l.*, (select count(*) from endpoint_hours h where h.organization_id = l.organization_id
      and h.service_id = l.service_id and h.hour >= ${day}::timestamptz and h.hour < ${until}::timestamptz)::float8 as rows
    from (
      select s.service_id, s.organization_id,
        case when ${isPacked(bounds)} then r.packed_until else ${day}::timestamptz end as packed_until
      from service_states s
      left join recent_latencies r on (r.organization_id, r.service_id) = (s.organization_id, s.service_id)
      where s.last_run_at >= ${from}::timestamptz and r.hour is distinct from ${until}::timestamptz
      order by s.service_id limit ${SERVICES_MAX} for update of s skip locked) l`)
}

function readLatencies(
  tx: Tx,
  services: Service[],
  { from, until }: Bounds,
): Promise<(Sketch & { service_id: string })[]> {
  return tx.execute<Sketch & { service_id: string }>(sql`
    select h.service_id, h.ms, h.bins, h.counts
    from ${records(services, 'service_id uuid, organization_id uuid')}
    join run_hours h on h.organization_id = i.organization_id and h.service_id = i.service_id
      and h.hour >= ${from}::timestamptz and h.hour < ${until}::timestamptz`)
}

function readFormers(tx: Tx, services: Service[], bounds: Bounds): Promise<Former[]> {
  return tx.execute<Former>(sql`
    select r.service_id, r.runs, r.endpoints, r.run_sums, r.endpoint_sums
    from ${records(services, 'service_id uuid, organization_id uuid')}
    join recent_latencies r on r.organization_id = i.organization_id and r.service_id = i.service_id
    where ${isPacked(bounds)}`)
}

async function storeRows(tx: Tx, rows: unknown[], until: string): Promise<void> {
  const names = ['sketch', 'packed_until', 'runs', 'endpoints', 'run_sums', 'endpoint_sums']
  const fields =
    'sketch bytea, packed_until timestamptz, runs bytea, endpoints bytea, run_sums jsonb, endpoint_sums jsonb'
  await tx.execute(sql`
    insert into recent_latencies (service_id, organization_id, hour, ${sql.raw(names.join(', '))})
    select i.service_id, i.organization_id, ${until}::timestamptz,
      ${sql.raw(names.map((name) => `i.${name}`).join(', '))}
    from ${records(rows, `service_id uuid, organization_id uuid, ${fields}`)}
    order by 1
    on conflict (organization_id, service_id) do update set hour = excluded.hour,
      ${sql.raw(names.map((name) => `${name} = excluded.${name}`).join(', '))}`)
}

/** Adds hours of one service and day to the sums of the hours before them. */
function addToRunSums(before: readonly RunSum[], hours: readonly RunAddition[], day: string): Promise<RunSum[]> {
  return addToSums(before, hours, 'agent_slug', (own, sum) => {
    const { agent_slug } = own[0]
    const { runs_by_hour, failed_by_hour } = countByHour(own)
    return {
      ...{ day, agent_slug, ...addCounters(RUN_COUNTERS, own, sum), sketch: addSketches(own, sum) },
      runs_by_hour: runs_by_hour.map((count, hour) => count + (sum?.runs_by_hour[hour] ?? 0)),
      failed_by_hour: failed_by_hour.map((count, hour) => count + (sum?.failed_by_hour[hour] ?? 0)),
    }
  })
}

/** Adds hours of one service and day to the sums of the hours before them. */
function addToEndpointSums(
  before: readonly EndpointSum[],
  hours: readonly EndpointAddition[],
  day: string,
): Promise<EndpointSum[]> {
  return addToSums(before, hours, 'endpoint_key', (own, sum) => {
    const { endpoint_key, method, template } = own[0]
    const status_counts = addStatusCounts(sum ? [sum, ...own] : own)
    const counters = addCounters(ENDPOINT_COUNTERS, own, sum)
    return { day, endpoint_key, method, template, ...counters, status_counts, sketch: addSketches(own, sum) }
  })
}

/** Calls `add` for each group of hours with the same `name`. Sums without hours stay. */
async function addToSums<K extends string, T extends Record<K, string>, S extends Record<K, string>>(
  before: readonly S[],
  hours: readonly T[],
  name: K,
  add: (own: [T, ...T[]], sum: S | undefined) => S,
): Promise<S[]> {
  const sums = new Map<string, S>(before.map((sum) => [sum[name], sum]))
  for (const [key, own] of Map.groupBy(hours, (row): string => row[name])) {
    sums.set(key, add(own as [T, ...T[]], sums.get(key)))
    if (shouldYield()) await yieldToEventLoop()
  }
  return [...sums.values()]
}

function addCounters<K extends string>(
  names: readonly K[],
  own: readonly Record<K, number>[],
  sum: Record<K, number> | undefined,
): Record<K, number> {
  const sums = names.map((name) => [name, own.reduce((total, row) => total + row[name], sum?.[name] ?? 0)])
  return Object.fromEntries(sums) as Record<K, number>
}

function addSketches(own: readonly Sketch[], sum: DaySum | undefined): string | null {
  const before = sum?.sketch ? [unpackSketch(Buffer.from(sum.sketch.slice(2), 'hex'))] : []
  return packedSum([...before, ...own])
}
