import type { Tx } from '#db/client.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { ScriptSave, Service } from '../../schemas/services.ts'
import { validateForEnable, validateForSave, validationOf } from '../../scripts/validation.ts'
import { lockService, readScriptContext, updateService } from '../../services/rows.ts'
import { switchService } from '../../services/switching.ts'
import { presentService, type ServiceRow } from '../../services/view.ts'
import { serviceProcedure } from '../../trpc.ts'

/** What saving a script or switching on can be refused with. */
export const SCRIPT_ERRORS: ErrorCode[] = [
  'field_invalid',
  'blocked_probe_target',
  'unverified_domain_call_limit',
  'unverified_domain_includes',
  'unverified_domain_interval',
]

export const saveScript = serviceProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/services/{id}/script',
      operationId: 'saveServiceScript',
      summary: 'Save the script of a service; the first one switches it on',
      tags: ['Services'],
    },
    api: { errors: [...SCRIPT_ERRORS, 'version_conflict'] },
  })
  .input(ScriptSave)
  .output(Service)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockService(tx, ctx.service.id)
      requireVersion(row, input.version)
      return presentService(tx, ctx, await writeScript(tx, ctx, row, input.script))
    }),
  )

/**
 * Saves a script into a row that the caller has locked. Audited. The first script of a service also switches it on:
 * `try` leaves it off where that is refused, `must` refuses the save with it, `no` leaves it off in any case.
 * @throws ApiError as `judgeSave`, and with `must` as `judgeEnable`
 */
export async function writeScript(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  script: string,
  enable: 'try' | 'must' | 'no' = row.script === null ? 'try' : 'no',
): Promise<ServiceRow> {
  const subject = await readScriptContext(tx, ctx, { ...row, script })
  const targetHosts = validateForSave(subject)
  const saved = await updateService(tx, row.id, { script, targetHosts, version: row.version + 1 })
  await audit(tx, ctx, {
    action: 'service.script',
    entityType: 'service',
    entityId: row.id,
    entityName: row.name,
    details: { version: saved.version, characters: script.length },
  })
  if (enable === 'no') return saved
  const verdict = validationOf(() => validateForEnable(subject))
  if (verdict.refusal && enable === 'must') throw verdict.refusal
  return verdict.refusal ? saved : switchService(tx, ctx, saved, true, verdict.targetHosts)
}

/** @throws ApiError `version_conflict` with the version that the service is at */
export function requireVersion(row: ServiceRow, version: number): void {
  if (row.version !== version) throw new ApiError('version_conflict', { field: 'version', version: row.version })
}
