import { sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import type { services } from '#db/schema/resources.ts'
import type { RunStatus } from '#db/schema/results.ts'
import { statement } from '#db/statement.ts'
import { memberStatement, reachesProject, reachesService } from '../access.ts'
import { daysUntil } from '../alerts/certificates.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { type Page, pageOffset } from '../paging.ts'
import { retentionStart } from '../results/retention.ts'
import { describeFailedAssertion } from '../schemas/results/assertion-text.ts'
import type { LastFailure } from '../schemas/results/failures.ts'
import { RECENT_PROBES, type Service, type ServiceCertificate, type ServiceSnapshot } from '../schemas/services.ts'
import { isTrusted, type Trust, trustOf } from '../scripts/verified-domains.ts'
import { latencyBounds, metricsJoins, PLACED_BOUNDS, presentMetrics, sumPercentiles } from '../statistics/metrics.ts'
import { type CertificateRow, type ServiceViewRow, serviceViewColumns } from './service-rows.ts'

export type ServiceRow = typeof services.$inferSelect

type PresentContext = Pick<ActorContext, 'actor' | 'settings' | 'now'>

const byId = statement<{ organizationId: string; id: string; hour: string; since: string }, ServiceViewRow>(
  () => sql`
    select ${serviceViewColumns} from services ${metricsJoins(PLACED_BOUNDS)}
    where services.organization_id = ${sql.placeholder('organizationId')} and services.id = ${sql.placeholder('id')}`,
)

const reached = memberStatement<{ id: string; hour: string; since: string }, ServiceViewRow>(
  (member) => sql`
    select ${serviceViewColumns} from services ${metricsJoins(PLACED_BOUNDS)}
    where services.id = ${sql.placeholder('id')} and ${reachesService(member, 'read')}`,
)

type RecentRow = {
  status: RunStatus
  totalResponseMs: number
  callCount: number
  failedCalls: number
  timestamp: number
}

const withRecentRuns = memberStatement<
  { id: string; hour: string; since: string; kept: string },
  ServiceViewRow & { recent: RecentRow[] | null }
>(
  (member) => sql`
    select ${serviceViewColumns}, (
      select json_agg(p) from (
        select status, total_response_ms as "totalResponseMs", call_count as "callCount", failed_calls as "failedCalls",
          floor(extract(epoch from started_at))::float8 as timestamp
        from results where organization_id = ${member.organizationId} and service_id = ${sql.placeholder('id')}
          and is_apart is not true and started_at >= ${sql.placeholder('kept')}::timestamptz
        order by started_at desc, id desc limit ${sql.raw(String(RECENT_PROBES))}) p) as recent
    from services ${metricsJoins(PLACED_BOUNDS)}
    where services.id = ${sql.placeholder('id')} and ${reachesService(member, 'read')}`,
)

type PageValues = { projectId: string; limit: number; offset: number; hour: string; since: string }

// The page is selected before anything is joined to it, so that the rest is read for its services only.
const ofProject = memberStatement<PageValues, { total: number } & (ServiceViewRow | { id: null })>((member) => {
  const visible = sql`services.organization_id = ${member.organizationId}
    and services.project_id = ${sql.placeholder('projectId')} and ${reachesService(member, 'visible')}`
  return sql`
    select (select count(*)::int from services where ${visible}) as total, page.*
    from projects left join lateral (
      select ${serviceViewColumns}
      from (select * from services where ${visible} order by services.created_at, services.id
        limit ${sql.placeholder('limit')}::int offset ${sql.placeholder('offset')}::int) services
      ${metricsJoins(PLACED_BOUNDS)}) page on true
    where projects.id = ${sql.placeholder('projectId')} and ${reachesProject(member, 'visible')}
    order by page."createdAt", page.id`
})

/**
 * Returns one service as the API shows it. Within a transaction, it includes the transaction's own changes. The caller has
 * checked that the member reaches it.
 */
export async function presentService(db: Queryable, ctx: PresentContext, id: string): Promise<Service> {
  const { organizationId } = ctx.actor
  const [row] = await byId(db, { organizationId, id, ...latencyBounds(ctx.now()) })
  if (!row) throw notFound()
  return present(ctx, row)
}

/** Returns a service that the member can read. @throws ApiError `not_found` */
export async function readService(ctx: ActorContext, id: string): Promise<Service> {
  const [row] = await reached(ctx, { id, ...latencyBounds(ctx.now()) })
  if (!row) throw notFound('id')
  return present(ctx, row)
}

/** Returns a service that the member can read, with its latest runs. @throws ApiError `not_found` */
export async function readSnapshot(ctx: ActorContext, id: string): Promise<ServiceSnapshot> {
  const now = ctx.now()
  const kept = retentionStart(now, ctx.settings.RESULT_RETENTION_DAYS).toISOString()
  const [row] = await withRecentRuns(ctx, { id, kept, ...latencyBounds(now) })
  if (!row) throw notFound('id')
  const recentProbes = (row.recent ?? []).map(({ status, totalResponseMs, callCount, failedCalls, timestamp }) => ({
    status,
    avgResponseMs: callCount === 0 ? null : Math.round(totalResponseMs / callCount),
    callCount,
    failedCalls,
    timestamp,
  }))
  return { service: present(ctx, row), recentProbes }
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
  const bounds = latencyBounds(ctx.now())
  const rows = await ofProject(ctx, { projectId, limit: pageSize, offset: pageOffset(query), ...bounds })
  const [first] = rows
  if (!first) throw notFound('projectId')
  const items = rows.flatMap((row) => (row.id === null ? [] : [present(ctx, row)]))
  return { items, total: first.total, page, pageSize }
}

/** Returns a service that has never run. `trust` is null for a service without a script. */
export function presentNewService(row: ServiceRow, trust: Trust | null): Service {
  const { organizationId: _, targetHosts, ...shown } = row
  return {
    ...shown,
    lastStatus: null,
    lastStatusSince: null,
    createdAt: row.createdAt.toISOString(),
    unverifiedTargets: trust ? targetHosts.filter((host) => !isTrusted(host, trust)) : [],
    certificates: [],
  }
}

function present(ctx: PresentContext, row: ServiceViewRow): Service {
  const metrics = row.lastRunAt === null ? null : presentMetrics(row, sumPercentiles([row]))
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
    lastStatus: row.lastStatus,
    lastStatusSince: row.lastStatusSince,
    version: row.version,
    createdAt: row.createdAt,
    unverifiedTargets: row.targetHosts.length === 0 ? [] : unverifiedTargets(ctx, row),
    certificates: row.certificates === null ? [] : presentCertificates(row.certificates, ctx.now()),
  }
  if (metrics) service.metrics = metrics
  if (row.lastFailure) service.lastFailure = presentFailure(row.lastFailure)
  return service
}

function unverifiedTargets({ settings }: PresentContext, row: ServiceViewRow): string[] {
  const trust = trustOf(row, settings)
  return row.targetHosts.filter((host) => !isTrusted(host, trust))
}

function presentCertificates(rows: CertificateRow[], now: Date): ServiceCertificate[] {
  return rows.map(({ host, notAfter, subject, issuer, seenAt }) => ({
    host,
    notAfter,
    daysLeft: daysUntil(new Date(notAfter), now),
    subject,
    issuer,
    lastSeenAt: seenAt,
  }))
}

/** Failures that older releases stored lack `error`, `assertionsTotal` and `summary`. */
function presentFailure(stored: Record<string, unknown>): LastFailure {
  const failure = stored as Omit<LastFailure, 'error' | 'assertionsTotal' | 'summary'> & { error?: string | null }
  const [first] = failure.assertions
  const summary = failure.error ?? (first ? describeFailedAssertion(first) : 'the run failed')
  return { error: null, assertionsTotal: failure.assertions.length, summary, ...failure }
}
