import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { auditEntries } from '#db/schema/audit.ts'
import type { Actor } from './context.ts'

export type AuditEntry = {
  /** `resource.verb`, such as `service.create`. */
  action: string
  entityType: string
  entityId: string
  entityName?: string | null
  /** What changed. Never a secret, a variable's value, a token or a script's text. */
  details?: Record<string, unknown>
}

/**
 * Who is recorded: of the actor only this, so that a sign-in can be recorded before there is a whole one. Without a user
 * it is somebody unknown, or the system.
 */
export type AuditActor = Pick<Actor, 'organizationId' | 'key'> &
  (Pick<Actor, 'userId' | 'email'> | { userId: null; email: null })

/** Records what the actor did, in the transaction that does it. */
export async function audit(
  tx: Queryable,
  ctx: { actor: AuditActor; address: string },
  ...entries: AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return
  await tx.insert(auditEntries).values(
    entries.map((entry) => ({
      id: uuidv7(),
      organizationId: ctx.actor.organizationId,
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
    })),
  )
}
