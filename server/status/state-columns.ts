import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { stateJoin } from '../results/statistics/metrics.ts'
import { NO_SERVICES, SERVICE_STATES, type ServiceState, type StateCounts } from '../schemas/status/states.ts'
import { isOverdue, type Outlook, silentSince } from './outlook.ts'

// The state of a service, and since when and why it is in it. The one place that decides it: the board, the counts of
// workspaces and projects, search and the API all use these expressions, in which `st` is the row of `service_states`, `i`
// the open incident and `sc` the schedule.

/** The open incident and the schedule of `services`, which are read beside `st`. */
export const STATE_JOINS = sql`
  left join incidents i on (i.organization_id, i.service_id) = (services.organization_id, services.id) and i.closed_at is null
  left join schedules sc on (sc.organization_id, sc.service_id) = (services.organization_id, services.id)`

/** The state by the latest runs, if they are recent enough. */
export const LAST_STATE: SQL<ServiceState> = sql`case
  when not services.is_active then 'paused'
  when st.last_run_at is null then 'pending'
  when st.is_alerting or st.last_status in ('failure', 'timeout') then 'failing'
  when st.degradation is not null then 'degraded'
  else 'passing' end`

/**
 * The services with their project and workspace, their last run and their open incident, `q.silent_since` and the state
 * `x.state`.
 */
export function servicesWithState(outlook: Outlook): SQL {
  return sql`${services}
    join ${projects} on ${matchesRow(services.projectId, projects)}
    join ${workspaces} on ${matchesRow(projects.workspaceId, workspaces)} ${stateJoin} ${STATE_JOINS}
    cross join lateral (select ${silentSince(outlook)} as silent_since) q
    cross join lateral (select case when q.silent_since is not null or ${isOverdue(outlook)} then 'unknown'
      else ${LAST_STATE} end as state) x`
}

/**
 * Since when a service is in a state other than `unknown`. A failure lasts since its first failing run, which can be older
 * than its incident.
 */
export function sinceOf(state: SQL): SQL {
  return sql`case ${state}
    when 'failing' then coalesce(i.failing_since, st.failing_since, st.last_status_since)
    when 'degraded' then (st.degradation ->> 'since')::timestamptz
    when 'passing' then st.last_status_since
    when 'pending' then services.created_at end`
}

/** The latest failure explains more than the first one. */
export const CAUSE = sql`case x.state
  when 'failing' then coalesce(st.last_failure ->> 'summary', i.summary, 'the run failed')
  when 'degraded' then st.degradation ->> 'summary'
  when 'unknown' then case when q.silent_since is null then 'its runs are overdue'
    else 'every agent that can run it is lost' end end`

/** The worst state first. */
export const RANK = sql`array_position(array[${sql.raw(SERVICE_STATES.map((state) => `'${state}'`).join(', '))}], x.state)`

export type CountRow = { state: ServiceState; count: number }

export function toCounts(rows: readonly CountRow[]): StateCounts {
  return { ...NO_SERVICES, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}
