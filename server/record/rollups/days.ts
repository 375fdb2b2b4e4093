import type { Db, Tx } from '#db/client.ts'
import { DAY_MS, startOfDayBefore } from '../../durations.ts'
import { PackedDay, packDay } from '../../statistics/packed-days.ts'
import { unpackSketch } from '../../statistics/packed-sketch.ts'
import type { Sketch } from '../../statistics/sketch.ts'
import { bucketStart } from '../../statistics/windows.ts'
import type { Additions, EndpointAddition, RunAddition } from './additions.ts'
import {
  addEndpointDays,
  addRunDays,
  findFoldableDays,
  findLateDays,
  lockFoldableServices,
  type PackedDayRow,
  putPackedDays,
  readDaySketches,
  readHours,
  updateFoldedUntil,
} from './day-statements.ts'
import {
  addAssertions,
  byteaText,
  ENDPOINT_COUNTERS,
  foldAssertions,
  packedSum,
  RUN_COUNTERS,
} from './hour-statements.ts'
import { spreadCleanRuns } from './spread-clean-runs.ts'

// Hours are folded into days once the day is over. Written with each run, the daily rows were two thirds of the cost of
// storing a run: a daily row is long, and every update writes all of it to the write-ahead log.

/** Services folded in one transaction (some 4,000 hourly rows of plain scripts). Writers of their runs wait for it. */
const SERVICES_MAX = 25
/** Days that are packed for statistics of a week. */
export const PACKED_DAYS = 8
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

/**
 * `limit`: services per transaction. `failed`: services to leave out. `folding`: services of the current transaction.
 */
type FoldBatch = { limit: number; failed: string[]; folding: string[] }

/** Folds one day of each of some services, and packs their days again to which late runs were added since. */
async function foldBatch(tx: Tx, today: string, batch: FoldBatch): Promise<void> {
  const services = await lockFoldableServices(tx, today, batch.failed, batch.limit)
  if (services.length === 0) return
  const since = startOfDayBefore(new Date(today), PACKED_DAYS).toISOString()
  const days = limitRows(await findFoldableDays(tx, today, services))
  batch.folding = days.map((row) => row.service_id)
  const found = days.flatMap(({ day, ...row }) => (day === null ? [] : { ...row, day }))
  if (found.length > 0) {
    await spreadCleanRuns(
      tx,
      found.map(({ day, ...row }) => ({ ...row, from: day, until: new Date(Date.parse(day) + DAY_MS).toISOString() })),
    )
    const hours = await readHours(tx, found)
    await addToDays(tx, hours)
    await storePackedDays(tx, hours, since)
    // Folded by the database: a script may have thousands of assertions, and as many new ones after each change.
    await tx.execute(foldAssertions(found))
  }
  for (const late of await findLateDays(tx, since, days, SERVICES_MAX)) {
    await storePackedDays(tx, await readHours(tx, [late]), since)
  }
  await updateFoldedUntil(tx, today, days)
}

/** Keeps the first services or days while their hourly rows fit into memory together; always at least one. */
export function limitRows<T extends { rows: number }>(all: readonly T[], max = ROWS_MAX): T[] {
  let rows = 0
  return all.filter((one, i) => {
    rows += one.rows
    return i === 0 || rows <= max
  })
}

/** Adds hours to their days. The caller holds the locks on the states of their services. */
export async function addToDays(tx: Tx, { runs, endpoints, assertions }: Additions): Promise<void> {
  if (runs.length > 0) {
    const days = byDay(runs, 'agent_slug').map((own) => ({ ...sumOfDay(own, RUN_COUNTERS), ...countByHour(own) }))
    await tx.execute(addRunDays(await withPackedSketch(tx, 'run_days', 'agent_slug', days)))
  }
  if (endpoints.length > 0) {
    const days = byDay(endpoints, 'endpoint_key').map((own) => ({
      ...sumOfDay(own, ENDPOINT_COUNTERS),
      status_counts: addStatusCounts(own),
    }))
    await tx.execute(addEndpointDays(await withPackedSketch(tx, 'endpoint_days', 'endpoint_key', days)))
  }
  if (assertions.length > 0) {
    const days = byDay(assertions, 'assertion_key').map((own) => ({
      ...sumOfDay(own, ['evaluations', 'failures']),
      last_failed_at: latest(own.map((row) => row.last_failed_at)),
    }))
    await tx.execute(addAssertions('day', days))
  }
}

