import { type SQL, sql } from 'drizzle-orm'
import type { RunStatus } from '#db/schema/results.ts'
import { agentNetworksOf } from '../scripts/agent-networks.ts'
import { verifiedDomainsOf } from '../scripts/verified-domains.ts'
import { type LatenciesRow, latencyColumns, type MetricTotals, totalsColumns } from '../statistics/metrics.ts'

// What the API shows of services, in one statement: the row, its state, the latencies of the last 24 hours, certificates,
// and what decides which targets are verified. What a service does not show is not read: no latencies before its first
// run, no domains without targets.

/** A service with everything that its view needs. Instants are in the form of the API. */
export type ServiceViewRow = MetricTotals &
  LatenciesRow & {
    id: string
    projectId: string
    name: string
    label: string | null
    script: string | null
    schedule: string
    probeMode: 'consecutive' | 'simultaneous' | 'random'
    queuePolicy: 'skip' | 'enqueue_once'
    serviceWindow: string | null
    saveResponseBodies: boolean
    sendTraceparent: boolean
    isActive: boolean
    version: number
    targetHosts: string[]
    createdAt: string
    lastStatus: RunStatus | null
    lastStatusSince: string | null
    lastFailure: Record<string, unknown> | null
    /** Of the processes of remote agents, if the service names only such. */
    agentNetworks: string[][] | null
    /** Those that cover a target. */
    verifiedDomains: string[] | null
    certificates: CertificateRow[] | null
  }

export type CertificateRow = {
  host: string
  notAfter: string
  subject: string | null
  issuer: string | null
  seenAt: string
}

const hasTargets = sql`cardinality(services.target_hosts) > 0`

/** The columns of `ServiceViewRow`, of a query on `services` with `metricsJoins`. */
export const serviceViewColumns = sql`
  services.id, services.project_id as "projectId", services.name, services.label, services.script, services.schedule,
  services.probe_mode as "probeMode", services.queue_policy as "queuePolicy",
  services.service_window as "serviceWindow", services.save_response_bodies as "saveResponseBodies",
  services.send_traceparent as "sendTraceparent", services.is_active as "isActive", services.version,
  services.target_hosts as "targetHosts", ${instant(sql`services.created_at`)} as "createdAt",
  ${instant(sql`st.last_status_since`)} as "lastStatusSince",
  coalesce(st.last_failure, st.failure) as "lastFailure", ${totalsColumns}, ${latencyColumns},
  case when ${hasTargets} then ${agentNetworksOf(sql`services`)} end as "agentNetworks",
  case when ${hasTargets} then ${verifiedDomainsOf(sql`services`)} end as "verifiedDomains",
  (select jsonb_agg(jsonb_build_object('host', c.host, 'notAfter', ${instant(sql`c.not_after`)}, 'subject', c.subject,
      'issuer', c.issuer, 'seenAt', ${instant(sql`c.seen_at`)}) order by c.not_after, c.host)
    from certificates c where c.organization_id = services.organization_id and c.service_id = services.id)
    as "certificates"`

/** An instant as the API shows it. */
function instant(column: SQL): SQL {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
