import { type SQL, sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { shouldYield, yieldToEventLoop } from '../../lace/event-loop.ts'
import { bucketStart } from '../../statistics/windows.ts'
import {
  addUp,
  groupRows,
  type Kind,
  putRows,
  type RowOf,
  type RunRow,
  readHoursOfDays,
  records,
  type ServiceDay,
} from './rows.ts'

// Hours are folded into days once the day is over, and again after a late run: `folded_until` tells where to begin.

/** Services folded in one transaction (some 4,000 hourly rows of plain scripts). Writers of their runs wait for it. */
const SERVICES_MAX = 25
/** Hourly rows folded in one transaction. A single service may have more. */
const ROWS_MAX = 20_000

/**
 * Folds the hours of all days before the day of `now`. A service whose state a writer has locked is left for the next
 * call. After a failure services are folded one at a time, so that one bad service does not block the others.
 * @throws the first failure, after all other services are folded
 */
export async function foldDays(db: Db, now: Date): Promise<void> {
  const today = dayOf(now)
  const batch: FoldBatch = { limit: SERVICES_MAX, failed: [], folding: [] }
  const failures: unknown[] = []
  do {
    batch.folding = []
    try {
      await db.transaction((tx) => foldBatch(tx, today, batch))
    } catch (error) {
      // Nothing was folding yet: the database itself is unavailable.
      if (batch.folding.length === 0) throw error
      if (batch.folding.length === 1) {
        batch.failed.push(...batch.folding)
        failures.push(error)
      }
      batch.limit = 1
    }
  } while (batch.folding.length > 0)
  if (failures.length > 0) throw failures[0]
}

/** `limit`: services per transaction. `failed`: services to leave out. `folding`: services of the current transaction. */
type FoldBatch = { limit: number; failed: string[]; folding: string[] }

/** Folds one day of each of some services. */
async function foldBatch(tx: Tx, today: string, batch: FoldBatch): Promise<void> {
  const services = await lockFoldableServices(tx, today, batch)
  if (services.length === 0) return
  const next = limitRows(await findNextDays(tx, today, services))
  batch.folding = next.map((row) => row.service_id)
  const days = next.flatMap(({ day, isWhole, ...row }) => (day !== null && isWhole ? [{ ...row, day }] : []))
  if (days.length > 0) {
    const runs = await readHoursOfDays(tx, 'run', days)
    await putRows(tx, 'run', 'day', await foldRows('run', runs, countByHour))
    await putRows(tx, 'endpoint', 'day', await foldRows('endpoint', await readHoursOfDays(tx, 'endpoint', days)))
    await tx.execute(foldAssertions(days))
  }
  await tx.execute(sql`
    update service_states s set folded_until = coalesce(i.day + interval '24 hours', ${today}::timestamptz)
    from ${records(next, 'organization_id uuid, service_id uuid, day timestamptz')}
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}

type FoldableService = { service_id: string; organization_id: string; folded_until: string }

/** Oldest first. Writers of runs lock the state too, so no run is added to a day while it is folded. */
function lockFoldableServices(tx: Tx, today: string, { failed, limit }: FoldBatch): Promise<FoldableService[]> {
  return tx.execute<FoldableService>(sql`
    select service_id, organization_id, folded_until from service_states
    where folded_until < ${today}::timestamptz and service_id <> all(${uuids(failed)})
    order by folded_until limit ${limit} for update skip locked`)
}

/**
 * The next day of a service, null if none is left, and the number of its hourly rows. It is not whole if its hours hold less
 * than was folded from them: they are cleared, so the day stays as it is.
 */
type NextDay = Omit<ServiceDay, 'day'> & { day: string | null; rows: number; isWhole: boolean }

function findNextDays(tx: Tx, today: string, services: FoldableService[]): Promise<NextDay[]> {
  const inDay = sql`h.organization_id = n.organization_id and h.service_id = n.service_id
    and h.hour >= n.day and h.hour < n.day + interval '24 hours'`
  // Rows of runs are few: one per hour and agent. The others grow with the script.
  const count = (table: string) => sql`(select count(*) from ${sql.raw(table)} h where ${inDay})`
  return tx.execute<NextDay>(sql`
    with next as (
      select i.service_id, i.organization_id, date_trunc('day', (select min(h.hour) from run_hours h
        where h.organization_id = i.organization_id and h.service_id = i.service_id
          and h.hour >= i.folded_until and h.hour < ${today}::timestamptz), 'UTC') as day
      from ${records(services, 'service_id uuid, organization_id uuid, folded_until timestamptz')})
    select n.*, (${count('endpoint_hours')} + ${count('assertion_hours')})::float8 as rows,
      (select sum(h.runs + h.skipped) from run_hours h where ${inDay}) >= coalesce((
        select sum(d.runs + d.skipped) from run_days d
        where d.organization_id = n.organization_id and d.service_id = n.service_id and d.day = n.day), 0) as "isWhole"
    from next n`)
}

/** Keeps the first days while their hourly rows fit into memory together; always at least one. */
function limitRows(all: readonly NextDay[]): NextDay[] {
  let rows = 0
  return all.filter((one, i) => {
    rows += one.rows
    return i === 0 || rows <= ROWS_MAX
  })
}

/** Adds up hours by day. `more` returns other columns of a day. */
async function foldRows<K extends Kind>(
  kind: K,
  hours: readonly RowOf[K][],
  more: (own: readonly RowOf[K][]) => object = () => ({}),
): Promise<RowOf[K][]> {
  const days: RowOf[K][] = []
  const ofDays = hours.map((row) => ({ ...row, bucket: dayOf(row.bucket), hour: new Date(row.bucket).getUTCHours() }))
  for (const own of groupRows(kind, ofDays)) {
    days.push({ ...addUp(kind, own), ...more(own) })
    if (shouldYield()) await yieldToEventLoop()
  }
  return days
}

function countByHour(own: readonly (RunRow & { hour?: number })[]) {
  const byHour = (count: (row: RunRow) => number) =>
    Array.from({ length: 24 }, (_, i) => own.reduce((sum, row) => sum + (row.hour === i ? count(row) : 0), 0))
  return { runs_by_hour: byHour((row) => row.runs), failed_by_hour: byHour((row) => row.failure + row.timeout) }
}

/** By the database: a script may have thousands of assertions, and as many new ones after each change. */
function foldAssertions(days: readonly ServiceDay[]): SQL {
  return sql`
    insert into assertion_days (organization_id, service_id, day, assertion_key, definition, evaluations, failures,
      last_failed_at)
    select h.organization_id, h.service_id, i.day, h.assertion_key, (array_agg(h.definition))[1], sum(h.evaluations),
      sum(h.failures), max(h.last_failed_at)
    from ${records(days, 'organization_id uuid, service_id uuid, day timestamptz')}
    join assertion_hours h on h.organization_id = i.organization_id and h.service_id = i.service_id
      and h.hour >= i.day and h.hour < i.day + interval '24 hours'
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, assertion_key) do update set evaluations = excluded.evaluations,
      failures = excluded.failures, last_failed_at = excluded.last_failed_at`
}

function dayOf(at: Date | string): string {
  return bucketStart(new Date(at), 'day').toISOString()
}
