import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, asc, eq, sql } from '#db/drizzle.cjs'
import { groups, memberships, organizations } from '#db/schema/organizations.ts'
import { ApiError } from '../../errors.ts'
import type { Settings } from '../../process/settings.ts'
import { SECTIONS } from '../../schemas/account/sections.ts'

const everywhere = (level: 1 | 2) => Object.fromEntries(SECTIONS.map((section) => [section, level]))

/** The groups of a new organization. */
const FIRST_GROUPS: { name: string; levels: Partial<Record<(typeof SECTIONS)[number], number>> }[] = [
  { name: 'Admins', levels: everywhere(2) },
  { name: 'Users', levels: { users: 1, settings: 1, workspaces: 1 } },
  { name: 'Viewers', levels: {} },
  { name: 'DevOps', levels: { domains: 2, webhooks: 2, workspaces: 1 } },
]

/** Creates an organization with its first groups and `ownerId` as its owner. The first one is the operator's. */
export async function createOrganization(
  tx: Tx,
  { name, ownerId, isOperator = false, now }: { name: string; ownerId: string; isOperator?: boolean; now: Date },
): Promise<{ id: string; name: string; membershipId: string }> {
  const id = uuidv7()
  const membershipId = uuidv7()
  await tx.insert(organizations).values({ id, name, isOperator, createdAt: now })
  await tx
    .insert(memberships)
    .values({ id: membershipId, organizationId: id, userId: ownerId, isOwner: true, createdAt: now })
  await tx.insert(groups).values(
    FIRST_GROUPS.map((group) => ({
      id: uuidv7(),
      organizationId: id,
      name: group.name,
      ...group.levels,
      createdAt: now,
    })),
  )
  return { id, name, membershipId }
}

/**
 * Checks that the account may own one more organization. Holds a lock until the transaction ends, so that parallel
 * requests cannot exceed the limit.
 * @throws ApiError `organization_limit_reached`
 */
export async function requireMayOwnAnother(tx: Tx, userId: string, settings: Settings): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`organizations:${userId}`}, 0))`)
  const owned = await tx.$count(memberships, and(eq(memberships.userId, userId), eq(memberships.isOwner, true)))
  const max = settings.ORGANIZATIONS_PER_ACCOUNT_MAX
  if (owned >= max) throw new ApiError('organization_limit_reached', { max })
}

/** Returns the organizations that the user is an active member of, in the order of joining. */
export function organizationsOf(db: Queryable, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: organizations.id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true)))
    .orderBy(asc(memberships.createdAt), asc(memberships.id))
}
