import type { Tx } from '#db/client.ts'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { agentKeyMail } from '../../alerts/mail/agent-key-mail.ts'
import type { ActorContext } from '../../context.ts'
import { pageUrl } from '../../identity/accounts/link-tokens.ts'
import { enqueueMail } from '../../schedule/jobs.ts'

/** The keys that a mail names. */
const NAMES_MAX = 20

/**
 * Mails the owner which agent keys of a member still work, when the member is removed or disabled. Without a mail
 * server, only the Agents page shows it. Returns how many keys there are.
 */
export async function tellOwnerOfKeys(
  tx: Tx,
  ctx: ActorContext,
  member: { userId: string; email: string },
  event: 'removed' | 'disabled',
): Promise<number> {
  const { organizationId, organizationName: organization } = ctx.actor
  const keys = await tx
    .select({ name: agentKeys.name, slug: agents.slug })
    .from(agentKeys)
    .innerJoin(agents, eq(agents.id, agentKeys.agentId))
    .where(
      and(
        eq(agents.organizationId, organizationId),
        eq(agentKeys.createdBy, member.userId),
        isNull(agentKeys.revokedAt),
      ),
    )
    .orderBy(agents.slug, agentKeys.name, agentKeys.id)
  if (keys.length === 0 || ctx.settings.SMTP_URL === undefined) return keys.length
  const [owner] = await tx
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.isOwner, true)))
  if (!owner) return keys.length
  const names = keys.slice(0, NAMES_MAX).map(({ name, slug }) => `${name} (agent ${slug})`)
  if (keys.length > NAMES_MAX) names.push(`${keys.length - NAMES_MAX} more`)
  const url = pageUrl(ctx.settings, 'agents')
  await enqueueMail(
    tx,
    organizationId,
    agentKeyMail(owner.email, { organization, email: member.email, event, names, url }),
  )
  return keys.length
}
