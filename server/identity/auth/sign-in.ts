import type { Tx } from '#db/client.ts'
import type { users } from '#db/schema/organizations.ts'
import { audit } from '../../audit.ts'
import type { Context, SessionPort } from '../../context.ts'
import { endSessions, startSession } from './sessions.ts'

export type SignInAccount = Pick<typeof users.$inferSelect, 'id' | 'email' | 'sessionEpoch'>

/** Signs a person in to an organization: starts a session and ends the request's earlier one, if any. */
export async function signInToOrganization(
  tx: Tx,
  ctx: Context & { session: SessionPort },
  account: SignInAccount,
  organizationId: string,
  by?: 'passkey',
): Promise<void> {
  const former = ctx.actor?.sessionId ?? ctx.session.unenrolled?.sessionId
  if (former) await endSessions(tx, { id: former }, ctx.now())
  const id = await startSession(tx, ctx, { userId: account.id, organizationId, epoch: account.sessionEpoch })
  const actor = { organizationId, userId: account.id, email: account.email, key: null }
  await audit(
    tx,
    { actor, address: ctx.address },
    {
      ...{ action: 'session.create', entityType: 'session', entityId: id },
      details: by ? { by } : {},
    },
  )
}
