import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, asc, eq, type SQL, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { follows } from '#db/schema/alerts.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../access.ts'
import { countHeardWithin, findMute, isReadable, type Resource } from '../alerts/alerts/hearing.ts'
import { findHearing, isHeardBy, type ResourcePath } from '../alerts/alerts/listeners.ts'
import { type BoundWebhook, findBoundWebhooks, findResourcePath, findSilences } from '../alerts/alerts/recipients.ts'
import { silencedNow } from '../alerts/alerts/silencing.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import { readPage } from '../paging.ts'
import { requireResource } from '../resources.ts'
import { belongsToScope, type ScopeRef, scopeIds } from '../row-scope.ts'
import { FOLLOWS_MAX, type Follow, FollowPage, Hearing } from '../schemas/alerts/follows.ts'
import { Ok, PageQuery } from '../schemas/conventions.ts'
import { PRESETS, type WebhookPreset } from '../schemas/organization/webhook-presets.ts'
import { ResourceRef } from '../schemas/scopes.ts'
import { router, sessionProcedure } from '../trpc.ts'
import { findSilence } from './silences.ts'

/** Returns whether and why the caller is notified of a resource that they can see. */
const get = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(ResourceRef)
  .output(Hearing)
  .query(async ({ ctx, input }) => {
    const { actor } = ctx
    const { id, name } = await requireResource(ctx, input.resourceType, input.resourceId, 'visible')
    const path = await findResourcePath(ctx.db, { organizationId: actor.organizationId, type: input.resourceType, id })
    if (!path) throw notFound()
    const [heardThrough, heardWithin, following, mayFollow, silenced, mute, bound] = await Promise.all([
      findHearing(ctx.db, path, actor.membershipId),
      countHeardWithin(ctx.db, actor, path),
      ctx.db.$count(follows, own(ctx, input)),
      isReadable(ctx.db, actor, input),
      findSuppression(ctx, path),
      findMute(ctx.db, actor, input, ctx.now()),
      findBoundWebhooks(ctx.db, path),
    ])
    const heard = bound.filter(({ isEnabled }) => isEnabled)
    return {
      ...{ name, heardThrough, heardWithin, isFollowing: following > 0, mayFollow, silenced, mute },
      webhooks: actor.sections.webhooks === 0 ? null : heard.map(receiverOf),
      webhooksTotal: heard.length,
    }
  })

const list = sessionProcedure
  .input(PageQuery)
  .output(FollowPage)
  .query(({ ctx, input }) => {
    const mine = ownBy(ctx.actor)
    return readPage(
      input,
      selectFollows(ctx.db, ctx).where(mine).orderBy(asc(follows.createdAt), asc(follows.id)),
      () => ctx.db.$count(follows, mine),
      present,
    )
  })

/** Following twice is following once. */
const create = sessionProcedure
  .meta({ api: { errors: ['not_found', 'follow_limit_reached'] } })
  .input(ResourceRef)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const resource = await requireResource(ctx, input.resourceType, input.resourceId, 'read')
    return ctx.db.transaction(async (tx) => {
      await follow(tx, ctx, input, resource.name)
      return { ok: true as const }
    })
  })

/** Possible also for a resource that the caller cannot see any more. */
const remove = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(ResourceRef)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const [row] = await selectFollows(tx, ctx).where(own(ctx, input)).for('update', { of: follows })
      if (!row) throw notFound()
      await tx.delete(follows).where(matchesId(follows.id, ctx.actor.organizationId, row.id))
      await audit(tx, ctx, {
        action: 'follow.delete',
        entityType: input.resourceType,
        entityId: input.resourceId,
        entityName: row.name,
      })
      return { ok: true as const }
    }),
  )

export const followsRouter = router({ get, list, create, remove })

/**
 * Makes the member follow the workspaces that they can read and are not notified of, as many as the limit allows. Returns
 * how many.
 */
export async function followUnheardWorkspaces(tx: Tx, { actor, now }: ActorContext): Promise<number> {
  const { organizationId, membershipId } = actor
  const path = { organizationId, workspaceId: sql`${workspaces.id}`, projectId: null, serviceId: null }
  await lockFollows(tx, membershipId)
  const followed = await tx.execute(sql`
    insert into follows (id, organization_id, workspace_id, membership_id, created_at)
    select gen_random_uuid(), ${organizationId}, ${workspaces.id}, ${membershipId}, ${now().toISOString()}::timestamptz
    from workspaces where ${reachesWorkspace(actor, 'read')} and not ${isHeardBy(membershipId, path)}
    order by ${workspaces.createdAt}, ${workspaces.id}
    limit greatest(0, ${FOLLOWS_MAX} - (select count(*) from follows where ${ownBy(actor)}))
    returning id`)
  return followed.length
}

