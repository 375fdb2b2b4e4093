import { sql } from 'drizzle-orm'
import { type Columns, rowsStatement } from './columns.ts'
import type { AgentState, ServiceState } from './service-state.ts'

// The statements that store the states of services and of their agents, for a batch of runs. Times are CPU of the
// database for 100 services.

/** Updates the states: 1 ms. No indexed column changes, so 96 % of the updates write no index entry (HOT). */
export const updateStates = rowsStatement<ServiceState>(
  {
    organization_id: ['uuid', (state) => state.organizationId],
    service_id: ['uuid', (state) => state.serviceId],
    last_status: ['text', (state) => state.lastStatus],
    last_status_since: ['timestamptz', (state) => state.lastStatusSince],
    last_consecutive: ['int', (state) => state.lastConsecutive],
    last_response_ms: ['int', (state) => state.lastResponseMs],
    slot_ms: ['int', (state) => state.meanRunMs],
    last_run_at: ['timestamptz', (state) => state.lastRunAt],
    last_result_id: ['uuid', (state) => state.lastResultId],
    failure: ['jsonb', (state) => state.newFailure],
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
      last_consecutive = i.last_consecutive, last_response_ms = i.last_response_ms, slot_ms = i.slot_ms,
      last_run_at = i.last_run_at, last_result_id = i.last_result_id, last_failure = null,
      failure = coalesce(i.failure, s.last_failure, s.failure), degradation = i.degradation,
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
    update previous_results p set started_at = i.started_at, result_id = i.result_id, agent_slug = i.agent_slug,
      status = i.status, status_since = i.status_since, failing_runs = i.failing_runs, failing_since = i.failing_since,
      is_failed = i.is_failed, service_runs = i.service_runs, summary = i.summary
    from ${rows}
    where p.organization_id = i.organization_id and p.service_id = i.service_id and p.agent_id = i.agent_id`,
)

/** Inserts the states of agents that have not run the service before. The states of the services are locked. */
export const insertAgentStates = rowsStatement(
  AGENT_STATE,
  (rows) => sql`
    insert into previous_results (service_id, agent_id, organization_id, started_at, result_id, agent_slug, status,
      status_since, failing_runs, failing_since, is_failed, service_runs, summary)
    select i.service_id, i.agent_id, i.organization_id, i.started_at, i.result_id, i.agent_slug, i.status,
      i.status_since, i.failing_runs, i.failing_since, i.is_failed, i.service_runs, i.summary
    from ${rows}`,
)
