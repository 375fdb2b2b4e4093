import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { and, asc } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import type { BulkResult, ServiceOutcome } from '../../schemas/bulk.ts'
import { attempt, inOrder, skipped } from '../../services/outcomes.ts'
import type { ServiceRow } from '../../services/view.ts'

type Change = (tx: Tx, row: ServiceRow) => Promise<ServiceOutcome>

/**
 * Changes the services one after the other, in one transaction. A change that throws an `ApiError` skips its service,
 * with the code as the reason, and leaves nothing written. `lockFirst` locks the resources above the services first:
 * locks go from the top down.
 */
export function changeEach(
  ctx: ActorContext,
  ids: string[],
  change: Change,
  lockFirst?: (tx: Tx) => Promise<void>,
): Promise<BulkResult> {
  return ctx.db.transaction(async (tx) => {
    await lockFirst?.(tx)
    const outcomes: ServiceOutcome[] = []
    for (const row of await lockSelection(tx, ctx, ids)) {
      outcomes.push(await attempt(tx, row, (savepoint) => change(savepoint, row)))
    }
    return { services: inOrder(ids, [...outcomes, ...(await outcomesOfMissing(tx, ctx, ids, outcomes))]) }
  })
}

/** Locks the services that the member may change, ordered by id, as every bulk change does. */
function lockSelection(tx: Tx, { actor }: ActorContext, ids: string[]): Promise<ServiceRow[]> {
  return tx
    .select()
    .from(services)
    .where(and(anyOf(services.id, ids), reachesService(actor, 'write')))
    .orderBy(asc(services.id))
    .for('no key update', { of: services })
}

/** Returns why the selected services without an outcome were skipped: only readable, or gone or out of reach. */
export async function outcomesOfMissing(
  tx: Tx,
  { actor }: ActorContext,
  ids: string[],
  outcomes: readonly ServiceOutcome[],
): Promise<ServiceOutcome[]> {
  const judged = new Set(outcomes.map(({ serviceId }) => serviceId))
  const missing = ids.filter((id) => !judged.has(id))
  if (missing.length === 0) return []
  const rows = await tx
    .select({ id: services.id, name: services.name })
    .from(services)
    .where(and(anyOf(services.id, missing), reachesService(actor, 'read')))
  const readable = new Map(rows.map((row) => [row.id, row]))
  return missing.map((id) => {
    const row = readable.get(id)
    return row ? skipped(row, 'insufficient_permissions') : skipped({ id, name: '' }, 'not_found')
  })
}
