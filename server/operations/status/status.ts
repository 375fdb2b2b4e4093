import { anyOf } from '#db/any-of.ts'
import { and, asc, eq, type SQL } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import { notFound } from '../../errors.ts'
import { readRows } from '../../paging.ts'
import { requireResource } from '../../resources.ts'
import { readSummedMetrics } from '../../results/statistics/metrics.ts'
import { PageQuery } from '../../schemas/conventions.ts'
import {
  Activity,
  Board,
  BoardFilters,
  BoardQuery,
  BoardService,
  ProjectStatusPage,
  ProjectStatusQuery,
  SummaryQuery,
  WorkspaceStatusPage,
} from '../../schemas/status/board.ts'
import { FindQuery, Finds } from '../../schemas/status/finds.ts'
import { StateCounts } from '../../schemas/status/state-schemas.ts'
import { readExpiringCertificates, readFilters, readScriptChanges } from '../../status/activity.ts'
import { readBoard, readBoardService, readCounts } from '../../status/board.ts'
import { countProjects, isIn, readContainerCounts } from '../../status/containers.ts'
import { readFinds } from '../../status/finds.ts'
import { readOutlook } from '../../status/outlook.ts'
import { memberProcedure, router, serviceProcedure, sessionProcedure } from '../../trpc.ts'
import { savedViewsRouter } from './saved-views.ts'

// Whin the dashboard shows of the state of services, projects and workspaces. The API has its own fields for it.

const board = memberProcedure
  .input(BoardQuery)
  .output(Board)
  .query(({ ctx, input }) => readBoard(ctx, input))

const service = serviceProcedure('read')
  .output(BoardService)
  .query(async ({ ctx }) => {
    const found = await readBoardService(ctx, ctx.service.id)
    if (!found) throw notFound()
    return found
  })

const activity = sessionProcedure.output(Activity).query(async ({ ctx }) => {
  const [scripts, certificates] = await Promise.all([readScriptChanges(ctx), readExpiringCertificates(ctx)])
  return { scripts, certificates }
})

const find = sessionProcedure
  .input(FindQuery)
  .output(Finds)
  .query(({ ctx, input }) => readFinds(ctx, input.q))

const filters = sessionProcedure.output(BoardFilters).query(({ ctx }) => readFilters(ctx))

/** The states of the services in a workspace or project, with those of it that the member can see. */
const summary = sessionProcedure
  .input(SummaryQuery)
  .output(StateCounts)
  .query(async ({ ctx, input }) => {
    const type = input.workspaceId ? 'workspace' : 'project'
    const { id } = await requireResource(ctx, type, (input.workspaceId ?? input.projectId) as string, 'visible')
    const outlook = await readOutlook(ctx.db, ctx.actor.organizationId)
    return readCounts(ctx.db, outlook, and(isIn(type, id), reachesService(ctx.actor, 'visible')) as SQL)
  })

const listWorkspaces = sessionProcedure
  .input(PageQuery)
  .output(WorkspaceStatusPage)
  .query(async ({ ctx, input }) => {
    const visible = reachesWorkspace(ctx.actor, 'visible')
    const page = await readRows(
      input,
      ctx.db.select().from(workspaces).where(visible).orderBy(asc(workspaces.createdAt), asc(workspaces.id)),
      () => ctx.db.$count(workspaces, visible),
    )
    const ids = page.items.map(({ id }) => id)
    const [counts, projectCounts] = await Promise.all([
      readContainerCounts(ctx.db, ctx.actor, 'workspace', ids),
      countProjects(ctx.db, ctx.actor, ids),
    ])
    const items = page.items.map(({ id, name, createdAt }) => {
      return {
        id,
        name,
        createdAt: createdAt.toISOString(),
        projectCount: projectCounts.get(id) ?? 0,
        counts: counts(id),
      }
    })
    return { ...page, items }
  })

const listProjects = sessionProcedure
  .input(ProjectStatusQuery)
  .output(ProjectStatusPage)
  .query(async ({ ctx, input }) => {
    const { id: workspaceId } = await requireResource(ctx, 'workspace', input.workspaceId, 'visible')
    const visible = and(eq(projects.workspaceId, workspaceId), reachesProject(ctx.actor, 'visible'))
    const page = await readRows(
      input,
      ctx.db.select().from(projects).where(visible).orderBy(asc(projects.createdAt), asc(projects.id)),
      () => ctx.db.$count(projects, visible),
    )
    const ids = page.items.map(({ id }) => id)
    const within = and(anyOf(services.projectId, ids), reachesService(ctx.actor, 'visible'))
    const [counts, summed] = await Promise.all([
      readContainerCounts(ctx.db, ctx.actor, 'project', ids),
      readSummedMetrics(ctx.db, 'project', within, ctx.now()),
    ])
    const items = page.items.map(({ id, name }) => {
      const metrics = summed.get(id)?.metrics
      return {
        id,
        name,
        counts: counts(id),
        runs: metrics?.counters.probesTotal ?? 0,
        passed: metrics?.counters.probesSuccess ?? 0,
        percentiles: metrics?.percentiles ?? { p50: null, p95: null, p99: null },
      }
    })
    return { ...page, items }
  })

export const statusRouter = router({
  activity,
  board,
  filters,
  find,
  projects: listProjects,
  service,
  summary,
  views: savedViewsRouter,
  workspaces: listWorkspaces,
})
