import type { Tx } from '#db/client.ts'
import { matchesId } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import { type RequestedRun, requestRun } from '../runs/runs/request-run.ts'
import type { RunRequest } from '../schemas/runs.ts'
import { readRunDemand } from './run-demands.ts'

/**
 * Requests a run of a service as a member asks for it, with its audit entry. Writes nothing when it throws an ApiError.
 * @throws ApiError `not_found`, `script_missing`, `service_inactive`, `run_limit_reached`, and what `readRunDemand` throws
 */
export async function requestServiceRun(
  tx: Tx,
  ctx: ActorContext,
  serviceId: string,
  request: RunRequest,
  { now, batchId = null }: { now: Date; batchId?: string | null },
): Promise<RequestedRun> {
  // Locked, so that the service is not switched off before the run is requested.
  const ofService = matchesId(services.id, ctx.actor.organizationId, serviceId)
  const [row] = await tx.select().from(services).where(ofService).for('share')
  if (!row) throw notFound()
  const { script } = row
  if (script === null) throw new ApiError('script_missing')
  if (!row.isActive) throw new ApiError('service_inactive')
  const demand = await readRunDemand(tx, ctx, { ...row, script }, request)
  const requested = await requestRun(tx, row, now, demand)
  await audit(tx, ctx, {
    action: 'service.run',
    entityType: 'service',
    entityId: row.id,
    entityName: row.name,
    details: {
      runId: requested.runId,
      ...(batchId && { batchId }),
      ...(demand.note && { note: demand.note }),
      ...(demand.values && { variables: Object.keys(demand.values.values) }),
    },
  })
  return requested
}
