import { sql } from 'drizzle-orm'
import { uuidArray, uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import type { services } from '#db/schema/resources.ts'
import type { RunStatus } from '#db/schema/results.ts'
import { statement } from '#db/statement.ts'
import { memberStatement, reachesProject, reachesService } from '../access.ts'
import { daysUntil } from '../alerts/certificate-expiry.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { type Page, pageOffset } from '../paging.ts'
import { retentionStart } from '../results/retention.ts'
import { RECENT_PROBES, type Service, type ServiceCertificate, type ServiceSnapshot } from '../schemas/services.ts'
import { isTrusted, type Trust, trustOf } from '../scripts/verified-domains.ts'
import {
  computePercentiles,
  findKnown,
  hasUnknownRuns,
  isCurrent,
  type KnownPercentiles,
  knownValues,
} from '../statistics/known-percentiles.ts'
import {
  LATENCY_BOUND_PLACEHOLDERS,
  type LatenciesRow,
  latencyBounds,
  latencyColumns,
  metricsJoins,
  type Percentiles,
  presentMetrics,
  stateJoin,
} from '../statistics/metrics.ts'
import { unknownSince } from '../status/outlook.ts'
import { STATE_JOINS } from '../status/state-columns.ts'
import {
  type CertificateRow,
  pageColumns,
  pageJoins,
  type ServiceViewRow,
  serviceViewColumns,
  withUsableAgents,
} from './service-rows.ts'

export type ServiceRow = typeof services.$inferSelect

type PresentContext = Pick<ActorContext, 'actor' | 'settings' | 'now'>

type Bounds = ReturnType<typeof latencyBounds>
type OneValues = { id: string } & Bounds & ReturnType<typeof knownValues>
type OneRow = ServiceViewRow & LatenciesRow

/** The columns and the source of one service, with the latencies of runs that the process has not seen. */
const oneColumns = sql`${serviceViewColumns}, ${latencyColumns}`
const oneSource = sql`services ${metricsJoins(LATENCY_BOUND_PLACEHOLDERS, hasUnknownRuns)} ${STATE_JOINS}`

const byId = statement<{ organizationId: string } & OneValues, OneRow>(
  () => sql`
    with ${withUsableAgents(sql`${sql.placeholder('organizationId')}::uuid`)}
    select ${oneColumns} from ${oneSource}
    where services.organization_id = ${sql.placeholder('organizationId')} and services.id = ${sql.placeholder('id')}`,
)

const reached = memberStatement<OneValues, OneRow>(
  (member) => sql`
    with ${withUsableAgents(sql`${member.organizationId}::uuid`)}
    select ${oneColumns} from ${oneSource}
    where services.id = ${sql.placeholder('id')} and ${reachesService(member, 'read')}`,
)

type RecentRow = {
  status: RunStatus
  totalResponseMs: number
  callCount: number
  failedCalls: number
  timestamp: number
}

const withRecentRuns = memberStatement<OneValues & { kept: string }, OneRow & { recent: RecentRow[] | null }>(
  (member) => sql`
    with ${withUsableAgents(sql`${member.organizationId}::uuid`)}
    select ${oneColumns}, (
      select json_agg(p) from (
        select status, total_response_ms as "totalResponseMs", call_count as "callCount", failed_calls as "failedCalls",
          floor(extract(epoch from started_at))::float8 as timestamp
        from results where organization_id = ${member.organizationId} and service_id = ${sql.placeholder('id')}
          and has_values is not true and started_at >= ${sql.placeholder('kept')}::timestamptz
        order by started_at desc, id desc limit ${sql.raw(String(RECENT_PROBES))}) p) as recent
    from ${oneSource}
    where services.id = ${sql.placeholder('id')} and ${reachesService(member, 'read')}`,
)

type PageValues = { projectId: string; limit: number; offset: number }

// The page is selected before anything is joined to it, so that the rest is read for its services only.
const ofProject = memberStatement<PageValues, { total: number } & (ServiceViewRow | { id: null })>((member) => {
  const visible = sql`services.organization_id = ${member.organizationId}
    and services.project_id = ${sql.placeholder('projectId')} and ${reachesService(member, 'visible')}`
  return sql`
    with shown as materialized (
      select * from services where ${visible} order by services.created_at, services.id
      limit ${sql.placeholder('limit')}::int offset ${sql.placeholder('offset')}::int),
      ${withUsableAgents(sql`${member.organizationId}::uuid`)}
    select (select count(*)::int from services where ${visible}) as total, ${pageColumns(sql`${member.organizationId}`)}
    from projects left join shown services on services.organization_id = projects.organization_id
    ${stateJoin} ${STATE_JOINS} ${pageJoins}
    where projects.id = ${sql.placeholder('projectId')} and ${reachesProject(member, 'visible')}
    order by services.created_at, services.id`
})

const latenciesOf = statement<{ organizationId: string; ids: string } & Bounds, { id: string } & LatenciesRow>(
  () => sql`
    select services.id, ${latencyColumns} from services ${metricsJoins(LATENCY_BOUND_PLACEHOLDERS)}
    where services.organization_id = ${sql.placeholder('organizationId')}
      and services.id = any(${uuids(sql.placeholder('ids'))})`,
)

/**
 * Returns one service as the API shows it. Within a transaction, it includes the transaction's own changes. The caller has
 * checked that the member reaches it.
 */
export async function presentService(db: Queryable, ctx: PresentContext, id: string): Promise<Service> {
  const { organizationId } = ctx.actor
  const bounds = latencyBounds(ctx.now())
  const known = findKnown(id, bounds.hour)
  const [row] = await byId(db, { organizationId, id, ...bounds, ...knownValues(known) })
  if (!row) throw notFound()
  return presentOne(ctx, row, bounds, known)
}

/** Returns a service that the member can read. @throws ApiError `not_found` */
export async function readService(ctx: ActorContext, id: string): Promise<Service> {
  const bounds = latencyBounds(ctx.now())
  const known = findKnown(id, bounds.hour)
  const [row] = await reached(ctx, { id, ...bounds, ...knownValues(known) })
  if (!row) throw notFound('id')
  return presentOne(ctx, row, bounds, known)
}

/** Returns a service that the member can read, with its latest runs. @throws ApiError `not_found` */
export async function readSnapshot(ctx: ActorContext, id: string): Promise<ServiceSnapshot> {
  const now = ctx.now()
  const kept = retentionStart(now, ctx.settings.RESULT_RETENTION_DAYS).toISOString()
  const bounds = latencyBounds(now)
  const known = findKnown(id, bounds.hour)
  const [row] = await withRecentRuns(ctx, { id, kept, ...bounds, ...knownValues(known) })
  if (!row) throw notFound('id')
  const recentProbes = (row.recent ?? []).map(({ status, totalResponseMs, callCount, failedCalls, timestamp }) => ({
    status,
    avgResponseMs: callCount === 0 ? null : Math.round(totalResponseMs / callCount),
    callCount,
    failedCalls,
    timestamp,
  }))
  return { service: presentOne(ctx, row, bounds, known), recentProbes }
}

/**
 * Returns the services of a project that the member can see, oldest first.
 * @throws ApiError `not_found` on `projectId`, and as `pageOffset`
 */
export async function readServicePage(
  ctx: ActorContext,
  query: { projectId: string; page: number; pageSize: number },
): Promise<Page<Service>> {
  const { projectId, page, pageSize } = query
  const rows = await ofProject(ctx, { projectId, limit: pageSize, offset: pageOffset(query) })
  const [first] = rows
  if (!first) throw notFound('projectId')
  const found = rows.filter((row): row is ServiceViewRow & { total: number } => row.id !== null)
  const percentiles = await readPercentiles(ctx, found)
  const verifiedDomains = found[0]?.verifiedDomains ?? null
  const items = found.map((row) => present(ctx, { ...row, verifiedDomains }, percentiles.get(row.id) ?? null))
  return { items, total: first.total, page, pageSize }
}

/** Returns the percentiles of services that have run. Reads the latencies of those with runs that it has not seen. */
async function readPercentiles(ctx: ActorContext, rows: ServiceViewRow[]): Promise<Map<string, Percentiles | null>> {
  const bounds = latencyBounds(ctx.now())
  const percentiles = new Map<string, Percentiles | null>()
  const unknown = new Map<string, ServiceViewRow>()
  for (const row of rows) {
    if (row.lastRunAt === null) continue
    const known = findKnown(row.id, bounds.hour)
    if (isCurrent(known, row)) percentiles.set(row.id, known.percentiles)
    else unknown.set(row.id, row)
  }
  if (unknown.size === 0) return percentiles
  const values = { organizationId: ctx.actor.organizationId, ids: uuidArray([...unknown.keys()]), ...bounds }
  for (const { id, ...latencies } of await latenciesOf(ctx.db, values)) {
    percentiles.set(id, computePercentiles(id, unknown.get(id) as ServiceViewRow, bounds.hour, latencies))
  }
  return percentiles
}

/** Returns a service that has never run. `trust` is null for a service without a script. */
export function presentNewService(row: ServiceRow, trust: Trust | null): Service {
  const { organizationId: _, targetHosts, ...shown } = row
  return {
    ...shown,
    state: row.isActive ? 'pending' : 'paused',
    stateSince: row.isActive ? row.createdAt.toISOString() : null,
    lastStatus: null,
    lastStatusSince: null,
    createdAt: row.createdAt.toISOString(),
    unverifiedTargets: trust ? targetHosts.filter((host) => !isTrusted(host, trust)) : [],
    certificates: [],
  }
}

/** `known` is what the statement was sent with: it read no latencies that are in it. */
function presentOne(ctx: PresentContext, row: OneRow, { hour }: Bounds, known: KnownPercentiles | null): Service {
  if (row.lastRunAt === null) return present(ctx, row, null)
  return present(ctx, row, isCurrent(known, row) ? known.percentiles : computePercentiles(row.id, row, hour, row))
}

function present(ctx: PresentContext, row: ServiceViewRow, percentiles: Percentiles | null): Service {
  const metrics = presentMetrics(row, percentiles)
  const unknown = unknownSince(row, new Date(row.readAt))
  const service: Service = {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    label: row.label,
    script: row.script,
    schedule: row.schedule,
    probeMode: row.probeMode,
    queuePolicy: row.queuePolicy,
    serviceWindow: row.serviceWindow,
    saveResponseBodies: row.saveResponseBodies,
    sendTraceparent: row.sendTraceparent,
    isActive: row.isActive,
    state: unknown ? 'unknown' : row.lastState,
    stateSince: unknown ? unknown.toISOString() : row.lastStateSince,
    lastStatus: row.lastStatus,
    lastStatusSince: row.lastStatusSince,
    version: row.version,
    createdAt: row.createdAt,
    unverifiedTargets: row.targetHosts.length === 0 ? [] : unverifiedTargets(ctx, row),
    certificates: row.certificates === null ? [] : presentCertificates(row.certificates, ctx.now()),
  }
  if (metrics) service.metrics = metrics
  if (row.lastFailure) service.lastFailure = row.lastFailure
  return service
}

function unverifiedTargets({ settings }: PresentContext, row: ServiceViewRow): string[] {
  const trust = trustOf(row, settings)
  return row.targetHosts.filter((host) => !isTrusted(host, trust))
}

/** Those that end first come first. */
function presentCertificates(rows: CertificateRow[], now: Date): ServiceCertificate[] {
  const certificates = rows.map(([host, notAfter, subject, issuer, seenAt]) => {
    const end = new Date(notAfter)
    const lastSeenAt = new Date(seenAt).toISOString()
    return { host, notAfter: end.toISOString(), daysLeft: daysUntil(end, now), subject, issuer, lastSeenAt }
  })
  return certificates.sort((a, b) => compare(a.notAfter, b.notAfter) || compare(a.host, b.host))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
