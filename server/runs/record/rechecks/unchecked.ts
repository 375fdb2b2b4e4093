import type { Tx } from '#db/client.ts'
import { and, eq, getTableColumns, isNotNull, sql } from '#db/drizzle.cjs'
import { matchesRow, matchesRows } from '#db/row-match.ts'
import { rowsOf } from '#db/rows.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs as runRows } from '#db/schema/runs.ts'
import {
  FAILED_ASSERTIONS_MAX,
  failedAssertionsOf,
  failedChecksSummary,
  failureOf,
} from '../../../results/results/failure.ts'
import { timestampOfId } from '../../../results/results/ids.ts'
import type { PreparedRun } from '../prepared-run.ts'

// A failed run whose recheck never ran: its stored result counts for the slot after all.

/** A recheck, and the failed result that it was to look at again. */
export type RecheckRef = { organizationId: string; serviceId: string; recheckOf: string | null }

/** Returns the first results of the rechecks among the runs that were skipped, by the id of the recheck's row. */
export async function readUnchecked(tx: Tx, runs: PreparedRun[]): Promise<ReadonlyMap<string, PreparedRun>> {
  const skipped = runs.filter(({ run, result }) => run?.cause === 'confirmation' && result.status === 'skipped')
  if (skipped.length === 0) return new Map()
  const { id, organizationId, serviceId, recheckOf } = runRows
  const rechecks = await tx
    .select({ id, organizationId, serviceId, recheckOf })
    .from(runRows)
    .where(and(matchesRows(id, skipped), isNotNull(recheckOf)))
  const firsts = new Map((await readFirsts(tx, rechecks)).map((first) => [first.result.id, first]))
  return new Map(
    rechecks.flatMap((row): [string, PreparedRun][] => {
      const first = firsts.get(row.recheckOf ?? '')
      return first ? [[row.id, first]] : []
    }),
  )
}

/** Reads the first results of rechecks, in the order of their starts. A service that is off has none. */
export async function readFirsts(tx: Tx, rechecks: readonly RecheckRef[]): Promise<PreparedRun[]> {
  const keys = rechecks.flatMap(({ organizationId, serviceId, recheckOf: id }) => {
    const startedAt = id && timestampOfId(id)
    return startedAt ? [{ organizationId, serviceId, startedAt, id }] : []
  })
  if (keys.length === 0) return []
  const { organizationId, serviceId, startedAt, id } = results
  const rows = await tx
    .select(getTableColumns(results))
    .from(results)
    .innerJoin(services, matchesRow(services.id, { organizationId, id: serviceId }))
    .where(
      and(
        services.isActive,
        eq(results.isUncounted, true),
        sql`${results.duringMaintenance} is not true`,
        sql`(${organizationId}, ${serviceId}, ${startedAt}, ${id}) in (
          select organization_id, service_id, started_at, id from ${rowsOf(results, keys)})`,
      ),
    )
    .orderBy(startedAt)
  return rows.map(toRun)
}

/** The definitions of assertions are not stored with a result, so the statistics of assertions lack it. */
function toRun(row: typeof results.$inferSelect): PreparedRun {
  const { organizationId, serviceId, agentId, agentSlug, scriptVersion, steps } = row
  const id = row.runId ?? row.id
  const failedAssertions = failedAssertionsOf(steps)
  return {
    ...{ id, attempt: 0, organizationId, serviceId, agentId, agentSlug },
    run: { id, cause: row.cause ?? 'schedule', hasValues: false },
    result: {
      ...{ id: row.id, startedAt: row.startedAt, status: row.status, runDurationMs: row.runDurationMs },
      ...{ totalResponseMs: row.totalResponseMs, callCount: row.callCount, failedCalls: row.failedCalls },
      ...{ raw: row.raw, steps },
      ...(scriptVersion !== null && { scriptVersion }),
    },
    isTimed: steps.some(({ responseTimeMs }) => responseTimeMs !== null),
    assertions: [],
    failedAssertions: failedAssertions.slice(0, FAILED_ASSERTIONS_MAX),
    failedAssertionCount: failedAssertions.length,
    writeBacks: [],
    failure: failureOf(row),
    failedChecks: failedChecksSummary(row),
    isStored: true,
  }
}

/** Makes results count that did not. */
export async function markCounted(tx: Tx, firsts: readonly PreparedRun[]): Promise<void> {
  if (firsts.length === 0) return
  const keys = firsts.map(({ organizationId, serviceId, result }) => {
    return { organizationId, serviceId, startedAt: result.startedAt, id: result.id }
  })
  await tx.execute(sql`
    update results r set is_uncounted = null from ${rowsOf(results, keys)}
    where (r.organization_id, r.service_id) = (i.organization_id, i.service_id)
      and r.started_at = i.started_at and r.id = i.id`)
}
