import { sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { type RowKey, servicesOf } from '#db/row-match.ts'
import { type Columns, rowsStatement, servicesStatement } from '#db/rows-statement.ts'
import { serviceStates } from '#db/schema/results.ts'
import { toAlertSettings } from '../alerts/alert-settings.ts'
import type { ProbeMode } from '../schedule/placement.ts'
import { SYSTEM_VARIABLES } from '../schemas/alerts/system-variables.ts'
import type { FinishedRun } from './finished-run.ts'
import { type AgentState, type AlertSettings, initialState, type ServiceState } from './service-state.ts'

// The statements that read what a batch of runs is judged by, and that store the states of services and of their agents.
// Times are CPU of the database for 100 services.

/** What runs are judged by: the states of their services, settings by service, and agents' states by service and agent. */
export type JudgingFacts = {
  states: Map<string, ServiceState>
  settings: Map<string, AlertSettings>
  agents: Map<string, Map<string, AgentState>>
}

/**
 * Locks the states of the services for the transaction, so that runs of one service are stored one after another, and
 * reads what is stored beside them: 3 ms. The lock is awaited, because statements of one call may be sent in another order,
 * and would not see what the lock's former holder stored. A service that has not run yet has no state.
 */
export async function lockFacts(tx: Tx, runs: FinishedRun[]): Promise<JudgingFacts> {
  if (runs.length === 0) return { states: new Map(), settings: new Map(), agents: new Map() }
  const judged = servicesOf(runs)
  const states = await lockStates(tx, judged)
  const [settings, agents] = await Promise.all([readJudgeSettings(tx, judged), readAgentStates(tx, judged)])
  return { states: new Map(states.map((state) => [state.serviceId, state])), settings, agents }
}

async function lockStates(tx: Tx, judged: readonly RowKey<string>[]): Promise<ServiceState[]> {
  const rows = await selectStates(tx, judged)
  return rows.map((row) => ({
    serviceId: row.service_id,
    organizationId: row.organization_id,
    lastStatus: row.last_status,
    lastStatusSince: dateOrNull(row.last_status_since),
    lastConsecutive: row.last_consecutive,
    lastResponseMs: row.last_response_ms,
    meanRunMs: row.mean_run_ms,
    lastRunAt: dateOrNull(row.last_run_at),
    lastResultId: row.last_result_id,
    newFailure: null,
    degradation: row.degradation,
    failingRuns: row.failing_runs,
    failingSince: dateOrNull(row.failing_since),
    lastPassingResultId: row.last_passing_result_id,
    isAlerting: row.is_alerting,
    probesTotal: row.probes_total,
    probesSuccess: row.probes_success,
    probesFailure: row.probes_failure,
    probesTimeout: row.probes_timeout,
    foldedUntil: new Date(row.folded_until),
  }))
}

type StateRow = {
  service_id: string
  organization_id: string
  last_status: ServiceState['lastStatus']
  last_status_since: string | null
  last_consecutive: number
  last_response_ms: number | null
  mean_run_ms: number
  last_run_at: string | null
  last_result_id: string | null
  degradation: ServiceState['degradation']
  failing_runs: number
  failing_since: string | null
  last_passing_result_id: string | null
  is_alerting: boolean
  probes_total: number
  probes_success: number
  probes_failure: number
  probes_timeout: number
  folded_until: string
}

const selectStates = servicesStatement<StateRow>(
  (organizationIds, ids) => sql`
    select service_id, organization_id, last_status, last_status_since, last_consecutive, last_response_ms, mean_run_ms,
      last_run_at, last_result_id, degradation, failing_runs, failing_since, last_passing_result_id, is_alerting,
      probes_total::float8, probes_success::float8, probes_failure::float8, probes_timeout::float8, folded_until
    from service_states
    where organization_id = any(${organizationIds}) and service_id = any(${ids})
    order by service_id for update`,
)

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text)
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
async function readJudgeSettings(tx: Tx, judged: readonly RowKey<string>[]): Promise<Map<string, AlertSettings>> {
  const byService = Map.groupBy(await selectSettings(tx, judged), (row) => row.id)
  return new Map(
    judged.map(({ id }) => {
      const own = byService.get(id) ?? []
      return [id, { probeMode: own[0]?.mode ?? 'consecutive', ...toAlertSettings(own) }]
    }),
  )
}

const INITIAL_VALUES = `{${Object.entries(SYSTEM_VARIABLES)
  .map(([key, { initial }]) => `"${key} ${initial}"`)
  .join(',')}}`

const selectSettings = servicesStatement<{ id: string; mode: ProbeMode; key: string | null; value: string | null }>(
  (organizationIds, ids) => sql`
    select s.id, s.probe_mode as mode, v.key, v.value from services s
    left join variables v on v.organization_id = s.organization_id and v.service_id = s.id
      and v.system_type is not null and v.key || ' ' || v.value <> all(${INITIAL_VALUES}::text[])
    where s.organization_id = any(${organizationIds}) and s.id = any(${ids})`,
)

