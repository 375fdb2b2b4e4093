import { and, eq, inArray, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Queryable } from '#db/client.ts'
import { memberships, organizations, users } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import { audit } from '../audit.ts'
import type { Runtime } from '../context.ts'
import { ApiError } from '../errors.ts'
import { belongsToScope, type ScopeRef, scopeColumns } from '../scopes.ts'
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
  /** The name of the resource; null for agents. */
  name: string | null
}

const AGENTS_CONFIG = JSON.stringify({ events: ['agent.lost', 'agent.back'] })
const TABLES = { workspace: workspaces, project: projects, service: services }

/**
 * Returns what the link is about.
 * @throws ApiError `unsubscribe_invalid` with a `reason`: `invalid`, `expired`, or `gone` for a former member or resource
 */
export async function requireSubscription(
  { db, vault, now }: Pick<Runtime, 'db' | 'vault' | 'now'>,
  token: string,
): Promise<Subscription> {
  const link = readStopLink(vault, token, now())
  if (typeof link === 'string') throw new ApiError('unsubscribe_invalid', { reason: link })
  const { membershipId, target } = link
  const [member] = await db
    .select({
      organizationId: memberships.organizationId,
      organization: organizations.name,
      userId: users.id,
      email: users.email,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(eq(memberships.id, membershipId))
  if (!member) throw gone()
  return { ...member, membershipId, target, name: await findName(db, member.organizationId, target) }
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
      .where(eq(memberships.id, membershipId))
      .for('update')
    if (!member) throw gone()
    if (await isUnsubscribed(tx, subscription)) return
    const id = uuidv7()
    const rule = {
      channel: 'email' as const,
      config: target.type === 'agents' ? AGENTS_CONFIG : null,
      quietHours: null,
    }
    await tx.insert(silences).values({ id, membershipId, ...scopeColumns(scopeOf(subscription)), ...rule })
    const actor = { organizationId, userId, email, key: null }
    await audit(
      tx,
      { actor, address },
      {
        action: 'silence.create',
        entityType: 'silence',
        entityId: id,
        entityName: name ?? 'everything',
        details: { ...rule, through: 'the link in a mail' },
      },
    )
  })
}

function scopeOf({ organizationId, target }: Subscription): ScopeRef {
  if (target.type === 'agents') return { organizationId, scope: 'organization', resourceId: organizationId }
  return { organizationId, scope: target.type, resourceId: target.id }
}

async function findName(db: Db, organizationId: string, target: StopTarget): Promise<string | null> {
  if (target.type === 'agents') return null
  const table = TABLES[target.type]
  const [row] = await db
    .select({ name: table.name })
    .from(table)
    .where(and(eq(table.id, target.id), eq(table.organizationId, organizationId)))
  if (!row) throw gone()
  return row.name
}

function gone(): ApiError {
  return new ApiError('unsubscribe_invalid', { reason: 'gone' })
}
