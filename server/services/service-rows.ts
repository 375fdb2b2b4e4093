import { type SQL, sql } from '#db/drizzle.cjs'
import type { RunStatus } from '#db/schema/results.ts'
import { type MetricTotals, stateJoin, totalsColumns } from '../results/statistics/metrics.ts'
import type { LastFailure } from '../schemas/results/failures.ts'
import type { ServiceState } from '../schemas/status/states.ts'
import { agentNetworks, agentProcesses } from '../scripts/agent-networks.ts'
import { verifiedDomainsOf } from '../scripts/verified-domains.ts'
import { HELD_MAINTENANCE, type Held } from '../status/maintenance.ts'
import { EXPECTED_FROM, type Expectation, silentSinceOf, usableAgents } from '../status/outlook.ts'
import { LAST_STATE, STATE_JOINS, sinceOf } from '../status/state-columns.ts'

// The fields of services in the API, except latencies, in one statement: the row, its state, certificates, and the
// verified targets. Fields that a service does not show are not read.

/** A service with everything that its view needs. Instants are in the form of the API. */
export type ServiceViewRow = MetricTotals &
  Expectation &
  Held & {
    projectId: string
    name: string
    label: string | null
    labels: string[]
    script: string | null
    schedule: string
    timezone: string | null
    probeMode: 'consecutive' | 'simultaneous' | 'random'
    queuePolicy: 'skip' | 'enqueue_once'
    saveResponseBodies: boolean
    sendTraceparent: boolean
    isActive: boolean
    version: number
    targetHosts: string[]
    createdAt: string
    lastStatus: RunStatus | null
    lastStatusSince: string | null
    /** The state, unless it is unknown at `readAt` by the other columns. */
    lastState: ServiceState
    lastStateSince: string | null
    readAt: string
    lastResultId: string | null
    lastFailure: LastFailure | null
    /** Of the processes of remote agents, if the service names only such. */
    agentNetworks: string[][] | null
    /** Those that cover a target, of this service or of another one of its page. On a page, in the first row. */
    verifiedDomains: string[] | null
    certificates: CertificateRow[] | null
  }

/** Host, end of validity, subject, issuer, and when it was seen last. Instants are in ISO 8601, with microseconds. */
export type CertificateRow = [string, string, string | null, string | null, string]

/** `usable` is the relation of `usableAgents`. */
const stateColumns = (usable: SQL) => sql`
  services.id, services.project_id as "projectId", services.name, services.label, services.labels, services.script, services.schedule,
  services.timezone,
  services.probe_mode as "probeMode", services.queue_policy as "queuePolicy",
  services.service_window as "serviceWindow", services.save_response_bodies as "saveResponseBodies",
  services.send_traceparent as "sendTraceparent", services.is_active as "isActive", services.version,
  services.target_hosts as "targetHosts", ${instant(sql`services.created_at`)} as "createdAt",
  ${instant(sql`st.last_status_since`)} as "lastStatusSince", ${LAST_STATE} as "lastState",
  ${instant(sinceOf(LAST_STATE))} as "lastStateSince", ${instant(sql`now()`)} as "readAt",
  ${instant(EXPECTED_FROM)} as "expectedFrom", ${instant(silentSinceOf(sql`${usable} u`))} as "silentSince", st.last_result_id as "lastResultId",
  st.last_failure as "lastFailure", ${HELD_MAINTENANCE} as "heldMaintenance", ${totalsColumns}`

/** Sorted by the process: the database would take longer. */
const certificates = sql`json_agg(json_build_array(c.host, c.not_after, c.subject, c.issuer, c.seen_at))`

const hasTargets = sql`cardinality(services.target_hosts) > 0`

/** Selects the views of services, to which a condition is appended. For one service. */
export const SERVICE_VIEW = sql`
  select ${stateColumns(sql`(${usableAgents(sql`services.organization_id`)})`)},
  case when ${hasTargets} then (select ${agentNetworks} from service_agents sa ${agentProcesses}
    where sa.organization_id = services.organization_id and sa.service_id = services.id) end as "agentNetworks",
  case when ${hasTargets} then ${verifiedDomainsOf(sql`services.organization_id`, sql`services.target_hosts`)} end
    as "verifiedDomains",
  (select ${certificates} from certificates c
    where c.organization_id = services.organization_id and c.service_id = services.id) as "certificates"
  from services ${stateJoin} ${STATE_JOINS}`

/**
 * The same of a page, after `with shown as materialized (select * from services …)`. Each table is read once for all of
 * its services: for fifty, a fifth of the time of a read for each.
 */
export const PAGE_VIEW = sql`,
  usable as materialized (${usableAgents(sql`(select organization_id from shown limit 1)`)})
  select ${stateColumns(sql`usable`)}, n.networks as "agentNetworks", c.certificates,
    case when services.id = (select id from shown limit 1) then ${verifiedDomainsOf(
      sql`services.organization_id`,
      sql`array(select distinct unnest(shown.target_hosts) from shown)`,
    )} end as "verifiedDomains"
  from shown services ${stateJoin} ${STATE_JOINS}
  left join (select c.service_id, ${certificates} as certificates
    from shown join certificates c on c.organization_id = shown.organization_id and c.service_id = shown.id
    group by c.service_id) c on c.service_id = services.id
  left join (select sa.service_id, ${agentNetworks} as networks
    from shown join service_agents sa on sa.organization_id = shown.organization_id and sa.service_id = shown.id
    ${agentProcesses} group by sa.service_id) n on n.service_id = services.id
  order by services.created_at, services.id`

/** An instant as the API shows it. */
export function instant(column: SQL): SQL {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
