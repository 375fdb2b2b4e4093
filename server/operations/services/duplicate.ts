import { z } from 'zod'
import { requireProject, requireService } from '../../resources.ts'
import { Id, Name } from '../../schemas/conventions.ts'
import { Service } from '../../schemas/services.ts'
import { copyBelongings } from '../../services/copying.ts'
import { insertService } from '../../services/creation.ts'
import { presentService } from '../../services/view.ts'
import { sessionProcedure } from '../../trpc.ts'
import { SCRIPT_ERRORS, writeScript } from './scripts.ts'

/**
 * Copies a service with its script, settings, agents and variables; the copy is off. Needs write on the service, because a
 * member who may change the copy could read its variables.
 */
export const duplicate = sessionProcedure
  .meta({ api: { errors: [...SCRIPT_ERRORS, 'already_exists'] } })
  .input(z.object({ id: Id, name: Name, projectId: Id.optional() }))
  .output(z.object({ service: Service, omittedSecrets: z.array(z.string()) }))
  .mutation(async ({ ctx, input }) => {
    const from = await requireService(ctx, input.id, 'write')
    const project = await requireProject(ctx, input.projectId ?? from.projectId, 'write', 'projectId')
    return ctx.db.transaction(async (tx) => {
      const { labels, schedule, timezone, probeMode, queuePolicy, serviceWindow } = from
      const { saveResponseBodies, sendTraceparent } = from
      const timing = { schedule, timezone, probeMode, queuePolicy, serviceWindow }
      const settings = { labels, ...timing, saveResponseBodies, sendTraceparent }
      const copy = await insertService(tx, ctx, project, { name: input.name, ...settings }, { copyOf: from.id })
      const omittedSecrets = await copyBelongings(tx, ctx.vault, from, copy)
      const row = from.script === null ? copy : (await writeScript(tx, ctx, copy, from.script, 'no')).row
      return { service: await presentService(tx, ctx, row.id), omittedSecrets }
    })
  })
