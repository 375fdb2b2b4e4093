import { and, eq } from 'drizzle-orm'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { type Reach, reachesProject, reachesService, reachesWorkspace } from './access.ts'
import type { ActorContext } from './context.ts'
import { notFound } from './errors.ts'
import type { ResourceType } from './schemas/scopes.ts'

// The 404 rule: a query finds only what the member can reach (access.ts), so a missing resource and one out of reach get
// the same 404, also a write by a member who may only read. A 403 would tell a caller which ids exist. `field` is the
// input that the 404 names.
// Each type has its own function, because callers need the type's whole row.

/** Returns the workspace's row. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireWorkspace(ctx: ActorContext, id: string, reach: Reach, field = 'id') {
  const [row] = await ctx.db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.id, id), reachesWorkspace(ctx.actor, reach)))
  if (!row) throw notFound(field)
  return row
}

/** Returns the project's row. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireProject(ctx: ActorContext, id: string, reach: Reach, field = 'id') {
  const [row] = await ctx.db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), reachesProject(ctx.actor, reach)))
  if (!row) throw notFound(field)
  return row
}

/** Returns the service's row. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireService(ctx: ActorContext, id: string, reach: Reach, field = 'id') {
  const [row] = await ctx.db
    .select()
    .from(services)
    .where(and(eq(services.id, id), reachesService(ctx.actor, reach)))
  if (!row) throw notFound(field)
  return row
}

/** Returns the row of a resource of any type. @throws ApiError `not_found` when it does not exist or is out of reach */
export async function requireResource(
  ctx: ActorContext,
  type: ResourceType,
  id: string,
  reach: Reach,
  field = 'resourceId',
): Promise<{ id: string; name: string }> {
  if (type === 'workspace') return requireWorkspace(ctx, id, reach, field)
  if (type === 'project') return requireProject(ctx, id, reach, field)
  return requireService(ctx, id, reach, field)
}
