import { type SQL, sql } from 'drizzle-orm'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { NO_SERVICES, SERVICE_STATES, type ServiceState, type StateCounts } from '../schemas/status/states.ts'

// The state of a service, and since when and why it is in it. The one place that decides it: the board, the counts of
// workspaces and projects, and search all use these expressions on `SERVICES`, in which `st` is the row of
// `service_states` and `i` the open incident.

/** The services with their project and workspace, their last run and their open incident. */
export const SERVICES = sql`${services}
  join ${projects} on ${matchesRow(services.projectId, projects)}
  join ${workspaces} on ${matchesRow(projects.workspaceId, workspaces)}
  left join service_states st on (st.organization_id, st.service_id) = (${services.organizationId}, ${services.id})
  left join incidents i on (i.organization_id, i.service_id) = (${services.organizationId}, ${services.id}) and i.closed_at is null`

/** A degradation of an older run, which a release that does not know the column left behind, does not count. */
const IS_DEGRADED = sql`(st.degradation ->> 'resultId')::uuid = st.last_result_id`

export const STATE: SQL<ServiceState> = sql`case
  when not ${services.isActive} then 'paused'
  when st.last_run_at is null then 'pending'
  when st.is_alerting or st.last_status in ('failure', 'timeout') then 'failing'
  when ${IS_DEGRADED} then 'degraded'
  else 'passing' end`

/** Of the state `x.state`. A failure lasts since its first failing run, which can be older than its incident. */
export const SINCE = sql`case x.state
  when 'failing' then coalesce(i.failing_since, st.failing_since, st.last_status_since)
  when 'degraded' then (st.degradation ->> 'since')::timestamptz
  when 'passing' then st.last_status_since
  when 'pending' then ${services.createdAt} end`

const FAILURE = sql`coalesce(st.last_failure, st.failure)`

/** The latest failure explains more than the first one. Failures of older releases have no summary. */
export const CAUSE = sql`case x.state
  when 'failing' then coalesce(${FAILURE} ->> 'summary', ${FAILURE} ->> 'error', i.summary, 'the run failed')
  when 'degraded' then st.degradation ->> 'summary' end`

/** The worst state first. */
export const RANK = sql`array_position(array[${sql.raw(SERVICE_STATES.map((state) => `'${state}'`).join(', '))}], x.state)`

export type CountRow = { state: ServiceState; count: number }

export function toCounts(rows: readonly CountRow[]): StateCounts {
  return { ...NO_SERVICES, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}
