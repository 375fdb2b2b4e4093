import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import { AllowedHosts } from '../../schemas/host-patterns.ts'
import { Scope } from '../../schemas/scopes.ts'
import { Variable } from '../../schemas/variables.ts'
import { sessionProcedure } from '../../trpc.ts'
import { requireScope } from './reveal.ts'
import { changeVariable } from './scoped-variables.ts'

/** Sets the hosts that a secret may be sent to. The value is not needed, because the caller may not know it. */
export const setAllowedHosts = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid', 'readonly_variable', 'not_found'] } })
  .input(z.object({ scope: Scope, resourceId: Id, id: Id, allowedHosts: AllowedHosts }))
  .output(Variable)
  .mutation(async ({ ctx, input: { id, allowedHosts, ...scope } }) => {
    const { ref, name } = await requireScope(ctx, scope, 'write')
    return changeVariable({ ...ctx, scope: { ...ref, name } }, { varId: id, allowedHosts })
  })
