import { z } from 'zod'
import { and, type SQL } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { reachesProject, reachesService } from '../access.ts'
import type { ActorContext } from '../context.ts'
import { readSummedMetrics, type SummedMetrics } from '../results/statistics/metrics.ts'
import { readHistory } from '../results/statistics/runs.ts'
import { ServiceMetrics } from '../schemas/metrics.ts'
import { HourlyBucket, HoursQuery } from '../schemas/statistics.ts'
import { projectProcedure, router, serviceProcedure, workspaceProcedure } from '../trpc.ts'

const tags = ['Metrics']
const History = z.array(HourlyBucket)

/** Selects the services of a resource that the member reads. */
function readable({ actor }: ActorContext, within: SQL): SQL {
  return and(within, reachesService(actor, 'read')) as SQL
}

const NONE: SummedMetrics = { metrics: null, serviceCount: 0 }

const ofService = serviceProcedure('read')
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
  })
  .output(ServiceMetrics.optional())
  .query(async ({ ctx }) => {
    const summed = await readSummedMetrics(ctx.db, 'service', matchesRow(services.id, ctx.service), ctx.now())
    return summed.get(ctx.service.id)?.metrics ?? undefined
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
    const within = readable(ctx, matchesRow(services.projectId, ctx.project))
    const summed = await readSummedMetrics(ctx.db, 'project', within, ctx.now())
    const { metrics, serviceCount } = summed.get(ctx.project.id) ?? NONE
    return metrics ? { ...metrics, serviceCount } : undefined
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
    const within = readable(ctx, matchesRow(services.projectId, ctx.project))
    return readHistory(ctx.db, within, input.hours, ctx.now())
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
    const within = matchesRow(projects.workspaceId, ctx.workspace)
    const [summed, projectCount] = await Promise.all([
      readSummedMetrics(ctx.db, 'workspace', readable(ctx, within), ctx.now()),
      ctx.db.$count(projects, and(within, reachesProject(ctx.actor, 'visible'))),
    ])
    const { metrics, serviceCount } = summed.get(ctx.workspace.id) ?? NONE
    return metrics ? { ...metrics, serviceCount, projectCount } : undefined
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
    const within = readable(ctx, matchesRow(projects.workspaceId, ctx.workspace))
    return readHistory(ctx.db, within, input.hours, ctx.now())
  })

export const metricsRouter = router({
  service: router({ get: ofService, history: historyOfService }),
  project: router({ get: ofProject, history: historyOfProject }),
  workspace: router({ get: ofWorkspace, history: historyOfWorkspace }),
})
