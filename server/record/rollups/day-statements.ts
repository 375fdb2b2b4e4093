import { type SQL, sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import type { Additions, EndpointAddition, RunAddition } from './additions.ts'
import { bigints, columns, ENDPOINT_COUNTERS, KEY_FIELDS, RUN_COUNTERS, records, sums } from './hour-statements.ts'

// The statements that fold hours into days. Times are medians on two shared cores, for a day of 25 services with 24
// hours of three endpoints and three assertions each.

export type FoldableService = { service_id: string; organization_id: string; folded_until: string }

/**
 * Locks the states of services whose hours before `today` are not folded, oldest first: 0.4 ms. Writers of runs lock
 * the state too, so no run is added to a day while it is folded. A service whose state a writer has locked is skipped.
 */
export function lockFoldableServices(
  tx: Tx,
  today: string,
  except: string[],
  limit: number,
): Promise<FoldableService[]> {
  return tx.execute<FoldableService>(sql`
    select service_id, organization_id, folded_until from service_states
    where folded_until < ${today}::timestamptz and service_id <> all(${uuids(except)})
    order by folded_until limit ${limit} for update skip locked`)
}

/** A day of a service, by its start. */
export type ServiceDay = { service_id: string; organization_id: string; day: string }

/** A service with its next day to fold, and the number of that day's hourly rows. `day` is null if no day is left. */
export type FoldableDay = Omit<ServiceDay, 'day'> & { day: string | null; rows: number }

/** Returns the next day to fold of each service: 5 ms. */
export function findFoldableDays(tx: Tx, today: string, services: FoldableService[]): Promise<FoldableDay[]> {
  return tx.execute<FoldableDay>(sql`
    with next as (
      select i.service_id, i.organization_id, date_trunc('day', (select min(h.hour) from run_hours h
        where h.organization_id = i.organization_id and h.service_id = i.service_id
          and h.hour >= i.folded_until and h.hour < ${today}::timestamptz), 'UTC') as day
      from ${records(services, 'service_id uuid, organization_id uuid, folded_until timestamptz')})
    select n.*, (${countHours('all_endpoint_hours')} + ${countHours('all_assertion_hours')})::float8 as rows from next n`)
}

/** Counts the rows that grow with the script. Rows of runs are few: one per hour and agent. */
function countHours(table: string): SQL {
  return sql`(select count(*) from ${sql.raw(table)} h where h.organization_id = n.organization_id
    and h.service_id = n.service_id and h.hour >= n.day and h.hour < n.day + interval '24 hours')`
}

/**
 * Reads the hours of runs and endpoints of these days, whose clean runs are spread: 37 ms. A day can begin at any hour; `before` ends all of them.
 * Hours of assertions are folded by `foldAssertions`.
 */
export async function readHours(tx: Tx, days: ServiceDay[], before: string | null = null): Promise<Additions> {
  const read = <T extends Record<string, unknown>>(table: string, fields: SQL) =>
    tx.execute<T>(sql`
      select h.organization_id, h.service_id, h.hour as bucket, ${fields}
      from ${records(days, 'organization_id uuid, service_id uuid, day timestamptz')}
      join ${sql.raw(table)} h on h.organization_id = i.organization_id and h.service_id = i.service_id
        and h.hour >= i.day and h.hour < least(i.day + interval '24 hours', ${before}::timestamptz)`)
  const counters = (names: readonly string[]) => sql.raw(names.map((name) => `h.${name}::float8`).join(', '))
  return {
    runs: await read<RunAddition>('run_hours', sql`h.agent_slug, ${counters(RUN_COUNTERS)}, h.ms, h.bins, h.counts`),
    endpoints: await read<EndpointAddition>(
      'endpoint_hours',
      sql`h.endpoint_key, h.method, h.template, ${counters(ENDPOINT_COUNTERS)}, h.status_counts, h.ms, h.bins, h.counts`,
    ),
    assertions: [],
  }
}

/** Marks the services as folded up to the end of their day, or up to today when no day was left: 0.6 ms. */
export async function updateFoldedUntil(tx: Tx, today: string, days: FoldableDay[]): Promise<void> {
  await tx.execute(sql`
    update service_states s set folded_until = coalesce(i.day + interval '24 hours', ${today}::timestamptz)
    from ${records(days, 'organization_id uuid, service_id uuid, day timestamptz')}
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}

export type StoredSketch = { organization_id: string; service_id: string; bucket: string; sketch: Buffer | null }

/** Reads the packed latencies of existing days: 0.7 ms. `name` is the column that identifies a row within its day. */
export function readDaySketches(
  tx: Tx,
  table: 'run_days' | 'endpoint_days',
  name: 'agent_slug' | 'endpoint_key',
  keys: { organization_id: string; service_id: string; bucket: string; key: string }[],
): Promise<StoredSketch[]> {
  return tx.execute<StoredSketch>(sql`
    select r.service_id, r.day as bucket, r.${sql.raw(name)}, r.sketch
    from ${records(keys, `${KEY_FIELDS}, key text`)} join ${sql.raw(table)} r on r.organization_id = i.organization_id
      and r.service_id = i.service_id and r.day = i.bucket and r.${sql.raw(name)} = i.key`)
}

/** Adds sums to the days of runs: 1 ms for 25 rows. */
export function addRunDays(rows: unknown[]): SQL {
  const fields = `${KEY_FIELDS}, agent_slug text, ${bigints(RUN_COUNTERS)}, sketch bytea, runs_by_hour int[], failed_by_hour int[]`
  return sql`
    insert into run_days as r (organization_id, service_id, day, agent_slug, ${columns(RUN_COUNTERS)}, sketch,
      runs_by_hour, failed_by_hour)
    select i.organization_id, i.service_id, i.bucket, i.agent_slug, ${columns(RUN_COUNTERS, 'i.')}, i.sketch,
      i.runs_by_hour, i.failed_by_hour
    from ${records(rows, fields)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, agent_slug) do update set ${sums(RUN_COUNTERS)},
      sketch = excluded.sketch,
      runs_by_hour = sum_each(r.runs_by_hour, excluded.runs_by_hour),
      failed_by_hour = sum_each(r.failed_by_hour, excluded.failed_by_hour)`
}

/** Adds sums to the days of endpoints: 2 ms for 75 rows. */
export function addEndpointDays(rows: unknown[]): SQL {
  const fields = `${KEY_FIELDS}, endpoint_key text, method text, template text, ${bigints(ENDPOINT_COUNTERS)}, status_counts jsonb, sketch bytea`
  return sql`
    insert into endpoint_days as r (organization_id, service_id, day, endpoint_key, method, template,
      ${columns(ENDPOINT_COUNTERS)}, status_counts, sketch)
    select i.organization_id, i.service_id, i.bucket, i.endpoint_key, i.method, i.template,
      ${columns(ENDPOINT_COUNTERS, 'i.')}, i.status_counts, i.sketch
    from ${records(rows, fields)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, endpoint_key) do update set ${sums(ENDPOINT_COUNTERS)},
      status_counts = sum_counts(r.status_counts, excluded.status_counts), sketch = excluded.sketch`
}

/** The hours of a day, packed for statistics. `runs` and `endpoints` are the text form of `bytea`. */
export type PackedDayRow = ServiceDay & { results: number; runs: string; endpoints: string }

/** Stores packed days, in place of former ones: 0.4 ms. */
export function putPackedDays(rows: PackedDayRow[]): SQL {
  return sql`
    insert into packed_days as p (organization_id, service_id, day, results, runs, endpoints)
    select i.organization_id, i.service_id, i.day, i.results, i.runs, i.endpoints
    from ${records(rows, 'organization_id uuid, service_id uuid, day timestamptz, results int, runs bytea, endpoints bytea')}
    order by 1, 2, 3
    on conflict (organization_id, service_id, day) do update
    set results = excluded.results, runs = excluded.runs, endpoints = excluded.endpoints`
}

/** Returns packed days from `since` on to which late runs were added: 0.5 ms. */
export function findLateDays(tx: Tx, since: string, services: FoldableDay[], limit: number): Promise<ServiceDay[]> {
  return tx.execute<ServiceDay>(sql`
    select p.organization_id, p.service_id, p.day
    from ${records(services, 'organization_id uuid, service_id uuid')}
    join packed_days p on p.organization_id = i.organization_id and p.service_id = i.service_id
      and p.day >= ${since}::timestamptz
    where p.results <> (select sum(d.runs + d.skipped) from run_days d
      where d.organization_id = p.organization_id and d.service_id = p.service_id and d.day = p.day)
    limit ${limit}`)
}
