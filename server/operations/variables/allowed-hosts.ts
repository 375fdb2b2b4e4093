import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import { AllowedHosts } from '../../schemas/host-patterns.ts'
import { Scope } from '../../schemas/scopes.ts'
import { Variable } from '../../schemas/variables.ts'
import { sessionProcedure } from '../../trpc.ts'
import { requireScope } from './reveal.ts'
import { changeVariable } from './scoped-variables.ts'

/** The hosts that a secret may be sent to, without its value, which whoever sets them may not have. */
export const setAllowedHosts = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid', 'readonly_variable', 'not_found'] } })
  .input(z.object({ scope: Scope, resourceId: Id, id: Id, allowedHosts: AllowedHosts }))
  .output(Variable)
  .mutation(async ({ ctx, input: { id, allowedHosts, ...place } }) => {
    const { ref, name } = await requireScope(ctx, place, 'write')
    return changeVariable({ ...ctx, scope: { ...ref, name } }, { varId: id, allowedHosts })
  })
