import type { Tx } from '#db/client.ts'
import { and, gt, sql } from '#db/drizzle.cjs'
import { matchesRows, servicesOf } from '#db/row-match.ts'
import { rowsOf } from '#db/rows.ts'
import { assertionHours, serviceStates } from '#db/schema/results.ts'
import { ROLLUPS, type TimedKind } from '../../../results/statistics/rollups.ts'
import { bucketStart } from '../../../results/statistics/windows.ts'
import type { FinishedRun } from '../finished-run.ts'
import { endpointKey } from './keys.ts'
import { addUp, type HourRow, keyOf, putRows, readHours } from './rows.ts'

/**
 * Adds runs to the roll-ups of their hours. The caller holds the locks on the states of their services, so no other
 * transaction writes these rows. A day that is folded already is folded again by upkeep.
 */
export async function addToHours(tx: Tx, runs: readonly FinishedRun[]): Promise<void> {
  await Promise.all([
    addRows(tx, 'runs', runs.map(runRow)),
    addRows(tx, 'endpoints', runs.flatMap(endpointRows)),
    addAssertions(tx, runs.flatMap(assertionRows)),
    unfold(tx, runs),
  ])
}

async function addRows<K extends TimedKind>(tx: Tx, kind: K, rows: readonly HourRow[K][]): Promise<void> {
  if (rows.length === 0) return
  const { hours, partColumn } = ROLLUPS[kind]
  const partOf = (row: HourRow[K]) => row[partColumn as keyof HourRow[K]]
  const groupOf = (row: HourRow[K]) => `${row.serviceId} ${row.hour.getTime()} ${partOf(row)}`
  const groups = Map.groupBy(rows, groupOf)
  const keys = rows.map((row) => {
    const { organizationId, serviceId, hour } = row
    return { organizationId, serviceId, hour, [partColumn]: partOf(row) }
  })
  const isSame = sql`(${keyOf(hours)}) in (select ${keyOf(hours)} from ${rowsOf(hours, keys)})`
  for (const stored of await readHours(tx, kind, isSame)) groups.get(groupOf(stored))?.unshift(stored)
  await putRows(tx, hours, [...groups.values()].map(addUp))
}

/** Definitions with one key differ at most in values that no key contains: as in a fold, any of them stays. */
async function addAssertions(tx: Tx, rows: readonly (typeof assertionHours.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into ${assertionHours} as h (${keyOf(assertionHours)}, definition, evaluations, failures, last_failed_at)
    select ${keyOf(assertionHours)}, (array_agg(definition))[1], sum(evaluations), sum(failures), max(last_failed_at)
    from ${rowsOf(assertionHours, rows)} group by ${keyOf(assertionHours)}
    on conflict (${keyOf(assertionHours)}) do update set evaluations = h.evaluations + excluded.evaluations,
      failures = h.failures + excluded.failures, last_failed_at = greatest(h.last_failed_at, excluded.last_failed_at)`)
}

async function unfold(tx: Tx, runs: readonly FinishedRun[]): Promise<void> {
  for (const [day, own] of Map.groupBy(runs, ({ result }) => bucketStart(result.startedAt, 'day').getTime())) {
    const isFolded = gt(serviceStates.foldedUntil, new Date(day))
    await tx
      .update(serviceStates)
      .set({ foldedUntil: new Date(day) })
      .where(and(matchesRows(serviceStates.serviceId, servicesOf(own)), isFolded))
  }
}

function ownerOf({ organizationId, serviceId, result }: FinishedRun) {
  return { organizationId, serviceId, hour: bucketStart(result.startedAt, 'hour') }
}

function runRow(run: FinishedRun): HourRow['runs'] {
  const { status, totalResponseMs, callCount } = run.result
  const isPerformed = status !== 'skipped'
  return {
    ...ownerOf(run),
    agentSlug: run.agentSlug,
    runs: Number(isPerformed),
    ...{ success: 0, failure: 0, timeout: 0, skipped: 0, [status]: 1 },
    sumMs: isPerformed ? totalResponseMs : 0,
    callCount: isPerformed ? callCount : 0,
    ms: isPerformed && run.isTimed ? [totalResponseMs] : null,
    bins: null,
  }
}

function endpointRows(run: FinishedRun): HourRow['endpoints'][] {
  const called = run.result.steps.filter((step) => step.outcome !== 'skipped')
  return called.map((step) => {
    const { method, template, responseTimeMs } = step
    const isTimed = responseTimeMs !== null
    const sum = (value: number | null) => (isTimed ? (value ?? 0) : 0)
    return {
      ...ownerOf(run),
      endpointKey: endpointKey(method, template),
      ...{ method, template },
      calls: 1,
      failedCalls: Number(step.outcome !== 'success'),
      statusCounts: { [step.statusCode ?? 'none']: 1 },
      timed: Number(isTimed),
      dnsMs: sum(step.dnsMs),
      connectMs: sum(step.connectMs),
      tlsMs: sum(step.tlsMs),
      ttfbMs: sum(step.ttfbMs),
      transferMs: sum(step.transferMs),
      responseMs: sum(responseTimeMs),
      sizeBytes: sum(step.responseSizeBytes),
      ms: isTimed ? [responseTimeMs] : null,
      bins: null,
    }
  })
}

function assertionRows(run: FinishedRun): (typeof assertionHours.$inferInsert)[] {
  return run.assertions.map(({ key, definition, failed }) => ({
    ...ownerOf(run),
    assertionKey: key,
    definition,
    evaluations: 1,
    failures: Number(failed),
    lastFailedAt: failed ? run.result.startedAt : null,
  }))
}
