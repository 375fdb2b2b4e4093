import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { statement } from '#db/statement.ts'
import {
  type MemberStatement,
  memberStatement,
  REACHABLE,
  reachesProject,
  reachesService,
  reachesWorkspace,
} from '../access.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { readOfService } from '../resources.ts'
import { ProjectId, ServiceId, WorkspaceId } from '../schemas/conventions.ts'
import { ServiceMetrics } from '../schemas/metrics.ts'
import { HourlyBucket, HoursQuery } from '../schemas/statistics.ts'
import {
  LATENCY_BOUND_PLACEHOLDERS,
  latencyBounds,
  metricsColumns,
  metricsJoins,
  type ServiceMetricsRow,
  type SummedMetrics,
  sumMetrics,
} from '../statistics/metrics.ts'
import { presentHistory, type StoredHistory, selectHistory } from '../statistics/runs.ts'
import { lastBuckets } from '../statistics/windows.ts'
import { memberProcedure, router, serviceIdProcedure } from '../trpc.ts'

const tags = ['Metrics']
const History = z.array(HourlyBucket)

// One row per service that the member sees, so that each row stays small; without any, one row whose service is null.
type Values = { id: string; hour: string; since: string }
type Found = ServiceMetricsRow | { serviceId: null }
const id = sql.placeholder('id')

const metricsOfService = memberStatement<Values, Found>(
  (member) => sql`
    select ${metricsColumns} from services ${metricsJoins(LATENCY_BOUND_PLACEHOLDERS)}
    where services.id = ${id} and ${reachesService(member, 'read')}`,
)

const metricsOfProject = memberStatement<Values, Found>(
  (member) => sql`
    select ${metricsColumns} from projects
    left join services on services.organization_id = projects.organization_id and services.project_id = projects.id
      and ${reachesService(member, 'read')}
    ${metricsJoins(LATENCY_BOUND_PLACEHOLDERS)}
    where projects.id = ${id} and ${reachesProject(member, 'visible')}`,
)

const metricsOfWorkspace = memberStatement<Values, Found & { projectCount: number }>(
  (member) => sql`
    select ${metricsColumns}, (
      select count(*)::int from projects
      where projects.workspace_id = ${id} and ${reachesProject(member, 'visible')}) as "projectCount"
    from workspaces
    left join (projects join services
      on (services.organization_id, services.project_id) = (projects.organization_id, projects.id))
      on projects.organization_id = workspaces.organization_id and projects.workspace_id = workspaces.id
      and ${reachesService(member, 'read')}
    ${metricsJoins(LATENCY_BOUND_PLACEHOLDERS)}
    where workspaces.id = ${id} and ${reachesWorkspace(member, 'visible')}`,
)

type HistoryValues = { id: string; since: string }

const historyOfOne = statement<HistoryValues & { organizationId: string }, StoredHistory>(() =>
  selectHistory(sql`services.organization_id = ${sql.placeholder('organizationId')} and services.id = ${id}`),
)

const historyWithinProject = historyWithin('project', sql`services.project_id = ${id}`)
const historyWithinWorkspace = historyWithin('workspace', sql`projects.workspace_id = ${id}`)

/** Sums over the services that `isWithin` selects, as far as the member reads them. */
function historyWithin(type: 'project' | 'workspace', isWithin: SQL) {
  const [table, reaches] = REACHABLE[type]
  return memberStatement<HistoryValues, StoredHistory>(
    (member) => sql`
      select history.* from ${table}
      left join lateral (${selectHistory(sql`${isWithin} and ${reachesService(member, 'read')}`)}) history on true
      where ${table.id} = ${id} and ${reaches(member, 'visible')}`,
  )
}

/** @throws ApiError `not_found` when the member does not see the resource */
async function readHistory(
  read: MemberStatement<HistoryValues, StoredHistory>,
  ctx: ActorContext,
  { id, hours }: { id: string; hours: number },
): Promise<HourlyBucket[]> {
  const { since, starts } = lastBuckets('hour', hours, ctx.now())
  const [stored] = await read(ctx, { id, since: since.toISOString() })
  if (!stored) throw notFound('id')
  return presentHistory(stored, starts)
}

