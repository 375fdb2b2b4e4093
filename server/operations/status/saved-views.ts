import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, eq, type SQL, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesId } from '#db/row-match.ts'
import { savedViews } from '#db/schema/organizations.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { Id, Ok } from '../../schemas/conventions.ts'
import { SavedView, SavedViewChange, SavedViewCreate, SavedViews, VIEWS_MAX } from '../../schemas/status/saved-views.ts'
import { router, sessionProcedure } from '../../trpc.ts'

// The member's own views of the board. Those of others are never shown.

const list = sessionProcedure.output(SavedViews).query(async ({ ctx }) => {
  const rows = await ctx.db.select().from(savedViews).where(own(ctx)).orderBy(byName(savedViews.name))
  return { views: rows.map(present) }
})

const create = sessionProcedure
  .meta({ api: { errors: ['already_exists', 'view_limit_reached'] } })
  .input(SavedViewCreate)
  .output(SavedView)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      await requireRoom(tx, ctx)
      const { organizationId, membershipId } = ctx.actor
      const row = { id: uuidv7(), organizationId, membershipId, ...input, createdAt: ctx.now() }
      await tx.insert(savedViews).values(row)
      await audit(tx, ctx, entryOf('create', row))
      return present(row)
    }),
  )

const update = sessionProcedure
  .meta({ api: { errors: ['already_exists', 'not_found'] } })
  .input(SavedViewChange)
  .output(SavedView)
  .mutation(({ ctx, input: { id, ...changes } }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockView(tx, ctx, id)
      const changed = { ...row, name: changes.name ?? row.name, query: changes.query ?? row.query }
      await tx.update(savedViews).set({ name: changed.name, query: changed.query }).where(ownOf(ctx, id))
      await audit(tx, ctx, { ...entryOf('update', changed), details: changedFields(row, changes) })
      return present(changed)
    }),
  )

const remove = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(z.object({ id: Id }))
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockView(tx, ctx, input.id)
      await tx.delete(savedViews).where(ownOf(ctx, input.id))
      await audit(tx, ctx, entryOf('delete', row))
      return { ok: true as const }
    }),
  )

export const savedViewsRouter = router({ list, create, update, remove })

function own({ actor }: ActorContext): SQL {
  const { organizationId, membershipId } = actor
  return and(eq(savedViews.organizationId, organizationId), eq(savedViews.membershipId, membershipId)) as SQL
}

function ownOf(ctx: ActorContext, id: string): SQL {
  return and(own(ctx), matchesId(savedViews.id, ctx.actor.organizationId, id)) as SQL
}

async function lockView(tx: Tx, ctx: ActorContext, id: string) {
  const [row] = await tx.select().from(savedViews).where(ownOf(ctx, id)).for('update')
  if (!row) throw notFound('id')
  return row
}

/** Two requests at once count one after the other. @throws ApiError `view_limit_reached` */
async function requireRoom(tx: Tx, ctx: ActorContext): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views:${ctx.actor.membershipId}`}, 0))`)
  if ((await tx.$count(savedViews, own(ctx))) >= VIEWS_MAX) throw new ApiError('view_limit_reached')
}

function present({ id, name, query }: typeof savedViews.$inferSelect): SavedView {
  return { id, name, query }
}

function entryOf(verb: 'create' | 'update' | 'delete', { id, name }: { id: string; name: string }) {
  return { action: `view.${verb}`, entityType: 'view', entityId: id, entityName: name }
}
