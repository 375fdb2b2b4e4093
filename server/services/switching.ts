import { setImmediate } from 'node:timers/promises'
import type { Tx } from '#db/client.ts'
import { and, asc, gt, type SQL } from '#db/drizzle.cjs'
import { matchesAny } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { type AuditEntry, audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { syncSchedule, syncSchedules } from '../schedule/schedules.ts'
import type { ServiceOutcome } from '../schemas/bulk.ts'
import { type ScriptContext, validateForEnable, validationOf } from '../scripts/validation.ts'
import { readVariableScopesOf } from '../scripts/variable-scopes.ts'
import { readTrusts } from '../scripts/verified-domains.ts'
import { updateService } from './lock-service.ts'
import { changed, skipped, unchanged } from './outcomes.ts'
import type { ServiceRow } from './view.ts'

/** Rows held in memory at once: scripts can be 64 KiB each. */
const BATCH = 100

/** Switches one service and writes the audit entry. The caller has locked the row and validated the script. */
export async function switchService(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  isActive: boolean,
  targetHosts: string[] = row.targetHosts,
): Promise<ServiceRow> {
  const switched = await updateService(tx, row, { isActive, targetHosts })
  await syncSchedule(tx, switched, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
  await audit(tx, ctx, toggleEntry(row, isActive))
  return switched
}

/**
 * Switches every service that `within` selects. Skips a service that may not be switched on, with the error code as the
 * reason. Writes an audit entry per switched service; the caller audits the whole operation.
 */
export async function switchServices(
  tx: Tx,
  ctx: ActorContext,
  within: SQL,
  isActive: boolean,
): Promise<ServiceOutcome[]> {
  const outcomes: ServiceOutcome[] = []
  for await (const batch of lockedBatches(tx, within)) {
    const changing = batch.filter((row) => row.isActive !== isActive)
    const refusals = isActive ? await validateBatch(tx, ctx, changing) : new Map<string, string>()
    const switched = changing.filter((row) => !refusals.has(row.id))
    await switchBatch(tx, ctx, switched, isActive)
    for (const row of batch) {
      const reason = refusals.get(row.id)
      if (row.isActive === isActive) outcomes.push(unchanged(row))
      else if (reason !== undefined) outcomes.push(skipped(row, reason))
      else outcomes.push(changed(row, { from: { isActive }, to: { isActive: row.isActive } }))
    }
  }
  return outcomes
}

/** Locks the services in batches, ordered by id so that two bulk switches cannot deadlock. */
export async function* lockedBatches(tx: Tx, within: SQL): AsyncGenerator<ServiceRow[]> {
  for (let after: string | null = null; ; ) {
    const batch: ServiceRow[] = await tx
      .select()
      .from(services)
      .where(after === null ? within : and(within, gt(services.id, after)))
      .orderBy(asc(services.id))
      .limit(BATCH)
      .for('no key update', { of: services })
    if (batch.length > 0) yield batch
    if (batch.length < BATCH) return
    after = (batch.at(-1) as ServiceRow).id
  }
}

/** Returns why services may not be on, by id. Stores the target hosts of the services that may. */
export async function validateBatch(
  tx: Tx,
  ctx: ActorContext,
  rows: ServiceRow[],
  validate: (context: ScriptContext) => string[] = validateForEnable,
): Promise<Map<string, string>> {
  const refusals = new Map<string, string>()
  const ids = rows.map((row) => row.id)
  const [scopesOf, trustOf] = await Promise.all([
    readVariableScopesOf(tx, ctx.vault, rows),
    readTrusts(tx, ctx.actor.organizationId, ids, ctx.settings),
  ])
  for (const row of rows) {
    // Parsing a script takes up to 25 ms of CPU: yield to other requests in between.
    await setImmediate()
    const { script, schedule } = row
    const scopes = scopesOf.get(row.id)
    if (script === null || !scopes) {
      refusals.set(row.id, 'script_missing')
      continue
    }
    const { targetHosts, refusal } = validationOf(() =>
      validate({ script, schedule, isActive: true, scopes, trust: trustOf(row.id) }),
    )
    if (refusal) refusals.set(row.id, refusal.api)
    else if (targetHosts.join() !== row.targetHosts.join()) await updateService(tx, row, { targetHosts })
  }
  return refusals
}

export async function switchBatch(tx: Tx, ctx: ActorContext, rows: ServiceRow[], isActive: boolean): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  await tx
    .update(services)
    .set({ isActive })
    .where(matchesAny(services.id, ctx.actor.organizationId, ids))
  const switched = rows.map((row) => ({ ...row, isActive }))
  await syncSchedules(tx, switched, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
  await audit(tx, ctx, ...rows.map((row) => toggleEntry(row, isActive)))
}

export function toggleEntry(row: ServiceRow, isActive: boolean): AuditEntry {
  return {
    action: isActive ? 'service.enable' : 'service.disable',
    entityType: 'service',
    entityId: row.id,
    entityName: row.name,
  }
}
