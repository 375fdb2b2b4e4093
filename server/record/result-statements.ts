import { asc, type SQL, sql } from 'drizzle-orm'
import { anyOf, uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { agentStates, serviceStates } from '#db/schema/results.ts'
import { toAlertSettings } from '../alerts/settings.ts'
import { failureOf } from '../results/failure.ts'
import type { ProbeMode } from '../schedule/placement.ts'
import { SYSTEM_VARIABLES } from '../schemas/alerts/system-variables.ts'
import { type Columns, unnested } from './columns.ts'
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
  const ids = runs.map((run) => run.serviceId)
  await tx
    .select({ id: services.id })
    .from(services)
    .where(anyOf(services.id, ids))
    .orderBy(asc(services.id))
    .for('key share')
}

/**
 * Marks the runs done whose attempt is still the current one, and returns them. That includes runs whose lease expired,
 * if no worker has claimed them again. Locks in the order of ids, in a statement of its own, because the planner joins a
 * locking query by reading the whole table: 2 ms together. An agent may send a run again while the first one waits, so a
 * batch can hold a run twice: the first one counts.
 */
export async function finishAttempts(tx: Tx, runs: FinishedRun[]): Promise<FinishedRun[]> {
  const isCurrent = sql`r.organization_id = i.organization_id and r.id = i.id and r.attempt = i.attempt
    and r.state in ('running', 'queued')`
  const [, rows] = await Promise.all([
    tx.execute(sql`
      select from runs r join ${unnested(runs, ATTEMPT)} on ${isCurrent} order by r.id for update of r`),
    tx.execute<{ id: string; attempt: number }>(sql`
      update runs r set state = 'done', finished_at = now(), lease_until = null
      from ${unnested(runs, ATTEMPT)} where ${isCurrent} returning r.id, r.attempt`),
  ])
  const attemptOf = new Map(rows.map(({ id, attempt }) => [id, attempt]))
  return runs.filter((run) => attemptOf.get(run.id) === run.attempt && attemptOf.delete(run.id))
}

