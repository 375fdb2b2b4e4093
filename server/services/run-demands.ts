import type { Queryable } from '#db/client.ts'
import type { ActorContext } from '../context.ts'
import type { RunDemand } from '../runs/runs/request-run.ts'
import type { RunRequest } from '../schemas/runs.ts'
import { readRunValues, withRunValues } from '../scripts/run-variables.ts'
import { validateForEnable } from '../scripts/validation.ts'
import { readScriptContext } from './lock-service.ts'
import type { ServiceRow } from './view.ts'

/**
 * Returns what a member's request says of a run. With values, the script is judged as when a service is switched on.
 * @throws ApiError `field_invalid` on `variables.<name>` or `script`, `blocked_probe_target`, `unverified_domain_*`
 */
export async function readRunDemand(
  db: Queryable,
  ctx: ActorContext,
  row: ServiceRow & { script: string },
  { variables = {}, note }: RunRequest,
): Promise<RunDemand> {
  const demand = { note: note || null }
  if (Object.keys(variables).length === 0) return demand
  const context = await readScriptContext(db, ctx, row)
  const values = readRunValues(variables, context.scopes)
  validateForEnable({ ...context, scopes: withRunValues(context.scopes, values) })
  return { ...demand, values: { vault: ctx.vault, values } }
}
