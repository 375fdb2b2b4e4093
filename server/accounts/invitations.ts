import { and, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { groupMembers, groups, invitations, memberships, organizations } from '#db/schema/organizations.ts'
import { DAY_MS } from '../durations.ts'
import { ApiError } from '../errors.ts'
import { isValidLink } from './link-tokens.ts'

export const INVITATION_MAX_MS = 7 * DAY_MS

/**
 * Returns the open invitation of a token, with the organization's name. `lock` locks it until the transaction ends.
 * @throws ApiError `invitation_invalid` when it was used or withdrawn, or expired
 */
export async function requireInvitation(db: Queryable, token: string, now: Date, lock?: 'lock') {
  const query = db
    .select({ ...getTableColumns(invitations), organization: organizations.name })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(and(isValidLink(invitations, token, now), isNull(invitations.acceptedAt)))
  const [row] = await (lock ? query.for('update', { of: invitations }) : query)
  if (!row) throw new ApiError('invitation_invalid')
  return row
}

/** Creates the membership that the invitation describes, and uses the invitation up. Skips groups deleted since. */
export async function joinByInvitation(
  tx: Tx,
  invitation: typeof invitations.$inferSelect,
  userId: string,
  now: Date,
): Promise<void> {
  const { organizationId } = invitation
  const membershipId = uuidv7()
  await tx.update(invitations).set({ acceptedAt: now }).where(matchesRow(invitations.id, invitation))
  await tx
    .insert(memberships)
    .values({ id: membershipId, organizationId, userId, ...invitation.permissions, createdAt: now })
  if (invitation.groupIds.length > 0) {
    const existing = await tx
      .select({ id: groups.id })
      .from(groups)
      .where(and(eq(groups.organizationId, organizationId), inArray(groups.id, invitation.groupIds)))
    const joins = existing.map((group) => ({ organizationId, groupId: group.id, membershipId, createdAt: now }))
    if (joins.length > 0) await tx.insert(groupMembers).values(joins)
  }
}
