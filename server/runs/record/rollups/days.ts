import type { Db, Tx } from '#db/client.ts'
import { and, eq, getTableColumns, gte, lt, sql } from '#db/drizzle.cjs'
import { isUnavailable } from '#db/errors.ts'
import { matchesRow } from '#db/row-match.ts'
import { setFrom } from '#db/rows.ts'
import {
  assertionDays,
  assertionHours,
  endpointDays,
  endpointHours,
  runDays,
  runHours,
  serviceStates,
} from '#db/schema/results.ts'
import { DAY_MS } from '../../../durations.ts'
import { shouldYield, yieldToEventLoop } from '../../../language/lace/event-loop.ts'
import { ROLLUPS, type ServiceRef, type TimedKind } from '../../../results/statistics/rollups.ts'
import { bucketStart } from '../../../results/statistics/windows.ts'
import { addUp, type HourRow, keyOf, putRows, readHours } from './rows.ts'

// Hours are folded into days once the day is over, and again after a late run: `folded_until` tells where to begin.

/**
 * Folds the hours of all days before the day of `now`, a day of a service in a transaction. A service whose state a writer has
 * locked is left for the next call.
 * @throws the first failure, after all other services; at once where the database is unavailable
 */
export async function foldDays(db: Db, now: Date): Promise<void> {
  const today = bucketStart(now, 'day')
  const services = await db
    .select({ organizationId: serviceStates.organizationId, id: serviceStates.serviceId })
    .from(serviceStates)
    .where(lt(serviceStates.foldedUntil, today))
    .orderBy(serviceStates.foldedUntil)
  const failures: unknown[] = []
  for (const service of services) {
    try {
      while (await db.transaction((tx) => foldNextDay(tx, service, today)));
    } catch (error) {
      if (isUnavailable(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Returns whether another day may follow. Writers of runs lock the state too, so no run is added to a day meanwhile. */
async function foldNextDay(tx: Tx, service: ServiceRef, today: Date): Promise<boolean> {
  const ofService = matchesRow(serviceStates.serviceId, service)
  const [state] = await tx
    .select({ foldedUntil: serviceStates.foldedUntil })
    .from(serviceStates)
    .where(and(ofService, lt(serviceStates.foldedUntil, today)))
    .for('update', { skipLocked: true })
  if (!state) return false
  const [next] = await tx
    .select({ hour: runHours.hour })
    .from(runHours)
    .where(
      and(matchesRow(runHours.serviceId, service), gte(runHours.hour, state.foldedUntil), lt(runHours.hour, today)),
    )
    .orderBy(runHours.hour)
    .limit(1)
  const day = next && bucketStart(next.hour, 'day')
  if (day) await foldDay(tx, service, day)
  const foldedUntil = day ? new Date(day.getTime() + DAY_MS) : today
  await tx.update(serviceStates).set({ foldedUntil }).where(ofService)
  return foldedUntil < today
}

async function foldDay(tx: Tx, service: ServiceRef, day: Date): Promise<void> {
  const ofDay = (table: typeof runHours | typeof endpointHours | typeof assertionHours) =>
    and(matchesRow(table.serviceId, service), gte(table.hour, day), lt(table.hour, new Date(day.getTime() + DAY_MS)))
  const hours = await readHours(tx, 'runs', ofDay(runHours))
  const folded = await tx
    .select({ runs: runDays.runs, skipped: runDays.skipped })
    .from(runDays)
    .where(and(matchesRow(runDays.serviceId, service), eq(runDays.day, day)))
  // Hours that hold less than was folded from them are cleared: the day stays as it is.
  const countOf = (rows: typeof folded) => rows.reduce((sum, { runs, skipped }) => sum + runs + skipped, 0)
  if (countOf(hours) < countOf(folded)) return
  const runs = await addUpParts('runs', hours)
  const runsOfDay = runs.map(({ hour: _, ...row }) => ({ ...row, day, ...countByHour(hours, row.agentSlug) }))
  await putRows(tx, runDays, runsOfDay)
  const endpoints = await addUpParts('endpoints', await readHours(tx, 'endpoints', ofDay(endpointHours)))
  await putRows(
    tx,
    endpointDays,
    endpoints.map(({ hour: _, ...row }) => ({ ...row, day })),
  )
  const columns = sql`assertion_key, definition, evaluations, failures, last_failed_at`
  await tx.execute(sql`
    insert into ${assertionDays} (organization_id, service_id, day, ${columns})
    select organization_id, service_id, ${day.toISOString()}::timestamptz, assertion_key, (array_agg(definition))[1],
      sum(evaluations), sum(failures), max(last_failed_at)
    from ${assertionHours} where ${ofDay(assertionHours)} group by 1, 2, 3, 4
    on conflict (${keyOf(assertionDays)}) do update set ${setFrom('excluded', getTableColumns(assertionDays))}`)
}

/** Adds up the hours of each agent or endpoint. */
async function addUpParts<K extends TimedKind>(kind: K, hours: readonly HourRow[K][]): Promise<HourRow[K][]> {
  const sums: HourRow[K][] = []
  for (const own of Map.groupBy(hours, (row) => row[ROLLUPS[kind].partColumn as keyof HourRow[K]]).values()) {
    sums.push(addUp(own))
    if (shouldYield()) await yieldToEventLoop()
  }
  return sums
}

function countByHour(hours: readonly HourRow['runs'][], agentSlug: string) {
  const [runsByHour, failedByHour] = [new Array<number>(24).fill(0), new Array<number>(24).fill(0)]
  for (const { hour, runs, failure, timeout } of hours.filter((row) => row.agentSlug === agentSlug)) {
    runsByHour[hour.getUTCHours()] = runs
    failedByHour[hour.getUTCHours()] = failure + timeout
  }
  return { runsByHour, failedByHour }
}
