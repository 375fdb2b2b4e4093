import { and, eq, sql } from 'drizzle-orm'
import type { PgTable, SubqueryWithSelection } from 'drizzle-orm/pg-core'
import { withCheck } from '#db/checked.ts'
import type { Queryable } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { memberCondition, REACHABLE, type Reach, reachesProject, reachesService, reachesWorkspace } from './access.ts'
import type { ActorContext } from './context.ts'
import { notFound } from './errors.ts'
import { type Page, pageOffset } from './paging.ts'
import type { PageQuery } from './schemas/conventions.ts'
import type { ResourceType } from './schemas/scopes.ts'

// The 404 rule: a query finds only what the member can reach (access.ts), so a missing resource and one out of reach
// get the same 404, also for a write without write access. A 403 would reveal which ids exist. `field` is the input
// that the 404 names.

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

const readsService = memberCondition<{ id: string }>(
  (member) => sql`services.id = ${sql.placeholder('id')} and ${reachesService(member, 'read')}`,
)

/**
 * Returns what is stored of a service that the member can read. Each statement of `read` contains the check. Only a
 * replica's statements cannot, because its permissions may be old: there the check runs on the primary at the same time,
 * and nothing is returned before.
 * @throws ApiError `not_found`
 */
export async function readOfService<T>(
  ctx: ActorContext,
  id: string,
  read: (db: Queryable, service: RowKey<string>) => Promise<T>,
): Promise<T> {
  const service = { organizationId: ctx.actor.organizationId, id: id.toLowerCase() }
  const refuse = () => notFound('id')
  if (ctx.reads.db === ctx.db) {
    const check = { table: 'services', condition: readsService(ctx.actor, { id }) }
    return await withCheck(ctx.db, check, refuse, (db) => read(db, service))
  }
  const check = requireService(ctx, id, 'read')
  const reading = read(ctx.reads.db, service)
  // The refusal of the check comes before a failure of the read.
  reading.catch(() => {})
  await check
  return await reading
}

/** A resource that a request names, the access that its member needs, and the input that a 404 names. */
export type Target = { type: ResourceType; id: string; reach: Reach; field?: string }

/** A query that has not been sent. */
type Query<R> = PromiseLike<R[]> & { as(alias: string): unknown }

/**
 * Returns the rows of a query, in one statement with the check that the member reaches the resource. The query finds only
 * rows of this resource, and runs only if the member reaches it.
 * @throws ApiError `not_found` as `requireResource`
 */
export async function readWithin<R>(
  ctx: ActorContext,
  { type, id, reach, field = 'id' }: Target,
  query: Query<R>,
): Promise<R[]> {
  const [table, reaches] = REACHABLE[type]
  const part = query.as('part') as SubqueryWithSelection<Record<string, never>, 'part'>
  const rows = await ctx.db
    .select({ part: part._.selectedFields })
    .from(table as PgTable)
    .leftJoinLateral(part, sql`true`)
    .where(and(eq(table.id, id), reaches(ctx.actor, reach)))
  if (rows.length === 0) throw notFound(field)
  return rows.flatMap((row) => (row.part as R | null) ?? [])
}

/**
 * Returns one page of the rows of a query as `readWithin` reads them; the count is a second statement, sent at once.
 * @throws ApiError `not_found`, and as `pageOffset`
 */
export async function readPageWithin<R, T>(
  ctx: ActorContext,
  target: Target,
  query: PageQuery,
  rows: { limit(limit: number): { offset(offset: number): Query<R> } },
  count: () => Promise<number>,
  present: (row: R) => T,
): Promise<Page<T>> {
  const { page, pageSize } = query
  const selected = rows.limit(pageSize).offset(pageOffset(query))
  const [items, total] = await Promise.all([readWithin(ctx, target, selected), count()])
  return { items: items.map((row) => present(row)), total, page, pageSize }
}