/** @throws ApiError `not_found` when the member does not see the resource */
async function readMetrics<R extends Found>(
  read: MemberStatement<Values, R>,
  ctx: ActorContext,
  id: string,
): Promise<SummedMetrics & { first: R }> {
  const rows = await read(ctx, { id, ...latencyBounds(ctx.now()) })
  const [first] = rows
  if (!first) throw notFound('id')
  return { ...sumMetrics(rows.filter((row): row is R & ServiceMetricsRow => row.serviceId !== null)), first }
}

const ofService = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics',
      operationId: 'getServiceMetrics',
      summary: 'Read the metrics of a service',
      description:
        'Counters since the service was created, the latest run, and the percentiles of the last 24 hours. 204 before the first run.',
      tags,
    },
    api: { noContent: true },
    needs: { on: ['service'], level: 'read' },
  })
  .input(z.object({ id: ServiceId }))
  .output(ServiceMetrics.optional())
  .query(async ({ ctx, input }) => (await readMetrics(metricsOfService, ctx, input.id)).metrics ?? undefined)

const historyOfService = serviceIdProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/history',
      operationId: 'getServiceMetricsHistory',
      summary: "Read a service's runs by hour",
      description: 'One entry per hour, oldest first; hours without runs are present.',
      tags,
    },
  })
  .input(HoursQuery)
  .output(History)
  .query(async ({ ctx, input: { id, hours } }) => {
    const { since, starts } = lastBuckets('hour', hours, ctx.now())
    const [stored] = await readOfService(ctx, id, (db, { organizationId }) =>
      historyOfOne(db, { organizationId, id, since: since.toISOString() }),
    )
    return presentHistory(stored as StoredHistory, starts)
  })

const ofProject = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/projects/{id}/metrics',
      operationId: 'getProjectMetrics',
      summary: 'Read the metrics of a project',
      description: 'Sums over the services that the caller can see, with their number. 204 before the first run.',
      tags,
    },
    api: { noContent: true },
    needs: { on: ['project'], level: 'visible' },
  })
  .input(z.object({ id: ProjectId }))
  .output(ServiceMetrics.optional())
  .query(async ({ ctx, input }) => {
    const { metrics, serviceCount } = await readMetrics(metricsOfProject, ctx, input.id)
    return metrics ? { ...metrics, serviceCount } : undefined
  })

const historyOfProject = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/projects/{id}/metrics/history',
      operationId: 'getProjectMetricsHistory',
      summary: "Read a project's runs by hour",
      description:
        'Sums over the services that the caller can see: one entry per hour, oldest first; hours without runs are present.',
      tags,
    },
    needs: { on: ['project'], level: 'visible' },
  })
  .input(HoursQuery.extend({ id: ProjectId }))
  .output(History)
  .query(({ ctx, input }) => readHistory(historyWithinProject, ctx, input))

const ofWorkspace = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/workspaces/{id}/metrics',
      operationId: 'getWorkspaceMetrics',
      summary: 'Read the metrics of a workspace',
      description:
        'Sums over the services that the caller can see, with the numbers of projects and services. 204 before the first run.',
      tags,
    },
    api: { noContent: true },
    needs: { on: ['workspace'], level: 'visible' },
  })
  .input(z.object({ id: WorkspaceId }))
  .output(ServiceMetrics.optional())
  .query(async ({ ctx, input }) => {
    const { metrics, serviceCount, first } = await readMetrics(metricsOfWorkspace, ctx, input.id)
    return metrics ? { ...metrics, serviceCount, projectCount: first.projectCount } : undefined
  })

const historyOfWorkspace = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/workspaces/{id}/metrics/history',
      operationId: 'getWorkspaceMetricsHistory',
      summary: "Read a workspace's runs by hour",
      description:
        'Sums over the services that the caller can see: one entry per hour, oldest first; hours without runs are present.',
      tags,
    },
    needs: { on: ['workspace'], level: 'visible' },
  })
  .input(HoursQuery.extend({ id: WorkspaceId }))
  .output(History)
  .query(({ ctx, input }) => readHistory(historyWithinWorkspace, ctx, input))

export const metricsRouter = router({
  service: router({ get: ofService, history: historyOfService }),
  project: router({ get: ofProject, history: historyOfProject }),
  workspace: router({ get: ofWorkspace, history: historyOfWorkspace }),
})
