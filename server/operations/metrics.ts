import { and, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { reachesProject, reachesService } from '../access.ts'
import { ServiceMetrics } from '../schemas/metrics.ts'
import { HourlyBucket, HoursQuery } from '../schemas/statistics.ts'
import { presentMetrics, readPercentiles, readSummedMetrics } from '../statistics/metrics.ts'
import { readHistory } from '../statistics/runs.ts'
import { projectProcedure, router, serviceProcedure, workspaceProcedure } from '../trpc.ts'

const tags = ['Metrics']
const History = z.array(HourlyBucket)

const ofService = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics',
      operationId: 'getServiceMetrics',
      summary: 'Read the metrics of a service',
      description:
        'Counters since the service exists, the latest run, and the percentiles of the last 24 hours. 204 before the first run.',
      tags,
    },
    api: { noContent: true },
  })
  .output(ServiceMetrics.optional())
  .query(async ({ ctx }) => {
    const own = matchesRow(services.id, ctx.service)
    const [[state], percentiles] = await Promise.all([
      ctx.db.select().from(serviceStates).where(matchesRow(serviceStates.serviceId, ctx.service)),
      readPercentiles(ctx.db, 'service', own, ctx.now()),
    ])
    return (state && presentMetrics(state, percentiles.get(ctx.service.id))) ?? undefined
  })

const historyOfService = serviceProcedure('read')
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
  .query(({ ctx, input }) => readHistory(ctx.reads.db, matchesRow(services.id, ctx.service), input.hours, ctx.now()))

const ofProject = projectProcedure('visible')
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
  })
  .output(ServiceMetrics.optional())
  .query(async ({ ctx }) => {
    const visible = all(matchesRow(services.projectId, ctx.project), reachesService(ctx.actor, 'read'))
    const summed = (await readSummedMetrics(ctx.db, 'project', visible, ctx.now())).get(ctx.project.id)
    return summed?.metrics ? { ...summed.metrics, serviceCount: summed.serviceCount } : undefined
  })

const historyOfProject = projectProcedure('visible')
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
  })
  .input(HoursQuery)
  .output(History)
  .query(({ ctx, input }) => {
    const visible = all(matchesRow(services.projectId, ctx.project), reachesService(ctx.actor, 'read'))
    return readHistory(ctx.db, visible, input.hours, ctx.now())
  })

const ofWorkspace = workspaceProcedure('visible')
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
  })
  .output(ServiceMetrics.optional())
  .query(async ({ ctx }) => {
    const visible = all(matchesRow(projects.workspaceId, ctx.workspace), reachesService(ctx.actor, 'read'))
    const [summed, projectCount] = await Promise.all([
      readSummedMetrics(ctx.db, 'workspace', visible, ctx.now()),
      ctx.db.$count(
        projects,
        and(matchesRow(projects.workspaceId, ctx.workspace), reachesProject(ctx.actor, 'visible')),
      ),
    ])
    const own = summed.get(ctx.workspace.id)
    return own?.metrics ? { ...own.metrics, serviceCount: own.serviceCount, projectCount } : undefined
  })

const historyOfWorkspace = workspaceProcedure('visible')
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
  })
  .input(HoursQuery)
  .output(History)
  .query(({ ctx, input }) => {
    const visible = all(matchesRow(projects.workspaceId, ctx.workspace), reachesService(ctx.actor, 'read'))
    return readHistory(ctx.db, visible, input.hours, ctx.now())
  })

export const metricsRouter = router({
  service: router({ get: ofService, history: historyOfService }),
  project: router({ get: ofProject, history: historyOfProject }),
  workspace: router({ get: ofWorkspace, history: historyOfWorkspace }),
})

function all(...conditions: SQL[]): SQL {
  return and(...conditions) as SQL
}
