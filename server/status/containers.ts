import { anyOf } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { and, eq, type SQL, sql } from '#db/drizzle.cjs'
import { projects, services } from '#db/schema/resources.ts'
import { reachesProject, reachesService } from '../access.ts'
import type { Actor } from '../context.ts'
import { NO_SERVICES, type StateCounts } from '../schemas/status/states.ts'
import { readOutlook } from './outlook.ts'
import { type CountRow, servicesWithState, toCounts } from './state-columns.ts'

const KEYS = { workspace: projects.workspaceId, project: services.projectId } as const

/** Returns the states of the services that the member can see in workspaces or projects, by their ids. */
export async function readContainerCounts(
  db: Queryable,
  actor: Actor,
  type: keyof typeof KEYS,
  ids: string[],
): Promise<(id: string) => StateCounts> {
  if (ids.length === 0) return () => NO_SERVICES
  const where = and(anyOf(KEYS[type], ids), reachesService(actor, 'visible')) as SQL
  const outlook = await readOutlook(db, actor.organizationId)
  const rows = await db.execute<CountRow & { id: string }>(sql`
    select ${KEYS[type]} as id, x.state, count(*)::int as count from ${servicesWithState(outlook)} where ${where} group by 1, 2`)
  const byId = Map.groupBy(rows, ({ id }) => id)
  return (id) => toCounts(byId.get(id) ?? [])
}

/** Returns how many projects the member can see in workspaces, by their ids. */
export async function countProjects(db: Queryable, actor: Actor, workspaceIds: string[]): Promise<Map<string, number>> {
  if (workspaceIds.length === 0) return new Map()
  const rows = await db
    .select({ id: projects.workspaceId, count: sql<number>`count(*)::int` })
    .from(projects)
    .where(and(anyOf(projects.workspaceId, workspaceIds), reachesProject(actor, 'visible')))
    .groupBy(projects.workspaceId)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Returns the condition for services of one workspace or project. */
export function isIn(type: keyof typeof KEYS, id: string): SQL {
  return eq(KEYS[type], id)
}
