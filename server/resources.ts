import type { Queryable } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { type Reach, reachesProject, reachesService, reachesWorkspace } from './access.ts'
import type { Actor } from './context.ts'
import { notFound } from './errors.ts'
import type { ResourceType } from './schemas/scopes.ts'

// The 404 rule: a query finds only what the member can reach (access.ts), so a missing resource and one out of reach
// get the same 404, also for a write without write access. A 403 would reveal which ids exist. `field` is the input
// that the 404 names. The check is on the primary: a replica's permissions may be old.

type Reader = { db: Queryable; actor: Actor }

/** Returns the workspace's row. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireWorkspace(ctx: Reader, id: string, reach: Reach, field = 'id') {
  const [row] = await ctx.db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.id, id), reachesWorkspace(ctx.actor, reach)))
  if (!row) throw notFound(field)
  return row
}

/** Returns the project's row. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireProject(ctx: Reader, id: string, reach: Reach, field = 'id') {
  const [row] = await ctx.db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), reachesProject(ctx.actor, reach)))
  if (!row) throw notFound(field)
  return row
}

/** Returns the service's row. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireService(ctx: Reader, id: string, reach: Reach, field = 'id') {
  const [row] = await ctx.db
    .select()
    .from(services)
    .where(and(eq(services.id, id), reachesService(ctx.actor, reach)))
  if (!row) throw notFound(field)
  return row
}

/** Returns the row of a resource of any type. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireResource(
  ctx: Reader,
  type: ResourceType,
  id: string,
  reach: Reach,
  field = 'resourceId',
): Promise<{ id: string; name: string }> {
  if (type === 'workspace') return requireWorkspace(ctx, id, reach, field)
  if (type === 'project') return requireProject(ctx, id, reach, field)
  return requireService(ctx, id, reach, field)
}
