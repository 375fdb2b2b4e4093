import type { Tx } from '#db/client.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'

/** Inserts the audit entry of a change that members make to their own account. */
export function auditAccount(
  tx: Tx,
  ctx: ActorContext,
  action: string,
  account: { id: string; email: string },
  details: Record<string, unknown> = {},
): Promise<void> {
  return audit(tx, ctx, { action, entityType: 'user', entityId: account.id, entityName: account.email, details })
}
