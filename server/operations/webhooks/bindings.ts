import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, asc, eq, inArray, isNull, lte, or, type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesId, matchesRow } from '#db/row-match.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import { answerAlertQuestion } from '../../alerts/alerts/alert-question.ts'
import type { ResourcePath } from '../../alerts/alerts/listeners.ts'
import { findResourcePath } from '../../alerts/alerts/recipients.ts'
import { audit } from '../../audit.ts'
import type { Actor, ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { requireResource } from '../../resources.ts'
import { type ScopeRef, scopeIds } from '../../row-scope.ts'
import { PageQuery, WebhookId } from '../../schemas/conventions.ts'
import { ResourceRef } from '../../schemas/scopes.ts'
import { type BindingScopeRef, type PlacedBinding, PlacedBindingPage } from '../../schemas/webhooks.ts'
import { orgSessionProcedure, requireSection } from '../../trpc.ts'

// What a webhook is bound to: the pages of webhooks and resources, and what every new binding needs.

/** Lists the bindings above a resource, whose events its webhooks get too. */
export const listInherited = orgSessionProcedure('webhooks', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(ResourceRef.extend(PageQuery.shape))
  .output(PlacedBindingPage)
  .query(async ({ ctx, input }) => {
    const { organizationId } = ctx.actor
    const { id } = await requireResource(ctx, input.resourceType, input.resourceId, 'read')
    const path = await findResourcePath(ctx.db, { organizationId, type: input.resourceType, id })
    if (!path) throw notFound('resourceId')
    return readPlaced(ctx, input, isAbove(path))
  })

/** Lists what a webhook is bound to. A resource that the member cannot see has no id and no name. */
export const listOfWebhook = orgSessionProcedure('webhooks', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(PageQuery.extend({ webhookId: WebhookId }))
  .output(PlacedBindingPage)
  .query(async ({ ctx, input }) => {
    const { organizationId } = ctx.actor
    const count = await ctx.db.$count(webhooks, matchesId(webhooks.id, organizationId, input.webhookId))
    if (count === 0) throw notFound('webhookId')
    return readPlaced(ctx, input, matchesId(webhookBindings.webhookId, organizationId, input.webhookId))
  })

/** Returns the first bindings of some webhooks, oldest first: at most `max` of each. */
export async function readFirstBindings(
  { db, actor }: ActorContext,
  webhookIds: string[],
  max: number,
): Promise<PlacedBinding[]> {
  if (webhookIds.length === 0) return []
  const { id, webhookId, createdAt } = webhookBindings
  const ranked = db
    .select({
      id,
      place: sql<number>`row_number() over (partition by ${webhookId} order by ${createdAt}, ${id})`.as('place'),
    })
    .from(webhookBindings)
    .where(matchesAny(webhookId, actor.organizationId, webhookIds))
    .as('ranked')
  const first = db.select({ id: ranked.id }).from(ranked).where(lte(ranked.place, max))
  const rows = await selectPlaced(db, actor)
    .where(and(eq(webhookBindings.organizationId, actor.organizationId), inArray(id, first)))
    .orderBy(asc(webhookBindings.createdAt), asc(webhookBindings.id))
  return rows.map(presentPlaced)
}

/** What a binding belongs to, with its name. */
type BoundScope = { ref: ScopeRef; name: string }

/**
 * Returns what a binding of the input belongs to. A webhook of the whole organization must not tell more than the member
 * may read, so that a new one needs read on Workspaces.
 * @throws ApiError `not_found` naming `field`, or `insufficient_permissions`
 */
export async function requireBindingScope(
  ctx: ActorContext,
  { resourceType: scope, resourceId }: BindingScopeRef,
  reach: 'read' | 'write',
  field = 'resourceId',
): Promise<BoundScope> {
  const { organizationId, organizationName } = ctx.actor
  if (scope !== 'organization') {
    const { id, name } = await requireResource(ctx, scope, resourceId, reach, field)
    return { ref: { organizationId, scope, resourceId: id }, name }
  }
  if (reach === 'write') requireSection(ctx, 'workspaces', 'read')
  if (resourceId !== organizationId) throw notFound(field)
  return { ref: { organizationId, scope, resourceId }, name: organizationName }
}

/** Binds a webhook, with the audit entry, which also answers where alerts go. */
export async function insertBinding(
  tx: Tx,
  ctx: ActorContext,
  webhook: { id: string; name: string },
  { ref, name: resourceName }: BoundScope,
  enabled: boolean,
) {
  const row = { id: uuidv7(), webhookId: webhook.id, enabled, createdAt: ctx.now() }
  await tx.insert(webhookBindings).values({ ...row, ...scopeIds(ref) })
  await answerAlertQuestion(tx, ctx)
  await audit(tx, ctx, {
    action: 'webhook.bind',
    entityType: 'webhook_binding',
    entityId: row.id,
    entityName: webhook.name,
    details: { webhookId: webhook.id, resourceType: ref.scope, resourceId: ref.resourceId, resourceName, enabled },
  })
  return row
}

/** Whether a binding belongs to something above the resource. */
function isAbove({ organizationId, workspaceId, projectId, serviceId }: ResourcePath): SQL {
  const { workspaceId: workspace, projectId: project, serviceId: service } = webhookBindings
  return and(
    eq(webhookBindings.organizationId, organizationId),
    or(
      and(isNull(workspace), isNull(project), isNull(service)),
      projectId === null ? undefined : eq(workspace, workspaceId),
      projectId === null || serviceId === null ? undefined : eq(project, projectId),
    ),
  ) as SQL
}

function readPlaced({ db, actor }: ActorContext, input: PageQuery, where: SQL) {
  return readPage(
    input,
    selectPlaced(db, actor).where(where).orderBy(asc(webhookBindings.createdAt), asc(webhookBindings.id)),
    () => db.$count(webhookBindings, where),
    presentPlaced,
  )
}

/** Selects the names of what the actor can see alone. */
function selectPlaced(db: Queryable, actor: Actor) {
  const { id, webhookId, enabled, createdAt, workspaceId, projectId, serviceId } = webhookBindings
  const isOfOrganization = sql`num_nonnulls(${workspaceId}, ${projectId}, ${serviceId}) = 0`
  return db
    .select({
      ...{ id, webhookId, webhookName: webhooks.name, enabled, createdAt, workspaceId, projectId, serviceId },
      resourceId: sql<string | null>`coalesce(${workspaces.id}, ${projects.id}, ${services.id}, ${organizations.id})`,
      resourceName: sql<
        string | null
      >`coalesce(${workspaces.name}, ${projects.name}, ${services.name}, ${organizations.name})`,
    })
    .from(webhookBindings)
    .innerJoin(webhooks, matchesRow(webhookBindings.webhookId, webhooks))
    .leftJoin(workspaces, and(matchesRow(workspaceId, workspaces), reachesWorkspace(actor, 'visible')))
    .leftJoin(projects, and(matchesRow(projectId, projects), reachesProject(actor, 'visible')))
    .leftJoin(services, and(matchesRow(serviceId, services), reachesService(actor, 'visible')))
    .leftJoin(organizations, and(eq(organizations.id, webhookBindings.organizationId), isOfOrganization))
}

type PlacedRow = Awaited<ReturnType<typeof selectPlaced>>[number]

function presentPlaced({ workspaceId, projectId, serviceId, createdAt, ...row }: PlacedRow): PlacedBinding {
  const resourceType = serviceId ? 'service' : projectId ? 'project' : workspaceId ? 'workspace' : 'organization'
  return { ...row, resourceType, createdAt: createdAt.toISOString() }
}
