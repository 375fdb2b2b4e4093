import { and, asc, eq, gt, isNull } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesAny, matchesRow } from '#db/row-match.ts'
import { agents, projects, serviceAgents, services, type workspaces } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { reachesProject, reachesService } from '../../access.ts'
import type { ActorContext } from '../../context.ts'

// The JSON is written piece by piece: a workspace can have thousands of scripts of 64 kilobytes.

const FORMAT = { format: 'soundline-configuration', formatVersion: 1 }
const PAGE = 10

type ProjectRow = typeof projects.$inferSelect

/** Yields `{format, formatVersion, exportedAt, project}`. */
export async function* projectConfiguration(ctx: ActorContext, project: ProjectRow): AsyncGenerator<string> {
  yield `${open({ ...FORMAT, exportedAt: ctx.now().toISOString() })},"project":`
  yield* projectText(ctx, project)
  yield '}\n'
}

/** Yields `{format, formatVersion, exportedAt, workspace}`, with the projects in the workspace. */
export async function* workspaceConfiguration(
  ctx: ActorContext,
  workspace: typeof workspaces.$inferSelect,
): AsyncGenerator<string> {
  yield `${open({ ...FORMAT, exportedAt: ctx.now().toISOString() })},"workspace":`
  const held = await readVariables(ctx, matchesRow(variables.workspaceId, workspace))
  yield `${open({ name: workspace.name, variables: held.map(present) })},"projects":[`
  let isFirst = true
  for await (const project of inPages((last) => readProjects(ctx, workspace.id, last))) {
    if (!isFirst) yield ','
    isFirst = false
    yield* projectText(ctx, project)
  }
  yield ']}}\n'
}

async function* projectText(ctx: ActorContext, project: ProjectRow): AsyncGenerator<string> {
  const held = await readVariables(ctx, matchesRow(variables.projectId, project))
  yield `${open({ name: project.name, variables: held.map(present) })},"services":[`
  let isFirst = true
  for await (const service of inPages((last) => readServices(ctx, project.id, last))) {
    yield `${isFirst ? '' : ','}${JSON.stringify(service.shown)}`
    isFirst = false
  }
  yield ']}'
}

/** Returns the object's JSON without its closing brace. */
function open(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}

type Position = { id: string }

/** Yields the rows of all pages. Each page starts after the last id of the one before; ids are in order of creation. */
async function* inPages<T extends Position>(read: (last: Position | null) => Promise<T[]>): AsyncGenerator<T> {
  for (let last: Position | null = null; ; ) {
    const rows: T[] = await read(last)
    yield* rows
    last = rows.at(-1) ?? null
    if (rows.length < PAGE || !last) return
  }
}

function readProjects(ctx: ActorContext, workspaceId: string, last: Position | null): Promise<ProjectRow[]> {
  return ctx.db
    .select()
    .from(projects)
    .where(
      and(
        eq(projects.workspaceId, workspaceId),
        reachesProject(ctx.actor, 'read'),
        last ? gt(projects.id, last.id) : undefined,
      ),
    )
    .orderBy(asc(projects.id))
    .limit(PAGE)
}

async function readServices(ctx: ActorContext, projectId: string, last: Position | null) {
  const rows = await ctx.db
    .select()
    .from(services)
    .where(
      and(
        eq(services.projectId, projectId),
        reachesService(ctx.actor, 'read'),
        last ? gt(services.id, last.id) : undefined,
      ),
    )
    .orderBy(asc(services.id))
    .limit(PAGE)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [held, bound] = await Promise.all([
    readVariables(ctx, matchesAny(variables.serviceId, ctx.actor.organizationId, ids)),
    ctx.db
      .select({ serviceId: serviceAgents.serviceId, slug: agents.slug })
      .from(serviceAgents)
      .innerJoin(agents, eq(agents.id, serviceAgents.agentId))
      .where(matchesAny(serviceAgents.serviceId, ctx.actor.organizationId, ids))
      .orderBy(byName(agents.slug)),
  ])
  return rows.map(({ id, ...row }) => ({
    id,
    shown: {
      name: row.name,
      label: row.label,
      labels: row.labels,
      isActive: row.isActive,
      schedule: row.schedule,
      timezone: row.timezone,
      probeMode: row.probeMode,
      queuePolicy: row.queuePolicy,
      serviceWindow: row.serviceWindow,
      saveResponseBodies: row.saveResponseBodies,
      sendTraceparent: row.sendTraceparent,
      agents: bound.filter(({ serviceId }) => serviceId === id).map(({ slug }) => slug),
      variables: held.filter(({ serviceId }) => serviceId === id).map(present),
      script: row.script,
    },
  }))
}

function readVariables(ctx: ActorContext, scope: ReturnType<typeof eq>) {
  return ctx.db
    .select()
    .from(variables)
    .where(and(eq(variables.organizationId, ctx.actor.organizationId), scope, isNull(variables.systemType)))
    .orderBy(byName(variables.key))
}

/** Only the value of a metric is exported; other values can be written and never read. */
function present({ key, type, value, allowedHosts }: typeof variables.$inferSelect) {
  return { key, type, value: type === 'metric' ? value : null, ...(type === 'secret' ? { allowedHosts } : {}) }
}
