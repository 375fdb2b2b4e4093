import type { Queryable } from '#db/client.ts'
import { and, desc, eq, gte, type SQL, sql } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { reachesService } from '../access.ts'
import { daysUntil } from '../alerts/alerts/certificate-expiry.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { type Page, pageOffset } from '../paging.ts'
import { requireProject } from '../resources.ts'
import { retentionStart } from '../results/results/retention.ts'
import { readKnownPercentiles } from '../results/statistics/known-percentiles.ts'
import { presentMetrics } from '../results/statistics/metrics.ts'
import { ofServiceResults } from '../results/statistics/rollups.ts'
import type { Percentiles } from '../results/statistics/sketch.ts'
import type { ServiceMaintenance } from '../schemas/maintenances/maintenances.ts'
import { FailedAssertion, type LastFailure } from '../schemas/results/failures.ts'
import { RECENT_PROBES, type Service, type ServiceCertificate, type ServiceSnapshot } from '../schemas/services.ts'
import { isTrusted, type Trust, trustOf } from '../scripts/verified-domains.ts'
import { presentHeld, readHeld } from '../status/maintenance.ts'
import { unknownSince } from '../status/outlook.ts'
import { type CertificateRow, PAGE_VIEW, SERVICE_VIEW, type ServiceViewRow } from './service-rows.ts'

export type ServiceRow = typeof services.$inferSelect

type PresentContext = Pick<ActorContext, 'actor' | 'settings' | 'now'>

/**
 * Returns one service as the API shows it. Within a transaction, it includes the transaction's own changes. The caller has
 * checked that the member reaches it.
 */
export async function presentService(db: Queryable, ctx: PresentContext, id: string): Promise<Service> {
  return findService(db, ctx, matchesId(services.id, ctx.actor.organizationId, id))
}

/** Returns a service that the member can read. @throws ApiError `not_found` */
export async function readService(ctx: ActorContext, id: string): Promise<Service> {
  return findService(ctx.db, ctx, and(eq(services.id, id), reachesService(ctx.actor, 'read')))
}

async function findService(db: Queryable, ctx: PresentContext, where: SQL | undefined): Promise<Service> {
  const [row] = await db.execute<ServiceViewRow>(sql`${SERVICE_VIEW} where ${where}`)
  if (!row) throw notFound('id')
  const [percentiles, held] = await Promise.all([percentilesOf(db, ctx, [row]), presentHeld([row], ctx)])
  return present(ctx, row, percentiles, held)
}

/** Reads the latencies only of services that have run since this process read them. */
function percentilesOf(db: Queryable, { actor, now }: PresentContext, rows: readonly ServiceViewRow[]) {
  const seen = rows.map((row) => ({ ...row, organizationId: actor.organizationId }))
  return readKnownPercentiles(db, seen, now())
}

/** Returns a service that the member can read, with its latest runs. @throws ApiError `not_found` */
export async function readSnapshot(ctx: ActorContext, id: string): Promise<ServiceSnapshot> {
  const service = await readService(ctx, id)
  const ofService = ofServiceResults({ organizationId: ctx.actor.organizationId, id })
  const kept = retentionStart(ctx.now(), ctx.settings.RESULT_RETENTION_DAYS)
  const { status, totalResponseMs, callCount, failedCalls, startedAt } = results
  const latest = await ctx.db
    .select({ status, totalResponseMs, callCount, failedCalls, startedAt })
    .from(results)
    .where(and(ofService, gte(startedAt, kept)))
    .orderBy(desc(startedAt), desc(results.id))
    .limit(RECENT_PROBES)
  const recentProbes = latest.map((run) => ({
    status: run.status,
    avgResponseMs: run.callCount === 0 ? null : Math.round(run.totalResponseMs / run.callCount),
    callCount: run.callCount,
    failedCalls: run.failedCalls,
    timestamp: Math.floor(run.startedAt.getTime() / 1_000),
  }))
  return { service, recentProbes }
}

/**
 * Returns the services of a project that the member can see, oldest first.
 * @throws ApiError `not_found` on `projectId`, and as `pageOffset`
 */
export async function readServicePage(
  ctx: ActorContext,
  query: { projectId: string; page: number; pageSize: number },
): Promise<Page<Service>> {
  const { page, pageSize } = query
  const offset = pageOffset(query)
  const { organizationId } = ctx.actor
  const visible = and(
    matchesId(services.projectId, organizationId, query.projectId),
    reachesService(ctx.actor, 'visible'),
  )
  const [rows, total] = await Promise.all([
    // The page is selected before anything is joined to it, so that the rest is read for its services only.
    ctx.db.execute<ServiceViewRow>(sql`
      with shown as materialized (
        select * from services where ${visible} order by services.created_at, services.id
        limit ${pageSize} offset ${offset}) ${PAGE_VIEW}`),
    ctx.db.$count(services, visible),
  ])
  // The project of a visible service is visible.
  if (total === 0) await requireProject(ctx, query.projectId, 'visible', 'projectId')
  const [percentiles, held] = await Promise.all([percentilesOf(ctx.db, ctx, rows), presentHeld(rows, ctx)])
  const verifiedDomains = rows[0]?.verifiedDomains ?? null
  const items = rows.map((row) => present(ctx, { ...row, verifiedDomains }, percentiles, held))
  return { items, total, page, pageSize }
}

/** Returns a service that has never run. `trust` is null for a service without a script. */
export async function presentNewService(
  db: Queryable,
  ctx: PresentContext,
  row: ServiceRow,
  trust: Trust | null,
): Promise<Service> {
  const { organizationId: _, calls: __, targetHosts, ...shown } = row
  return {
    ...shown,
    state: row.isActive ? 'pending' : 'paused',
    stateSince: row.isActive ? row.createdAt.toISOString() : null,
    lastStatus: null,
    lastStatusSince: null,
    maintenance: await readHeld(db, ctx, row),
    createdAt: row.createdAt.toISOString(),
    unverifiedTargets: trust ? targetHosts.filter((host) => !isTrusted(host, trust)) : [],
    certificates: [],
  }
}

function present(
  ctx: PresentContext,
  row: ServiceViewRow,
  percentiles: Map<string, Percentiles | null>,
  held: Map<string, ServiceMaintenance>,
): Service {
  const metrics = presentMetrics(row, percentiles.get(row.id))
  const unknown = unknownSince(row, new Date(row.readAt))
  const service: Service = {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    label: row.label,
    labels: row.labels,
    script: row.script,
    schedule: row.schedule,
    timezone: row.timezone,
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
    maintenance: held.get(row.id) ?? null,
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

/** An assertion that does not fit the schema would fail the response, so it is left out. */
function presentFailure(failure: LastFailure): LastFailure {
  return { ...failure, assertions: failure.assertions.flatMap((one) => FailedAssertion.safeParse(one).data ?? []) }
}
