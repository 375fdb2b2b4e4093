import { and, asc, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { matchesRow, matchesRows, type RowKey, servicesOf } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { agentStates, serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { toAlertSettings } from '../alerts/settings.ts'
import { failureOf } from '../results/failure.ts'
import { fromCurrentAttempts } from './current-attempts.ts'
import type { FinishedRun } from './finished-run.ts'
import { type AgentState, type AlertSettings, initialState, type ServiceState } from './service-state.ts'

// The statements that store a batch of runs, except the roll-ups. Rows are sent as one JSON parameter: the text
// of a statement is then the same for any number of runs, and stays prepared. Times are medians on two shared cores for
// 100 runs of three calls with an assertion each, of 100 services. Four writers store 4,100 runs/s.

/**
 * Locks the services whose variables a script writes, before their runs and in the order of their ids: 0.6 ms. A
 * deletion locks in the same order, so the two cannot deadlock.
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
 * Marks the runs done whose attempt is still the current one, and returns them. That includes runs whose lease expired,
 * if no worker has claimed them again. Locks in the order of ids: 3 ms. An agent may send a run again while the first
 * one waits, so a batch can hold a run twice: the first one counts.
 */
export async function finishAttempts(tx: Tx, runs: FinishedRun[]): Promise<FinishedRun[]> {
  const rows = await tx.execute<{ id: string; attempt: number }>(sql`
    with current as (
      select r.organization_id, r.id ${fromCurrentAttempts(runs, ['running', 'queued'])} order by r.id for update of r)
    update runs r set state = 'done', finished_at = now(), lease_until = null
    from current where (r.organization_id, r.id) = (current.organization_id, current.id) returning r.id, r.attempt`)
  return rows.flatMap(({ id, attempt }) => runs.find((run) => run.id === id && run.attempt === attempt) ?? [])
}

/** Returns the ids of the runs whose results are stored: a commit may succeed although its response is lost. 8 ms. */
export async function findStored(db: Db, finished: FinishedRun[]): Promise<Set<string>> {
  const rows = finished.map(({ organizationId, serviceId, result }) => ({
    ...{ organization_id: organizationId, service_id: serviceId },
    ...{ started_at: result.startedAt, id: result.id },
  }))
  const stored = await db.execute<{ id: string }>(sql`
    select r.id from results r
    join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as i(organization_id uuid, service_id uuid, started_at timestamptz, id uuid)
      using (organization_id, service_id, started_at, id)`)
  const ids = new Set(stored.map((row) => row.id))
  return new Set(finished.filter(({ result }) => ids.has(result.id)).map((run) => run.id))
}

/** Locks the states of the services for the transaction: runs of one service are stored one after another. 6 ms. */
export async function lockStates(tx: Tx, runs: FinishedRun[]): Promise<ServiceState[]> {
  const byService = new Map(runs.map((run) => [run.serviceId, run]))
  const ids = [...byService.keys()].sort()
  const lock = () =>
    tx
      .select()
      .from(serviceStates)
      .where(matchesRows(serviceStates.serviceId, servicesOf(runs)))
      .orderBy(asc(serviceStates.serviceId))
      .for('update')
  const states = await lock()
  if (states.length === ids.length) return states
  const missing = ids.map((id) => initialState(byService.get(id) as FinishedRun))
  await tx.insert(serviceStates).values(missing).onConflictDoNothing()
  return lock()
}

/** Returns how the runs of each service are judged, by its id: its probe mode and system variables. 1 ms. */
export async function readJudgeSettings(
  tx: Tx,
  judged: readonly RowKey<string>[],
): Promise<Map<string, AlertSettings>> {
  const rows = await tx
    .select({ serviceId: services.id, probeMode: services.probeMode, key: variables.key, value: variables.value })
    .from(services)
    .leftJoin(variables, and(matchesRow(variables.serviceId, services), isNotNull(variables.systemType)))
    .where(matchesRows(services.id, judged))
  const byService = Map.groupBy(rows, (row) => row.serviceId)
  return new Map(
    judged.map(({ id }) => {
      const own = byService.get(id) ?? []
      return [id, { probeMode: own[0]?.probeMode ?? 'consecutive', ...toAlertSettings(own) }]
    }),
  )
}

/** Returns what each agent of the services saw last, by service and agent. The states of the services are locked: 1 ms. */
export async function readAgentStates(
  tx: Tx,
  judged: readonly RowKey<string>[],
): Promise<Map<string, Map<string, AgentState>>> {
  const rows = await tx.select().from(agentStates).where(matchesRows(agentStates.serviceId, judged))
  const byService = new Map<string, Map<string, AgentState>>(judged.map(({ id }) => [id, new Map()]))
  for (const row of rows) byService.get(row.serviceId)?.set(row.agentId, row)
  return byService
}

/** Inserts results: 40 ms. The steps are part of the result's row: 28 % less write-ahead log than a row per step. */
export function insertResults(runs: FinishedRun[]): SQL {
  const rows = runs.map(({ run, organizationId, serviceId, agentId, agentSlug, result }) => ({
    organization_id: organizationId,
    service_id: serviceId,
    started_at: result.startedAt,
    id: result.id,
    agent_id: agentId,
    agent_slug: agentSlug,
    status: result.status,
    run_duration_ms: result.runDurationMs,
    total_response_ms: result.totalResponseMs,
    call_count: result.callCount,
    failed_calls: result.failedCalls,
    summary: failureOf(result)?.summary ?? null,
    raw: result.raw,
    steps: result.steps,
    script_version: result.scriptVersion ?? null,
    run_id: run?.id ?? null,
    cause: run?.cause ?? null,
    is_apart: run?.isApart || null,
  }))
  return sql`insert into results select * from jsonb_populate_recordset(null::results, ${JSON.stringify(rows)}::jsonb)`
}

/** Counts the runs of each version of a script. Null if no run has a version. */
export function addVersionRuns(runs: FinishedRun[]): SQL | null {
  const versioned = runs.filter(({ result }) => result.scriptVersion !== undefined)
  if (versioned.length === 0) return null
  const byVersion = Map.groupBy(versioned, ({ serviceId, result }) => `${serviceId} ${result.scriptVersion}`)
  const rows = [...byVersion.values()].map((own) => {
    const [{ organizationId, serviceId, result }] = own as [FinishedRun]
    const starts = own.map((run) => run.result.startedAt.getTime())
    return {
      organization_id: organizationId,
      service_id: serviceId,
      version: result.scriptVersion,
      first_run_at: new Date(Math.min(...starts)),
      last_run_at: new Date(Math.max(...starts)),
      runs: own.length,
      failed: own.filter((run) => run.result.status !== 'success').length,
    }
  })
  return sql`
    insert into version_runs as v (organization_id, service_id, version, first_run_at, last_run_at, runs, failed)
    select i.organization_id, i.service_id, i.version, i.first_run_at, i.last_run_at, i.runs, i.failed
    from jsonb_populate_recordset(null::version_runs, ${JSON.stringify(rows)}::jsonb) i
    order by 1, 2, 3
    on conflict (organization_id, service_id, version) do update set
      first_run_at = least(v.first_run_at, excluded.first_run_at),
      last_run_at = greatest(v.last_run_at, excluded.last_run_at),
      runs = v.runs + excluded.runs, failed = v.failed + excluded.failed`
}

/** Updates the states: 4 ms. No indexed column changes, so 96 % of the updates write no index entry (HOT). */
export function updateStates(states: ServiceState[]): SQL {
  const rows = states.map((state) => ({
    organization_id: state.organizationId,
    service_id: state.serviceId,
    last_status: state.lastStatus,
    last_status_since: state.lastStatusSince,
    last_consecutive: state.lastConsecutive,
    last_response_ms: state.lastResponseMs,
    slot_ms: state.meanRunMs,
    last_run_at: state.lastRunAt,
    last_result_id: state.lastResultId,
    last_failure: state.lastFailure,
    degradation: state.degradation,
    failing_runs: state.failingRuns,
    failing_since: state.failingSince,
    last_passing_result_id: state.lastPassingResultId,
    is_alerting: state.isAlerting,
    probes_total: state.probesTotal,
    probes_success: state.probesSuccess,
    probes_failure: state.probesFailure,
    probes_timeout: state.probesTimeout,
  }))
  return sql`
    update service_states s set last_status = i.last_status, last_status_since = i.last_status_since,
      last_consecutive = i.last_consecutive, last_response_ms = i.last_response_ms, slot_ms = i.slot_ms,
      last_run_at = i.last_run_at, last_result_id = i.last_result_id, last_failure = i.last_failure,
      degradation = i.degradation, failing_runs = i.failing_runs, failing_since = i.failing_since,
      last_passing_result_id = i.last_passing_result_id, is_alerting = i.is_alerting,
      probes_total = i.probes_total, probes_success = i.probes_success, probes_failure = i.probes_failure,
      probes_timeout = i.probes_timeout
    from jsonb_populate_recordset(null::service_states, ${JSON.stringify(rows)}::jsonb) i
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`
}

/** Stores what the agents saw last, which is also the result that their next run reads as `prev`: 4 ms. */
export function updateAgentStates(states: AgentState[]): SQL {
  const rows = states.map((state) => ({
    service_id: state.serviceId,
    agent_id: state.agentId,
    organization_id: state.organizationId,
    started_at: state.startedAt,
    result_id: state.resultId,
    agent_slug: state.agentSlug,
    status: state.status,
    status_since: state.statusSince,
    failing_runs: state.failingRuns,
    failing_since: state.failingSince,
    is_failed: state.isFailed,
    service_runs: state.serviceRuns,
    summary: state.summary,
  }))
  return sql`
    insert into previous_results (service_id, agent_id, organization_id, started_at, result_id, agent_slug, status,
      status_since, failing_runs, failing_since, is_failed, service_runs, summary)
    select i.service_id, i.agent_id, i.organization_id, i.started_at, i.result_id, i.agent_slug, i.status,
      i.status_since, i.failing_runs, i.failing_since, i.is_failed, i.service_runs, i.summary
    from jsonb_populate_recordset(null::previous_results, ${JSON.stringify(rows)}::jsonb) i
    order by 1, 2
    on conflict (organization_id, service_id, agent_id) do update set started_at = excluded.started_at, result_id = excluded.result_id,
      agent_slug = excluded.agent_slug, status = excluded.status, status_since = excluded.status_since,
      failing_runs = excluded.failing_runs, failing_since = excluded.failing_since, is_failed = excluded.is_failed,
      service_runs = excluded.service_runs, summary = excluded.summary`
}
