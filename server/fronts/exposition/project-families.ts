import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import type { Db } from '#db/client.ts'
import { withinRequestBounds, withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import { type Family, readFamilies } from '../../observe/metrics/families.ts'
import { isOverdue, readOutlook, silentSince } from '../../status/outlook.ts'

/** The first services of a project; the others are left out. */
const SERVICES_MAX = 1_000
const CERTIFICATES_MAX = 5_000
const DEADLINE_MS = 8_000
/** Services, or certificates, whose series are made without a pause: 4 ms. */
const AT_ONCE = 100

const LABELS = ['service', 'service_id', 'project', 'workspace', 'label']
const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'transfer'] as const

type Phases = Record<(typeof PHASES)[number], number | null>

type ServiceRow = {
  service_id: string
  service: string
  label: string | null
  project: string
  workspace: string
  is_active: boolean
  last_status: string | null
  is_alerting: boolean | null
  is_unknown: boolean
  last_run: number | null
  last_response_ms: number | null
  success: number | null
  failure: number | null
  timeout: number | null
  duration_ms: number | null
  phases: Phases | null
  runs_24h: number | null
  success_24h: number | null
  incident_since: number | null
}

/**
 * Returns the series of a project's services. Read outside of the bounds of the request that asks first, because other
 * requests get the same values.
 */
export function readProjectFamilies(db: Db, project: RowKey<string>): Promise<Family[]> {
  return withoutRequestBounds(() =>
    withinRequestBounds(DEADLINE_MS, async () => {
      const services = await readServices(db, project)
      const certificates = await readCertificates(db, project)
      return familiesOf(services, certificates)
    }),
  )
}

async function readServices(db: Db, project: RowKey<string>): Promise<ServiceRow[]> {
  const outlook = await readOutlook(db, project.organizationId)
  const seconds = (column: string) => sql.raw(`extract(epoch from ${column})::float8`)
  return db.execute<ServiceRow>(sql`
    select services.id as service_id, services.name as service, services.label, p.name as project, w.name as workspace, services.is_active,
      ${silentSince(outlook)} is not null or ${isOverdue(outlook)} as is_unknown,
      st.last_status, st.is_alerting, ${seconds('st.last_run_at')} as last_run, st.last_response_ms,
      st.probes_success::float8 as success, st.probes_failure::float8 as failure, st.probes_timeout::float8 as timeout,
      r.run_duration_ms as duration_ms, r.phases, h.runs_24h, h.success_24h, ${seconds('i.opened_at')} as incident_since
    from (
        select * from services where (organization_id, project_id) = (${project.organizationId}, ${project.id})
        order by created_at, id limit ${SERVICES_MAX}) services
      join projects p on (p.organization_id, p.id) = (services.organization_id, services.project_id)
      join workspaces w on (w.organization_id, w.id) = (p.organization_id, p.workspace_id)
      left join service_states st on (st.organization_id, st.service_id) = (services.organization_id, services.id)
      left join schedules sc on (sc.organization_id, sc.service_id) = (services.organization_id, services.id)
      left join lateral (
        select r.run_duration_ms, (
          select jsonb_build_object('dns', sum((e->>'dnsMs')::float8), 'connect', sum((e->>'connectMs')::float8),
            'tls', sum((e->>'tlsMs')::float8), 'ttfb', sum((e->>'ttfbMs')::float8),
            'transfer', sum((e->>'transferMs')::float8)) from jsonb_array_elements(r.steps) e) as phases
        from results r where r.organization_id = services.organization_id and r.service_id = services.id
          and r.started_at = st.last_run_at and r.id = st.last_result_id) r on true
      left join lateral (
        select sum(h.runs - h.skipped)::float8 as runs_24h, sum(h.success)::float8 as success_24h from run_hours h
        where (h.organization_id, h.service_id) = (services.organization_id, services.id) and h.hour > now() - interval '24 hours') h
        on true
      left join lateral (
        select min(i.opened_at) as opened_at from incidents i
        where (i.organization_id, i.service_id) = (services.organization_id, services.id) and i.closed_at is null) i on true
    order by services.created_at, services.id`)
}

