import { z } from 'zod'
import { and, asc, eq } from '#db/drizzle.cjs'
import { variables } from '#db/schema/scoped.ts'
import { belongsToScope } from '../../row-scope.ts'
import { Id } from '../../schemas/conventions.ts'
import { Scope } from '../../schemas/scopes.ts'
import { sessionProcedure } from '../../trpc.ts'
import { requireScope } from './reveal.ts'

/** By the id of the variable. */
const Values = z.record(z.string(), z.string())

/**
 * Returns the values of the variables of type `variable` in a scope, for members with write access to it: they are
 * configuration, which these members may change and see in results. Secrets are never shown.
 */
export const values = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ scope: Scope, resourceId: Id }))
  .output(Values)
  .query(async ({ ctx, input }) => {
    const { ref } = await requireScope(ctx, input, 'write')
    const rows = await ctx.db
      .select({ id: variables.id, organizationId: variables.organizationId, sealed: variables.sealed })
      .from(variables)
      .where(and(belongsToScope(variables, ref), eq(variables.type, 'variable')))
      .orderBy(asc(variables.createdAt), asc(variables.id))
    return Object.fromEntries(
      rows.flatMap(({ id, organizationId, sealed }) =>
        sealed ? [[id, ctx.vault.open(sealed, 'variable', organizationId, id)]] : [],
      ),
    )
  })
