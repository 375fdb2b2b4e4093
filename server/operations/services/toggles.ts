import { audit } from '../../audit.ts'
import { fieldRequired } from '../../errors.ts'
import { Service } from '../../schemas/services.ts'
import { ToggleInput } from '../../schemas/toggles.ts'
import { validateForEnable } from '../../scripts/validation.ts'
import { lockService, readScriptContext } from '../../services/lock-service.ts'
import { switchService, toggleEntry } from '../../services/switching.ts'
import { presentService } from '../../services/view.ts'
import { serviceProcedure } from '../../trpc.ts'
import { SCRIPT_ERRORS } from './scripts.ts'

export const toggle = serviceProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/services/{id}/toggle',
      operationId: 'toggleService',
      summary: 'Switch a service on or off',
      description:
        'Switching on requires a script that validates. A switched-off service has no scheduled runs and keeps its results.',
      tags: ['Services'],
    },
    api: { errors: ['field_required', ...SCRIPT_ERRORS] },
  })
  .input(ToggleInput)
  .output(Service)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockService(tx, ctx.service)
      if (row.isActive === input.isActive) {
        await audit(tx, ctx, { ...toggleEntry(row, input.isActive), details: { changed: false } })
        return presentService(tx, ctx, row.id)
      }
      if (!input.isActive) {
        await switchService(tx, ctx, row, false)
        return presentService(tx, ctx, row.id)
      }
      const { script } = row
      if (script === null) throw fieldRequired('script')
      const context = await readScriptContext(tx, ctx, { ...row, script })
      await switchService(tx, ctx, row, true, validateForEnable(context))
      return presentService(tx, ctx, row.id)
    }),
  )
