import type { Queryable, Tx } from '#db/client.ts'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import type { ScriptContext } from '../scripts/validation.ts'
import { readVariableScopes } from '../scripts/variable-scopes.ts'
import { readTrust } from '../scripts/verified-domains.ts'
import type { ServiceRow } from './view.ts'

/**
 * Returns the row, locked until the transaction ends. `no key update` allows a worker to dispatch a run of the
 * service at the same time.
 * @throws ApiError `not_found`
 */
export async function lockService(tx: Tx, service: RowKey<string>): Promise<ServiceRow> {
  const [row] = await tx.select().from(services).where(matchesRow(services.id, service)).for('no key update')
  if (!row) throw notFound()
  return row
}

/** @throws ApiError `not_found` when the service was deleted in the meantime */
export async function updateService(
  tx: Tx,
  service: RowKey<string>,
  changes: Partial<typeof services.$inferInsert>,
): Promise<ServiceRow> {
  const [row] = await tx.update(services).set(changes).where(matchesRow(services.id, service)).returning()
  if (!row) throw notFound()
  return row
}

/** Reads what the validation of a service's script depends on. */
export async function readScriptContext(
  db: Queryable,
  ctx: ActorContext,
  row: ServiceRow & { script: string },
): Promise<ScriptContext> {
  const [scopes, trust] = await Promise.all([readVariableScopes(db, ctx.vault, row), readTrust(db, row, ctx.settings)])
  return { script: row.script, schedule: row.schedule, isActive: row.isActive, scopes, trust }
}
