import { v7 as uuidv7 } from 'uuid'
import type { Db, Queryable } from '#db/client.ts'
import { and, eq, inArray, isNull } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { memberships } from '#db/schema/organizations.ts'
import { silences } from '#db/schema/scoped.ts'
import { REACHABLE } from '../../access.ts'
import { audit } from '../../audit.ts'
import type { Actor, Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { findMember, toActor } from '../../identity/auth/actor.ts'
import { belongsToScope, type ScopeRef, scopeIds } from '../../row-scope.ts'
import { readStopLink, type StopTarget } from './unsubscribe-token.ts'

// What the link in an alert mail does: it makes the silence that its recipient could make under My silences.

/** Who unsubscribes from what. */
export type Subscription = {
  organizationId: string
  organization: string
  membershipId: string
  userId: string
  email: string
  target: StopTarget
  /** The name of the resource or the organization; null for agents. */
  name: string | null
}

const AGENTS_CONFIG = JSON.stringify({ events: ['agent.lost', 'agent.back'] })

/**
 * Returns what the link is about.
 * @throws ApiError `unsubscribe_invalid` with a `reason`: `invalid`, `expired`, or `gone` for a former member, address or
 * resource, and for a resource that the member can no longer see
 */
export async function requireSubscription(
  { db, vault, now }: Pick<Runtime, 'db' | 'vault' | 'now'>,
  token: string,
): Promise<Subscription> {
  const link = readStopLink(vault, token, now())
  if (typeof link === 'string') throw new ApiError('unsubscribe_invalid', { reason: link })
  const { membershipId, target } = link
  const [membership] = await db
    .select({ userId: memberships.userId, organizationId: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.id, membershipId))
  const member = membership && (await findMember(db, membership.userId, membership.organizationId))
  const actor = member && toActor(member, { key: null, sessionId: null })
  // A reader of a former mailbox must not act for the member, nor see what the member can no longer see.
  if (!actor || !link.isTo(actor.email)) throw gone()
  const { organizationId, organizationName: organization, userId, email } = actor
  const name = await findName(db, actor, target)
  return { organizationId, organization, membershipId, userId, email, target, name }
}

/** Returns whether the member has this silence already. */
export async function isUnsubscribed(db: Queryable, subscription: Subscription): Promise<boolean> {
  const { membershipId, target } = subscription
  const count = await db.$count(
    silences,
    and(
      eq(silences.membershipId, membershipId),
      belongsToScope(silences, scopeOf(subscription)),
      inArray(silences.channel, ['email', 'all']),
      isNull(silences.quietHours),
      target.type === 'agents' ? eq(silences.config, AGENTS_CONFIG) : isNull(silences.config),
    ),
  )
  return count > 0
}

/** Makes the silence, once however often the link is used. */
export function unsubscribe(db: Db, subscription: Subscription, address: string): Promise<void> {
  const { organizationId, membershipId, userId, email, target, name } = subscription
  return db.transaction(async (tx) => {
    // Serializes the uses of a member's links. A member removed in between leaves nothing to silence.
    const [member] = await tx
      .select({ id: memberships.id })
      .from(memberships)
      .where(matchesId(memberships.id, organizationId, membershipId))
      .for('update')
    if (!member) throw gone()
    if (await isUnsubscribed(tx, subscription)) return
    const id = uuidv7()
    const rule = {
      channel: 'email' as const,
      config: target.type === 'agents' ? AGENTS_CONFIG : null,
      quietHours: null,
    }
    await tx.insert(silences).values({ id, membershipId, ...scopeIds(scopeOf(subscription)), ...rule })
    const actor = { organizationId, userId, email, key: null }
    await audit(
      tx,
      { actor, address },
      {
        action: 'silence.create',
        entityType: 'silence',
        entityId: id,
        entityName: 'id' in target ? name : 'everything',
        details: { ...rule, through: 'the link in a mail' },
      },
    )
  })
}

function scopeOf({ organizationId, target }: Subscription): ScopeRef {
  if ('id' in target) return { organizationId, scope: target.type, resourceId: target.id }
  return { organizationId, scope: 'organization', resourceId: organizationId }
}

async function findName(db: Db, actor: Actor, target: StopTarget): Promise<string | null> {
  if (!('id' in target)) return target.type === 'organization' ? actor.organizationName : null
  const [table, reaches] = REACHABLE[target.type]
  const [row] = await db
    .select({ name: table.name })
    .from(table)
    .where(and(eq(table.id, target.id), reaches(actor, 'visible')))
  if (!row) throw gone()
  return row.name
}

function gone(): ApiError {
  return new ApiError('unsubscribe_invalid', { reason: 'gone' })
}
