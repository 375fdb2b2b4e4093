import type { Db, Queryable, Tx } from '#db/client.ts'
import { asc, getTableColumns, sql } from '#db/drizzle.cjs'
import { matchesRows, servicesOf } from '#db/row-match.ts'
import { insertRows, rowsOf, setFrom } from '#db/rows.ts'
import { services } from '#db/schema/resources.ts'
import { results, serviceAgentStates, serviceStates, versionRuns } from '#db/schema/results.ts'
import { runs as runRows } from '#db/schema/runs.ts'
import type { FinishedRun } from './finished-run.ts'
import type { PreparedRun } from './prepared-run.ts'
import type { Rechecks } from './rechecks/rechecks.ts'
import type { AgentState, ServiceState } from './service-state.ts'

// The statements that store a batch of runs, except roll-ups, certificates, incidents and events.

/**
 * Locks the services whose variables a script writes, before their runs and in the order of their ids. A deletion locks in
 * the same order, so the two cannot deadlock.
 */
export async function lockServices(tx: Tx, runs: FinishedRun[]): Promise<void> {
  await tx
    .select({ id: services.id })
    .from(services)
    .where(matchesRows(services.id, servicesOf(runs)))
    .orderBy(asc(services.id))
    .for('key share')
}

/**
 * Marks the runs done whose attempt is still the current one, in the order of their ids, and returns them. That includes
 * runs whose lease expired, if no worker has claimed them again. An agent may send a run again while the first one waits,
 * so a batch can hold a run twice: the first one counts.
 */
export async function finishAttempts<T extends FinishedRun>(tx: Tx, runs: T[]): Promise<T[]> {
  const attempts = runs.map(({ organizationId, id, attempt }) => ({ organizationId, id, attempt }))
  const rows = await tx.execute<{ id: string; attempt: number }>(sql`
    update runs r set state = 'done', finished_at = now(), lease_until = null
    from (select * from ${rowsOf(runRows, attempts)} order by id offset 0) i
    where r.organization_id = i.organization_id and r.id = i.id and r.attempt = i.attempt
      and r.state in ('running', 'queued')
    returning r.id, r.attempt`)
  const attemptOf = new Map(rows.map(({ id, attempt }) => [id, attempt]))
  return runs.filter((run) => attemptOf.get(run.id) === run.attempt && attemptOf.delete(run.id))
}

/** Returns the ids of the runs whose results are stored: a commit may succeed although its response is lost. */
export async function findStored(db: Db, finished: FinishedRun[]): Promise<Set<string>> {
  const stored = await db.execute<{ id: string }>(sql`
    select id from results join ${rowsOf(results, finished.map(toRow))} using (organization_id, service_id, started_at, id)`)
  const ids = new Set(stored.map((row) => row.id))
  return new Set(finished.filter(({ result }) => ids.has(result.id)).map((run) => run.id))
}

/** The steps are part of the result's row: 28 % less write-ahead log than a row per step. */
export async function insertResults(db: Queryable, runs: PreparedRun[], rechecks: Rechecks): Promise<void> {
  await insertRows(
    db,
    results,
    runs.map((run) => ({
      ...run.result,
      ...toRow(run),
      agentId: run.agentId,
      agentSlug: run.agentSlug,
      summary: run.failure?.summary ?? run.result.skipReason ?? null,
      runId: run.run?.id ?? null,
      cause: run.run?.cause ?? null,
      isUncounted:
        run.run?.hasValues ||
        run.duringMaintenance ||
        rechecks.asked.has(run.id) ||
        rechecks.unchecked.has(run.id) ||
        null,
      duringMaintenance: run.duringMaintenance ?? null,
      recheckOf: rechecks.first.get(run.id)?.id ?? null,
    })),
  )
}

function toRow({ organizationId, serviceId, result }: FinishedRun) {
  return { organizationId, serviceId, startedAt: result.startedAt, id: result.id }
}

const {
  organizationId: _,
  serviceId: __,
  lastFailure: ___,
  foldedUntil: ____,
  ...STATE
} = getTableColumns(serviceStates)

export async function updateStates(tx: Tx, states: ServiceState[]): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(({ newFailure, ...state }) => ({ ...state, lastFailure: newFailure }))
  await tx.execute(sql`
    update service_states s set ${setFrom('i', STATE)}, last_failure = coalesce(i.last_failure, s.last_failure)
    from ${rowsOf(serviceStates, rows)} where s.organization_id = i.organization_id and s.service_id = i.service_id`)
}

/** Stores what the agents saw last, which is also the result that their next run reads as `prev`. */
export async function storeAgentStates(tx: Tx, states: AgentState[]): Promise<void> {
  const { organizationId, serviceId, agentId, ...seen } = getTableColumns(serviceAgentStates)
  await insertRows(
    tx,
    serviceAgentStates,
    states,
    sql`
    on conflict (organization_id, service_id, agent_id) do update set ${setFrom('excluded', seen)}`,
  )
}

/** Counts the runs of each version of a script. The states of the services are locked. */
export async function addVersionRuns(tx: Tx, runs: FinishedRun[]): Promise<void> {
  const counted = runs.flatMap((run) => {
    const { scriptVersion, status } = run.result
    return scriptVersion === undefined ? [] : { ...toRow(run), scriptVersion, status }
  })
  if (counted.length === 0) return
  await tx.execute(sql`
    insert into ${versionRuns} as v (organization_id, service_id, version, first_run_at, last_run_at, runs, failed)
    select organization_id, service_id, script_version, min(started_at), max(started_at), count(*),
      count(*) filter (where status <> 'success')
    from ${rowsOf(results, counted)} group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, service_id, version) do update set
      first_run_at = least(v.first_run_at, excluded.first_run_at),
      last_run_at = greatest(v.last_run_at, excluded.last_run_at),
      runs = v.runs + excluded.runs, failed = v.failed + excluded.failed`)
}
