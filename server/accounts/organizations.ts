import { and, asc, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { groups, memberships, organizations } from '#db/schema/organizations.ts'
import { SECTIONS } from '../schemas/account/sections.ts'

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

/** Returns the organizations that the user is an active member of, in the order of joining. */
export function organizationsOf(db: Queryable, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: organizations.id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true)))
    .orderBy(asc(memberships.createdAt), asc(memberships.id))
}
