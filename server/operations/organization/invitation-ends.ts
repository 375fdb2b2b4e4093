import type { Tx } from '#db/client.ts'
import { and, eq, isNull, not } from '#db/drizzle.cjs'
import { invitations } from '#db/schema/organizations.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { mayInvite } from '../../identity/accounts/invitations.ts'

/** Ends the open invitations whose makers may not invite any more. Called by every change of what members may do. */
export async function endInvitations(tx: Tx, ctx: ActorContext): Promise<void> {
  const ended = await tx
    .delete(invitations)
    .where(
      and(
        eq(invitations.organizationId, ctx.actor.organizationId),
        isNull(invitations.acceptedAt),
        not(mayInvite(invitations)),
      ),
    )
    .returning({ id: invitations.id, email: invitations.email })
  const entries = ended.map(({ id, email }) => ({
    action: 'invitation.end',
    entityType: 'invitation',
    entityId: id,
    entityName: email,
  }))
  await audit(tx, ctx, ...entries)
}
