import type { Queryable } from '#db/client.ts'
import { and, asc } from '#db/drizzle.cjs'
import { matchesAny, matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { reachesProject, reachesService } from '../access.ts'
import type { ActorContext } from '../context.ts'
import { type Page, readRows } from '../paging.ts'
import { requireProject, requireWorkspace } from '../resources.ts'
import { readSummedMetrics, type SummedMetrics } from '../results/statistics/metrics.ts'
import type { Project } from '../schemas/projects.ts'

export type ProjectFacts = { id: string; workspaceId: string; name: string; createdAt: Date }

/** Returns a project that the member sees. Within a transaction, it includes the transaction's own changes. */
export async function readProject(ctx: ActorContext, id: string, db: Queryable = ctx.db): Promise<Project> {
  const row = await requireProject({ db, actor: ctx.actor }, id, 'visible')
  const [project] = await presentProjects(ctx, db, [row])
  return project as Project
}

/**
 * Returns the projects of a workspace that the member sees, oldest first.
 * @throws ApiError `not_found` on `workspaceId`, and as `pageOffset`
 */
export async function readProjectPage(
  ctx: ActorContext,
  query: { workspaceId: string; page: number; pageSize: number },
): Promise<Page<Project>> {
  const workspace = await requireWorkspace(ctx, query.workspaceId, 'visible', 'workspaceId')
  const visible = and(matchesRow(projects.workspaceId, workspace), reachesProject(ctx.actor, 'visible'))
  const page = await readRows(
    query,
    ctx.db.select().from(projects).where(visible).orderBy(asc(projects.createdAt), asc(projects.id)),
    () => ctx.db.$count(projects, visible),
  )
  return { ...page, items: await presentProjects(ctx, ctx.db, page.items) }
}

/** Returns a project without services. */
export function presentNewProject(row: ProjectFacts): Project {
  return presentProject(row)
}

/** Counts and metrics cover the services that the member sees. */
async function presentProjects({ actor, now }: ActorContext, db: Queryable, rows: ProjectFacts[]): Promise<Project[]> {
  const ids = rows.map(({ id }) => id)
  const within = and(matchesAny(services.projectId, actor.organizationId, ids), reachesService(actor, 'visible'))
  const summed = await readSummedMetrics(db, 'project', within, now())
  return rows.map((row) => presentProject(row, summed.get(row.id)))
}

function presentProject(row: ProjectFacts, { metrics, serviceCount }: SummedMetrics = NONE): Project {
  const { id, workspaceId, name, createdAt } = row
  return {
    ...{ id, workspaceId, name, createdAt: createdAt.toISOString(), serviceCount },
    ...(metrics ? { metrics: { ...metrics, serviceCount } } : {}),
  }
}

const NONE: SummedMetrics = { metrics: null, serviceCount: 0 }
