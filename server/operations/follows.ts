import { and, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { follows } from '#db/schema/alerts.ts'
import { countHeardWithin, findMute, isReadable, type Resource } from '../alerts/hearing.ts'
import { findHearing, type Place } from '../alerts/listeners.ts'
import { findPlace, findSilences } from '../alerts/recipients.ts'
import { silencedNow } from '../alerts/silencing.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import { requireResource } from '../resources.ts'
import { FOLLOWS_MAX, FollowedResource, Hearing } from '../schemas/alerts/follows.ts'
import { Ok } from '../schemas/conventions.ts'
import { belongsToScope, type ScopeRef, scopeColumns } from '../scopes.ts'
import { router, sessionProcedure } from '../trpc.ts'
import { findSilence } from './silences.ts'

/** Returns whether and why the caller hears of a resource that they can see. */
const get = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(FollowedResource)
  .output(Hearing)
  .query(async ({ ctx, input }) => {
    const { actor } = ctx
    const { id, name } = await requireResource(ctx, input.resourceType, input.resourceId, 'visible')
    const place = await findPlace(ctx.db, { organizationId: actor.organizationId, type: input.resourceType, id })
    if (!place) throw notFound()
    const [heardThrough, heardWithin, following, mayFollow, silenced, mute] = await Promise.all([
      findHearing(ctx.db, place, actor.membershipId),
      countHeardWithin(ctx.db, actor, place),
      ctx.db.$count(follows, own(ctx, input)),
      isReadable(ctx.db, actor, input),
      findSuppression(ctx, place),
      findMute(ctx.db, actor, input, ctx.now()),
    ])
    return { name, heardThrough, heardWithin, isFollowing: following > 0, mayFollow, silenced, mute }
  })

/** Following twice is following once. */
const create = sessionProcedure
  .meta({ api: { errors: ['not_found', 'follow_limit_reached'] } })
  .input(FollowedResource)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const resource = await requireResource(ctx, input.resourceType, input.resourceId, 'read')
    const { membershipId } = ctx.actor
    return ctx.db.transaction(async (tx) => {
      // Counted under a lock, so that two parallel requests cannot exceed the limit.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`follows:${membershipId}`}, 0))`)
      const isFollowing = (await tx.$count(follows, own(ctx, input))) > 0
      if (!isFollowing) {
        const held = await tx.$count(follows, eq(follows.membershipId, membershipId))
        if (held >= FOLLOWS_MAX) throw new ApiError('follow_limit_reached', { max: FOLLOWS_MAX })
        await tx
          .insert(follows)
          .values({ id: uuidv7(), ...scopeColumns(refOf(ctx, input)), membershipId, createdAt: ctx.now() })
      }
      await audit(tx, ctx, {
        action: 'follow.create',
        entityType: input.resourceType,
        entityId: resource.id,
        entityName: resource.name,
        ...(isFollowing ? { details: { changed: false } } : {}),
      })
      return { ok: true as const }
    })
  })

/** Possible as long as the caller can see the resource, even if it can no longer be followed. */
const remove = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(FollowedResource)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const resource = await requireResource(ctx, input.resourceType, input.resourceId, 'visible')
    return ctx.db.transaction(async (tx) => {
      const removed = await tx.delete(follows).where(own(ctx, input)).returning({ id: follows.id })
      if (removed.length === 0) throw notFound()
      await audit(tx, ctx, {
        action: 'follow.delete',
        entityType: input.resourceType,
        entityId: resource.id,
        entityName: resource.name,
      })
      return { ok: true as const }
    })
  })

export const followsRouter = router({ get, create, remove })

function refOf(ctx: ActorContext, { resourceType, resourceId }: Resource): ScopeRef {
  return { organizationId: ctx.actor.organizationId, scope: resourceType, resourceId }
}

function own(ctx: ActorContext, resource: Resource): SQL {
  return and(belongsToScope(follows, refOf(ctx, resource)), eq(follows.membershipId, ctx.actor.membershipId)) as SQL
}

async function findSuppression(ctx: ActorContext, place: Place): Promise<Hearing['silenced']> {
  const { membershipId, timezone } = ctx.actor
  const held = (await findSilences(ctx.db, [{ membershipId }], place)).get(membershipId) ?? []
  const suppression = await silencedNow(held, { ...place, kind: 'service.failed' }, 'email', ctx.now(), timezone)
  const silence = suppression && (await findSilence(ctx, suppression.silenceId))
  if (!suppression || !silence) return null
  return { reason: suppression.reason, until: suppression.until?.toISOString() ?? null, silence }
}