type CertificateRow = { service_id: string; host: string; expiry: number }

function readCertificates(db: Db, project: RowKey<string>): Promise<CertificateRow[]> {
  return db.execute<CertificateRow>(sql`
    select c.service_id, c.host, extract(epoch from c.not_after)::float8 as expiry
    from services s join certificates c on (c.organization_id, c.service_id) = (s.organization_id, s.id)
    where (s.organization_id, s.project_id) = (${project.organizationId}, ${project.id})
    order by c.not_after limit ${CERTIFICATES_MAX}`)
}

async function familiesOf(services: ServiceRow[], certificates: CertificateRow[]): Promise<Family[]> {
  const registry = new Registry()
  const gauge = <L extends string>(name: string, help: string, ...more: L[]) =>
    new Gauge({ name, help, labelNames: [...LABELS, ...more], registers: [registry] })
  const up = gauge('soundline_service_up', 'Whether the last run passed; missing while the state is unknown')
  const failed = gauge('soundline_service_failed', 'Whether a failure is confirmed and the service has not recovered')
  const unknown = gauge('soundline_service_unknown', 'Whether runs are overdue or every agent that can run it is lost')
  const active = gauge('soundline_service_active', 'Whether the service is switched on')
  const lastRun = gauge('soundline_service_last_run_timestamp_seconds', 'When the last run started')
  const duration = gauge('soundline_service_run_duration_seconds', 'Duration of the last run')
  const response = gauge('soundline_service_response_seconds', 'Response time of the last run, all calls together')
  const phase = gauge('soundline_service_phase_seconds', 'Phases of the last run, all calls together', 'phase')
  const uptime = gauge('soundline_service_uptime_ratio', 'Share of the runs of the last 24 hours that passed')
  const incident = gauge('soundline_service_incident_open', 'Whether the service has an open incident')
  const since = gauge('soundline_service_incident_opened_timestamp_seconds', 'When the open incident began')
  const expiry = gauge('soundline_service_certificate_expiry_timestamp_seconds', 'When a certificate expires', 'host')
  const runs = gauge('soundline_service_runs_total', 'Runs by outcome since the service was created', 'outcome')

  const labelsOf = new Map<string, Record<string, string>>()
  for (const [index, row] of services.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    const { service_id, service, project, workspace, label } = row
    const labels = { service, service_id, project, workspace, label: label ?? '' }
    labelsOf.set(service_id, labels)
    const set = (to: Gauge, value: number | null, more: Record<string, string> = {}) => {
      if (value !== null) to.set({ ...labels, ...more }, value)
    }
    set(active, Number(row.is_active))
    set(unknown, Number(row.is_unknown))
    set(incident, Number(row.incident_since !== null))
    set(since, row.incident_since)
    if (row.last_run === null) continue
    if (!row.is_unknown) set(up, Number(row.last_status === 'success'))
    set(failed, Number(row.is_alerting))
    set(lastRun, row.last_run)
    set(duration, inSeconds(row.duration_ms))
    set(response, inSeconds(row.last_response_ms))
    for (const name of PHASES) set(phase, inSeconds(row.phases?.[name] ?? null), { phase: name })
    if (row.runs_24h) set(uptime, (row.success_24h ?? 0) / row.runs_24h)
    for (const outcome of ['success', 'failure', 'timeout'] as const) set(runs, row[outcome], { outcome })
  }
  for (const [index, { service_id, host, expiry: at }] of certificates.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    const labels = labelsOf.get(service_id)
    if (labels) expiry.set({ ...labels, host }, at)
  }
  return asCounter(await readFamilies(registry, {}), 'soundline_service_runs_total')
}

/** The client library sets only gauges to a value, but these totals are counters. */
function asCounter(families: Family[], name: string): Family[] {
  return families.map((family) => (family.name === name ? { ...family, type: 'counter' } : family))
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000
}
