import { z } from 'zod'
import { and, eq } from '#db/drizzle.cjs'
import { variables } from '#db/schema/scoped.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid, notFound } from '../../errors.ts'
import { requireResource } from '../../resources.ts'
import { belongsToScope, type ScopeRef } from '../../row-scope.ts'
import { Id } from '../../schemas/conventions.ts'
import { Scope } from '../../schemas/scopes.ts'
import { requireSection, sessionProcedure } from '../../trpc.ts'

/**
 * Returns the value of a `variable` to a member with write access to its scope. A secret is never shown, and a metric is
 * always readable, so neither can be revealed.
 */
export const reveal = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid', 'not_found'] } })
  .input(z.object({ scope: Scope, resourceId: Id, id: Id }))
  .output(z.object({ value: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { ref, name } = await requireScope(ctx, input, 'write')
    return ctx.db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(variables)
        .where(and(eq(variables.id, input.id), belongsToScope(variables, ref)))
      if (!row) throw notFound()
      if (row.type !== 'variable' || !row.sealed) {
        throw fieldInvalid('id', 'must be a variable of type variable')
      }
      const value = ctx.vault.open(row.sealed, 'variable', row.organizationId, row.id)
      await audit(tx, ctx, {
        action: 'variable.reveal',
        entityType: 'variable',
        entityId: row.id,
        entityName: row.key,
        details: { scope: ref.scope, resourceId: ref.resourceId, resourceName: name },
      })
      return { value }
    })
  })

/** @throws ApiError `insufficient_permissions` for the organization, `not_found` for any other scope */
export async function requireScope(
  ctx: ActorContext,
  { scope, resourceId }: { scope: Scope; resourceId: string },
  level: 'read' | 'write',
): Promise<{ ref: ScopeRef; name: string }> {
  const { organizationId, organizationName } = ctx.actor
  if (scope !== 'organization') {
    const { id, name } = await requireResource(ctx, scope, resourceId, level)
    return { ref: { organizationId, scope, resourceId: id }, name }
  }
  requireSection(ctx, 'settings', level)
  if (resourceId.toLowerCase() !== organizationId) throw notFound()
  return { ref: { organizationId, scope, resourceId: organizationId }, name: organizationName }
}
