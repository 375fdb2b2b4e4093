import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { auditEntries } from '#db/schema/audit.ts'
import type { Actor } from './context.ts'
import { notification } from './live/announce.ts'
import { topics } from './schemas/live/topics.ts'

export type AuditEntry = {
  /** `resource.verb`, such as `service.create`. */
  action: string
  entityType: string
  entityId: string
  entityName?: string | null
  /** What changed. Never a secret, a variable's value or a token; of a script only its `diff`. */
  details?: Record<string, unknown>
}

/**
 * The part of an actor that an entry records, so that a sign-in can be recorded before a whole actor exists. A null user
 * is an unknown person or the system.
 */
export type AuditActor = Pick<Actor, 'organizationId' | 'key'> &
  (Pick<Actor, 'userId' | 'email'> | { userId: null; email: null })

/**
 * Inserts audit entries, in the same transaction as the change that they record. Open pages are notified of the change
 * when the transaction commits.
 */
export async function audit(
  tx: Queryable,
  ctx: { actor: AuditActor; address: string },
  ...entries: AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return
  const { organizationId } = ctx.actor
  const changed = new Set(entries.map(({ entityType }) => topics.write(entityType)))
  const rows = entries.map((entry) => ({
    id: uuidv7(),
    organizationId,
    actorId: ctx.actor.userId,
    actorEmail: ctx.actor.email,
    keyId: ctx.actor.key?.id ?? null,
    keyName: ctx.actor.key?.name ?? null,
    action: entry.action,
    entityType: entry.entityType,
    entityId: entry.entityId,
    entityName: entry.entityName ?? null,
    details: entry.details ?? {},
    address: ctx.address,
  }))
  // The same for each row, and PostgreSQL sends equal notifications of a transaction once.
  await tx
    .insert(auditEntries)
    .values(rows)
    .returning({ announced: notification(organizationId, changed) })
}

/** Returns what an entry records of changed fields: each before and after, or `changed: false`. */
export function changedFields<Row extends object>(
  row: Row,
  fields: { [K in keyof Row]?: Row[K] | undefined },
): Record<string, unknown> {
  const changed = Object.entries(fields).filter(
    ([field, to]) => to !== undefined && JSON.stringify(to) !== JSON.stringify(row[field as keyof Row]),
  )
  if (changed.length === 0) return { changed: false }
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: row[field as keyof Row], to }]))
}
