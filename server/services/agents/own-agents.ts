import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { agents } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'

/**
 * Creates a remote agent of the organization and returns its id.
 * @throws ApiError `already_exists` when the organization or the installation has an agent with this slug
 */
export async function createOwnAgent(
  tx: Tx,
  ctx: ActorContext,
  { slug, label }: { slug: string; label: string },
): Promise<string> {
  await requireNotShared(tx, slug)
  const row = { id: uuidv7(), slug, label, organizationId: ctx.actor.organizationId, createdAt: ctx.now() }
  await tx.insert(agents).values({ ...row, isRemote: true })
  await audit(tx, ctx, {
    action: 'agent.create',
    entityType: 'agent',
    entityId: row.id,
    entityName: slug,
    details: { label },
  })
  return row.id
}

/** An agent of the organization would hide the shared one. @throws ApiError `already_exists` */
export async function requireNotShared(tx: Tx, slug: string): Promise<void> {
  const [shared] = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.slug, slug), isNull(agents.organizationId)))
  if (shared) throw new ApiError('already_exists', { field: 'slug' })
}