/** Returns what each agent of the services saw last, by service and agent. The states of the services are locked: 1 ms. */
async function readAgentStates(
  tx: Tx,
  judged: readonly RowKey<string>[],
): Promise<Map<string, Map<string, AgentState>>> {
  const byService = new Map<string, Map<string, AgentState>>(judged.map(({ id }) => [id, new Map()]))
  for (const row of await selectAgentStates(tx, judged)) {
    byService.get(row.service_id)?.set(row.agent_id, {
      serviceId: row.service_id,
      agentId: row.agent_id,
      organizationId: row.organization_id,
      startedAt: new Date(row.started_at),
      resultId: row.result_id,
      status: row.status,
      agentSlug: row.agent_slug,
      statusSince: new Date(row.status_since),
      failingRuns: row.failing_runs,
      failingSince: dateOrNull(row.failing_since),
      isFailed: row.is_failed,
      serviceRuns: row.service_runs,
      summary: row.summary,
    })
  }
  return byService
}

type AgentStateRow = {
  service_id: string
  agent_id: string
  organization_id: string
  started_at: string
  result_id: string
  status: AgentState['status']
  agent_slug: string
  status_since: string
  failing_runs: number
  failing_since: string | null
  is_failed: boolean
  service_runs: number | null
  summary: string | null
}

const selectAgentStates = servicesStatement<AgentStateRow>(
  (organizationIds, ids) => sql`
    select service_id, agent_id, organization_id, started_at, result_id, status, agent_slug, status_since, failing_runs,
      failing_since, is_failed, service_runs::float8, summary
    from service_agent_states where organization_id = any(${organizationIds}) and service_id = any(${ids})`,
)

/** Updates the states: 1 ms. No indexed column changes, so 96 % of the updates write no index entry (HOT). */
export const updateStates = rowsStatement<ServiceState>(
  {
    organization_id: ['uuid', (state) => state.organizationId],
    service_id: ['uuid', (state) => state.serviceId],
    last_status: ['text', (state) => state.lastStatus],
    last_status_since: ['timestamptz', (state) => state.lastStatusSince],
    last_consecutive: ['int', (state) => state.lastConsecutive],
    last_response_ms: ['int', (state) => state.lastResponseMs],
    mean_run_ms: ['int', (state) => state.meanRunMs],
    last_run_at: ['timestamptz', (state) => state.lastRunAt],
    last_result_id: ['uuid', (state) => state.lastResultId],
    last_failure: ['jsonb', (state) => state.newFailure],
    degradation: ['jsonb', (state) => state.degradation],
    failing_runs: ['int', (state) => state.failingRuns],
    failing_since: ['timestamptz', (state) => state.failingSince],
    last_passing_result_id: ['uuid', (state) => state.lastPassingResultId],
    is_alerting: ['boolean', (state) => state.isAlerting],
    probes_total: ['bigint', (state) => state.probesTotal],
    probes_success: ['bigint', (state) => state.probesSuccess],
    probes_failure: ['bigint', (state) => state.probesFailure],
    probes_timeout: ['bigint', (state) => state.probesTimeout],
  },
  (rows) => sql`
    update service_states s set last_status = i.last_status, last_status_since = i.last_status_since,
      last_consecutive = i.last_consecutive, last_response_ms = i.last_response_ms, mean_run_ms = i.mean_run_ms,
      last_run_at = i.last_run_at, last_result_id = i.last_result_id,
      last_failure = coalesce(i.last_failure, s.last_failure), degradation = i.degradation,
      failing_runs = i.failing_runs, failing_since = i.failing_since,
      last_passing_result_id = i.last_passing_result_id, is_alerting = i.is_alerting,
      probes_total = i.probes_total, probes_success = i.probes_success, probes_failure = i.probes_failure,
      probes_timeout = i.probes_timeout
    from ${rows} where s.organization_id = i.organization_id and s.service_id = i.service_id`,
)

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

/**
 * Updates what the agents saw last, which is also the result that their next run reads as `prev`: 1 ms. An upsert would lock
 * each row first, which is a record of its own in the write-ahead log.
 */
export const updateAgentStates = rowsStatement(
  AGENT_STATE,
  (rows) => sql`
    update service_agent_states p set started_at = i.started_at, result_id = i.result_id, agent_slug = i.agent_slug,
      status = i.status, status_since = i.status_since, failing_runs = i.failing_runs, failing_since = i.failing_since,
      is_failed = i.is_failed, service_runs = i.service_runs, summary = i.summary
    from ${rows}
    where p.organization_id = i.organization_id and p.service_id = i.service_id and p.agent_id = i.agent_id`,
)

/** Inserts the states of agents that have not run the service before. The states of the services are locked. */
export const insertAgentStates = rowsStatement(
  AGENT_STATE,
  (rows) => sql`
    insert into service_agent_states (service_id, agent_id, organization_id, started_at, result_id, agent_slug, status,
      status_since, failing_runs, failing_since, is_failed, service_runs, summary)
    select i.service_id, i.agent_id, i.organization_id, i.started_at, i.result_id, i.agent_slug, i.status,
      i.status_since, i.failing_runs, i.failing_since, i.is_failed, i.service_runs, i.summary
    from ${rows}`,
)
