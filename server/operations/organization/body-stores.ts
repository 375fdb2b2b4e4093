import { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { and, desc, eq, isNull, or } from '#db/drizzle.cjs'
import { bodyStores, forgottenBodyStores } from '#db/schema/body-stores.ts'
import { audit } from '../../audit.ts'
import { isCurrentStore } from '../../bodies/store.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { Id } from '../../schemas/conventions.ts'
import { BodyStore } from '../../schemas/organization/body-stores.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'

/** Lists the stores of the organization's bodies, newest first. */
const list = orgSessionProcedure('settings', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .output(z.array(BodyStore))
  .query(({ ctx }) => readStores(ctx.db, ctx))

/**
 * Forgets a former store, for example one that is lost: from then on its bodies are shown as not stored. Stores belong to the
 * installation, so this applies to the caller's organization only, and deletes nothing.
 */
const forget = orgSessionProcedure('settings', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found', 'body_store_in_use'] } })
  .input(z.object({ id: Id }))
  .output(BodyStore)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const store = await requireStore(tx, ctx, input.id)
      if (store.isCurrent) throw new ApiError('body_store_in_use')
      const forgottenAt = ctx.now()
      await tx
        .insert(forgottenBodyStores)
        .values({ organizationId: ctx.actor.organizationId, storeId: store.id, forgottenAt })
        .onConflictDoUpdate({
          target: [forgottenBodyStores.organizationId, forgottenBodyStores.storeId],
          set: { forgottenAt },
        })
      await audit(tx, ctx, {
        action: 'body_store.forget',
        entityType: 'body_store',
        entityId: store.id,
        entityName: store.label,
      })
      return { ...store, forgottenAt: forgottenAt.toISOString() }
    }),
  )

export const organizationBodyStoresRouter = router({ list, forget })

async function readStores(db: Queryable, ctx: ActorContext): Promise<BodyStore[]> {
  const { organizationId } = ctx.actor
  const rows = await db
    .select({ store: bodyStores, forgottenAt: forgottenBodyStores.forgottenAt })
    .from(bodyStores)
    .leftJoin(
      forgottenBodyStores,
      and(eq(forgottenBodyStores.storeId, bodyStores.id), eq(forgottenBodyStores.organizationId, organizationId)),
    )
    .where(or(isNull(bodyStores.organizationId), eq(bodyStores.organizationId, organizationId)))
    .orderBy(desc(bodyStores.createdAt), desc(bodyStores.id))
  return rows.map(({ store: { id, url, createdAt, lastUsedAt }, forgottenAt }) => ({
    id,
    label: `${url.startsWith('file:') ? 'Files' : 'Bucket'} ${id.slice(-6)}`,
    kind: url.startsWith('file:') ? 'files' : 's3',
    isCurrent: isCurrentStore(url, ctx.settings),
    firstUsedAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    forgottenAt: forgottenAt?.toISOString() ?? null,
  }))
}

async function requireStore(db: Queryable, ctx: ActorContext, id: string): Promise<BodyStore> {
  const store = (await readStores(db, ctx)).find((candidate) => candidate.id === id.toLowerCase())
  if (!store) throw notFound()
  return store
}
