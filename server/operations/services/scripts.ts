import type { Tx } from '#db/client.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { ErrorCode } from '../../schemas/errors/error-table.ts'
import { ScriptSave, Service } from '../../schemas/services.ts'
import { validateForEnable, validateForSave, validationOf } from '../../scripts/validation.ts'
import type { Trust } from '../../scripts/verified-domains.ts'
import { lockService, readScriptContext, updateService } from '../../services/lock-service.ts'
import { scriptDiff, storeVersion } from '../../services/script-versions.ts'
import { switchService } from '../../services/switching.ts'
import { presentService, type ServiceRow } from '../../services/view.ts'
import { serviceProcedure } from '../../trpc.ts'

/** The errors of saving a script and of switching a service on. */
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
      description:
        'The script is validated before it is saved, and `version` must be the current one. The first script switches the service on; if that is refused, the script is saved and the service stays off.',
      tags: ['Services'],
    },
    api: { errors: [...SCRIPT_ERRORS, 'version_conflict'] },
  })
  .input(ScriptSave)
  .output(Service)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockService(tx, ctx.service)
      requireVersion(row, input.version)
      const saved = await writeScript(tx, ctx, row, input.script)
      return presentService(tx, ctx, saved.row.id)
    }),
  )

/**
 * Saves a script into a row that the caller has locked, stores it as a version, and writes the audit entry. The first
 * script of a service also switches it on: if that is refused, `try` leaves it off and `must` refuses the save; `no`
 * always leaves it off.
 * @throws ApiError as `validateForSave`, with `must` also as `validateForEnable`
 */
export async function writeScript(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  script: string,
  enable: 'try' | 'must' | 'no' = row.script === null ? 'try' : 'no',
  restoredFrom: number | null = null,
): Promise<{ row: ServiceRow; trust: Trust }> {
  const context = await readScriptContext(tx, ctx, { ...row, script })
  const { trust } = context
  const targetHosts = validateForSave(context)
  const saved = await updateService(tx, row, { script, targetHosts, version: row.version + 1 })
  await storeVersion(tx, ctx, { ...saved, script }, restoredFrom)
  const before = row.script === null ? null : { version: row.version, script: row.script }
  await audit(tx, ctx, {
    action: 'service.script',
    entityType: 'service',
    entityId: row.id,
    entityName: row.name,
    details: {
      version: saved.version,
      characters: script.length,
      ...(restoredFrom !== null && { restoredFrom }),
      ...(before !== null && { diff: scriptDiff(before, { version: saved.version, script }) }),
    },
  })
  if (enable === 'no') return { row: saved, trust }
  const validation = validationOf(() => validateForEnable(context))
  if (validation.refusal && enable === 'must') throw validation.refusal
  if (validation.refusal) return { row: saved, trust }
  return { row: await switchService(tx, ctx, saved, true, validation.targetHosts), trust }
}

/** @throws ApiError `version_conflict` with the service's current version */
export function requireVersion(row: ServiceRow, version: number): void {
  if (row.version !== version) throw new ApiError('version_conflict', { field: 'version', version: row.version })
}