/** Packs the hours of days from `since` on for statistics. The hours of each day are complete. */
async function storePackedDays(tx: Tx, { runs, endpoints }: Additions, since: string): Promise<void> {
  const keyOf = (row: Hour) => `${row.service_id} ${dayOf(row.bucket)}`
  const callsOf = Map.groupBy(endpoints, keyOf)
  const rows: PackedDayRow[] = []
  for (const [key, own] of Map.groupBy(runs, keyOf)) {
    const [{ organization_id, service_id, bucket }] = own as Hours<RunAddition>
    const day = dayOf(bucket)
    if (day < since) continue
    rows.push({
      ...{ organization_id, service_id, day },
      results: own.reduce((sum, row) => sum + row.runs + row.skipped, 0),
      runs: byteaText(await packRunHours(own)),
      endpoints: byteaText(await packEndpointHours(callsOf.get(key) ?? [])),
    })
  }
  if (rows.length > 0) await tx.execute(putPackedDays(rows))
}

/** Packs hours of runs, and the hours that are packed in `before`. */
export function packRunHours(rows: readonly RunAddition[], before: Buffer | null = null): Promise<Buffer> {
  const parts = rows.map((row) => {
    const { agent_slug, runs, failure, timeout } = row
    return { bucket: hourOf(row), name: [agent_slug] as const, count: runs, failed: failure + timeout, latencies: row }
  })
  return packDay(parts, before && new PackedDay(before))
}

/** Packs hours of endpoints, and the hours that are packed in `before`. */
export function packEndpointHours(rows: readonly EndpointAddition[], before: Buffer | null = null): Promise<Buffer> {
  const parts = rows.map((row) => {
    const { endpoint_key, method, template, calls, failed_calls } = row
    const name = [endpoint_key, method, template] as const
    return { bucket: hourOf(row), name, count: calls, failed: failed_calls, latencies: row }
  })
  return packDay(parts, before && new PackedDay(before))
}

type Hour = { organization_id: string; service_id: string; bucket: string }
type Hours<T> = [T, ...T[]]

/** Groups hours by service, day and the column `name`. */
function byDay<T extends Hour>(rows: T[], name: keyof T): Hours<T>[] {
  return [...Map.groupBy(rows, (row) => `${row.service_id} ${dayOf(row.bucket)} ${row[name]}`).values()] as Hours<T>[]
}

/**
 * Returns the first hour's row with the day as its bucket and with the sums of the counters. `hours` keeps all rows.
 */
function sumOfDay<T extends Hour>(own: Hours<T>, counters: readonly (keyof T)[]): T & { hours: T[] } {
  const sums = counters.map((name) => [name, own.reduce((total, row) => total + (row[name] as number), 0)])
  return { ...own[0], ...Object.fromEntries(sums), bucket: dayOf(own[0].bucket), hours: own }
}

export function countByHour(own: readonly RunAddition[]) {
  const runs_by_hour = Array<number>(24).fill(0)
  const failed_by_hour = Array<number>(24).fill(0)
  for (const row of own) {
    const hour = hourOf(row)
    runs_by_hour[hour] = (runs_by_hour[hour] as number) + row.runs
    failed_by_hour[hour] = (failed_by_hour[hour] as number) + row.failure + row.timeout
  }
  return { runs_by_hour, failed_by_hour }
}

export function addStatusCounts(own: readonly Pick<EndpointAddition, 'status_counts'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of own) {
    for (const [status, count] of Object.entries(row.status_counts)) counts[status] = (counts[status] ?? 0) + count
  }
  return counts
}

function latest(times: (string | null)[]): string | null {
  const known = times.filter((time) => time !== null).map((time) => Date.parse(time))
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString()
}

/** Merges the latencies of the hours with the stored latencies of their day, and packs the result. */
async function withPackedSketch<T extends Hour & { hours: Sketch[] }>(
  tx: Tx,
  table: 'run_days' | 'endpoint_days',
  name: 'agent_slug' | 'endpoint_key',
  days: T[],
): Promise<(Omit<T, 'hours'> & { sketch: string | null })[]> {
  const keyOf = (row: Hour) => `${row.service_id} ${dayOf(row.bucket)} ${row[name as never]}`
  const keys = days.map(({ organization_id, service_id, bucket, [name as never]: key }) => ({
    organization_id,
    service_id,
    bucket,
    key,
  }))
  const stored = await readDaySketches(tx, table, name, keys)
  const sketchOf = new Map(stored.map((row) => [keyOf(row), unpackSketch(row.sketch)]))
  return days.map(({ hours, ...day }) => {
    const before = sketchOf.get(keyOf(day as unknown as Hour))
    return { ...day, sketch: packedSum(before ? [before, ...hours] : hours) }
  })
}

/** Returns the hour of the day. */
function hourOf({ bucket }: Hour): number {
  return new Date(bucket).getUTCHours()
}

function dayOf(at: Date | string): string {
  return bucketStart(new Date(at), 'day').toISOString()
}