/** Makes the member follow a resource that they can read. @throws ApiError `follow_limit_reached` */
async function follow(tx: Tx, ctx: ActorContext, resource: Resource, name: string): Promise<void> {
  const { membershipId } = ctx.actor
  await lockFollows(tx, membershipId)
  const isFollowing = (await tx.$count(follows, own(ctx, resource))) > 0
  if (!isFollowing) {
    const held = await tx.$count(follows, ownBy(ctx.actor))
    if (held >= FOLLOWS_MAX) throw new ApiError('follow_limit_reached', { max: FOLLOWS_MAX })
    await tx
      .insert(follows)
      .values({ id: uuidv7(), ...scopeIds(refOf(ctx, resource)), membershipId, createdAt: ctx.now() })
  }
  await audit(tx, ctx, {
    action: 'follow.create',
    entityType: resource.resourceType,
    entityId: resource.resourceId,
    entityName: name,
    ...(isFollowing ? { details: { changed: false } } : {}),
  })
}

/** The limit is counted under a lock, so that two parallel requests cannot exceed it. */
async function lockFollows(tx: Tx, membershipId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`follows:${membershipId}`}, 0))`)
}

type Row = Pick<typeof follows.$inferSelect, 'id' | 'workspaceId' | 'projectId' | 'serviceId' | 'createdAt'> & {
  name: string | null
}

/** Selects the resource's name too, null when the caller can no longer see the resource. */
function selectFollows(db: Queryable, { actor }: ActorContext) {
  return db
    .select({
      id: follows.id,
      workspaceId: follows.workspaceId,
      projectId: follows.projectId,
      serviceId: follows.serviceId,
      createdAt: follows.createdAt,
      name: sql<string | null>`coalesce(${workspaces.name}, ${projects.name}, ${services.name})`,
    })
    .from(follows)
    .leftJoin(workspaces, and(matchesRow(follows.workspaceId, workspaces), reachesWorkspace(actor, 'visible')))
    .leftJoin(projects, and(matchesRow(follows.projectId, projects), reachesProject(actor, 'visible')))
    .leftJoin(services, and(matchesRow(follows.serviceId, services), reachesService(actor, 'visible')))
}

function receiverOf({ name, preset }: BoundWebhook) {
  return { name, receiver: preset === 'json' ? null : PRESETS[preset as WebhookPreset].label }
}

function present({ workspaceId, projectId, serviceId, name, createdAt }: Row): Follow {
  const resourceType = workspaceId ? 'workspace' : projectId ? 'project' : 'service'
  const resourceId = (workspaceId ?? projectId ?? serviceId) as string
  return { resourceType, resourceId, name, createdAt: createdAt.toISOString() }
}

function refOf(ctx: ActorContext, { resourceType, resourceId }: Resource): ScopeRef {
  return { organizationId: ctx.actor.organizationId, scope: resourceType, resourceId }
}

/** Everything that the member follows. */
function ownBy({ organizationId, membershipId }: ActorContext['actor']): SQL {
  return matchesId(follows.membershipId, organizationId, membershipId)
}

function own(ctx: ActorContext, resource: Resource): SQL {
  return and(belongsToScope(follows, refOf(ctx, resource)), eq(follows.membershipId, ctx.actor.membershipId)) as SQL
}

async function findSuppression(ctx: ActorContext, path: ResourcePath): Promise<Hearing['silenced']> {
  const { membershipId, timezone } = ctx.actor
  const held = (await findSilences(ctx.db, ctx.actor.organizationId, [{ membershipId }], path)).get(membershipId) ?? []
  const suppression = await silencedNow(held, { ...path, kind: 'service.failed' }, 'email', ctx.now(), timezone)
  const silence = suppression && (await findSilence(ctx, suppression.silenceId))
  if (!suppression || !silence) return null
  return { reason: suppression.reason, until: suppression.until?.toISOString() ?? null, silence }
}