const ATTEMPT: Columns<FinishedRun> = {
  organization_id: ['uuid', (run) => run.organizationId],
  id: 'uuid',
  attempt: 'int',
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

/** What runs are judged by: the states of their services, settings by service, and agents' states by service and agent. */
export type JudgingFacts = {
  states: Map<string, ServiceState>
  settings: Map<string, AlertSettings>
  agents: Map<string, Map<string, AgentState>>
}

/**
 * Locks the states of the services for the transaction, so that runs of one service are stored one after another, and
 * reads what is stored beside them: 3 ms in one round trip. The statements behind the lock see what its former holder
 * stored. A service that has not run yet has no state.
 */
export async function lockFacts(tx: Tx, runs: FinishedRun[]): Promise<JudgingFacts> {
  if (runs.length === 0) return { states: new Map(), settings: new Map(), agents: new Map() }
  const ids = [...new Set(runs.map((run) => run.serviceId))].sort()
  const [states, settings, agents] = await Promise.all([
    lockStates(tx, ids),
    readJudgeSettings(tx, ids),
    readAgentStates(tx, ids),
  ])
  return { states: new Map(states.map((state) => [state.serviceId, state])), settings, agents }
}

function lockStates(tx: Tx, serviceIds: string[]): Promise<ServiceState[]> {
  return tx
    .select()
    .from(serviceStates)
    .where(anyOf(serviceStates.serviceId, serviceIds))
    .orderBy(asc(serviceStates.serviceId))
    .for('update')
}

/** Inserts the states of services that have not run yet. */
export async function insertStates(tx: Tx, runs: FinishedRun[]): Promise<void> {
  const byService = new Map(runs.map((run) => [run.serviceId, run]))
  const missing = [...byService.keys()].sort().map((id) => initialState(byService.get(id) as FinishedRun))
  await tx.insert(serviceStates).values(missing).onConflictDoNothing()
}

/**
 * Returns how the runs of each service are judged, by its id: its probe mode and system variables. Most variables have
 * their initial value, and are left out: 0.2 ms.
 */
async function readJudgeSettings(tx: Tx, serviceIds: string[]): Promise<Map<string, AlertSettings>> {
  const rows = await tx.execute<{ id: string; mode: ProbeMode; key: string | null; value: string | null }>(sql`
    select s.id, s.probe_mode as mode, v.key, v.value from services s
    left join variables v on v.organization_id = s.organization_id and v.service_id = s.id
      and v.system_type is not null and v.key || ' ' || v.value <> all(${INITIAL_VALUES}::text[])
    where s.id = any(${uuids(serviceIds)})`)
  const byService = Map.groupBy(rows, (row) => row.id)
  return new Map(
    serviceIds.map((id) => {
      const own = byService.get(id) ?? []
      return [id, { probeMode: own[0]?.mode ?? 'consecutive', ...toAlertSettings(own) }]
    }),
  )
}

const INITIAL_VALUES = `{${Object.entries(SYSTEM_VARIABLES)
  .map(([key, { initial }]) => `"${key} ${initial}"`)
  .join(',')}}`

/** Returns what each agent of the services saw last, by service and agent. The states of the services are locked: 1 ms. */
async function readAgentStates(tx: Tx, serviceIds: string[]): Promise<Map<string, Map<string, AgentState>>> {
  const rows = await tx.select().from(agentStates).where(anyOf(agentStates.serviceId, serviceIds))
  const byService = new Map<string, Map<string, AgentState>>(serviceIds.map((id) => [id, new Map()]))
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

/** Updates the states: 2 ms. No indexed column changes, so 96 % of the updates write no index entry (HOT). */
export function updateStates(states: readonly ServiceState[], before: ReadonlyMap<string, ServiceState>): SQL {
  const columns: Columns<ServiceState> = {
    service_id: ['uuid', (state) => state.serviceId],
    last_status: ['text', (state) => state.lastStatus],
    last_status_since: ['timestamptz', (state) => state.lastStatusSince],
    last_consecutive: ['int', (state) => state.lastConsecutive],
    last_response_ms: ['int', (state) => state.lastResponseMs],
    slot_ms: ['int', (state) => state.meanRunMs],
    last_run_at: ['timestamptz', (state) => state.lastRunAt],
    last_result_id: ['uuid', (state) => state.lastResultId],
    // Kept by the runs after it, so it is sent only when it is new.
    last_failure: ['jsonb', ({ serviceId, lastFailure }) => isNew(lastFailure, before.get(serviceId)?.lastFailure)],
    degradation: ['jsonb', (state) => state.degradation],
    failing_runs: ['int', (state) => state.failingRuns],
    failing_since: ['timestamptz', (state) => state.failingSince],
    last_passing_result_id: ['uuid', (state) => state.lastPassingResultId],
    is_alerting: ['boolean', (state) => state.isAlerting],
    probes_total: ['bigint', (state) => state.probesTotal],
    probes_success: ['bigint', (state) => state.probesSuccess],
    probes_failure: ['bigint', (state) => state.probesFailure],
    probes_timeout: ['bigint', (state) => state.probesTimeout],
  }
  return sql`
    update service_states s set last_status = i.last_status, last_status_since = i.last_status_since,
      last_consecutive = i.last_consecutive, last_response_ms = i.last_response_ms, slot_ms = i.slot_ms,
      last_run_at = i.last_run_at, last_result_id = i.last_result_id,
      last_failure = coalesce(i.last_failure, s.last_failure), degradation = i.degradation,
      failing_runs = i.failing_runs, failing_since = i.failing_since,
      last_passing_result_id = i.last_passing_result_id, is_alerting = i.is_alerting,
      probes_total = i.probes_total, probes_success = i.probes_success, probes_failure = i.probes_failure,
      probes_timeout = i.probes_timeout
    from ${unnested(states, columns)} where s.service_id = i.service_id`
}

function isNew<T>(value: T, before: T): T | null {
  return value === before ? null : value
}

/**
 * Stores what the agents saw last, which is also the result that their next run reads as `prev`: 1 ms. The states of the
 * services are locked, so a state that was read is still there.
 */
export function updateAgentStates(states: readonly AgentState[]): SQL {
  return sql`
    insert into previous_results (service_id, agent_id, organization_id, started_at, result_id, agent_slug, status,
      status_since, failing_runs, failing_since, is_failed, service_runs, summary)
    select i.service_id, i.agent_id, i.organization_id, i.started_at, i.result_id, i.agent_slug, i.status,
      i.status_since, i.failing_runs, i.failing_since, i.is_failed, i.service_runs, i.summary
    from ${unnested(states, AGENT_STATE)}
    order by 1, 2
    on conflict (service_id, agent_id) do update set started_at = excluded.started_at, result_id = excluded.result_id,
      agent_slug = excluded.agent_slug, status = excluded.status, status_since = excluded.status_since,
      failing_runs = excluded.failing_runs, failing_since = excluded.failing_since, is_failed = excluded.is_failed,
      service_runs = excluded.service_runs, summary = excluded.summary`
}

const AGENT_STATE: Columns<AgentState> = {
  service_id: ['uuid', (state) => state.serviceId],
  agent_id: ['uuid', (state) => state.agentId],
  organization_id: ['uuid', (state) => state.organizationId],
  started_at: ['timestamptz', (state) => state.startedAt],
  result_id: ['uuid', (state) => state.resultId],
  agent_slug: ['text', (state) => state.agentSlug],
  status: ['text', (state) => state.status],
  status_since: ['timestamptz', (state) => state.statusSince],
  failing_runs: ['int', (state) => state.failingRuns],
  failing_since: ['timestamptz', (state) => state.failingSince],
  is_failed: ['boolean', (state) => state.isFailed],
  service_runs: ['bigint', (state) => state.serviceRuns],
  summary: ['text', (state) => state.summary],
}
