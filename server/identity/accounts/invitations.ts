import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, getTableColumns, isNull, type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { groupMembers, type InvitedPlace, invitations, memberships, organizations } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import { DAY_MS } from '../../durations.ts'
import { ApiError } from '../../errors.ts'
import { scopeIds } from '../../row-scope.ts'
import { isValidLink } from './link-tokens.ts'

export const INVITATION_MAX_MS = 7 * DAY_MS

/**
 * Returns the open invitation of a token, with the organization's name. `lock` locks it until the transaction ends.
 * @throws ApiError `invitation_invalid` when it was used or withdrawn, has expired, or its maker may not invite any more
 */
export async function requireInvitation(db: Queryable, token: string, now: Date, lock?: 'lock') {
  const query = db
    .select({ ...getTableColumns(invitations), organization: organizations.name })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(and(isValidLink(invitations, token, now), isNull(invitations.acceptedAt), mayInvite(invitations)))
  const [row] = await (lock ? query.for('update', { of: invitations }) : query)
  if (!row) throw new ApiError('invitation_invalid')
  return row
}

/** Returns the condition that the maker of an invitation is an active member who may invite people. */
export function mayInvite({ organizationId, invitedBy }: typeof invitations): SQL {
  return sql`exists (
    select from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${invitedBy} and m.is_active and u.is_active
      and (m.is_owner or m.section_users = 2 or exists (
        select from group_members gm join groups g on (g.organization_id, g.id) = (gm.organization_id, gm.group_id)
        where (gm.organization_id, gm.membership_id) = (m.organization_id, m.id) and g.section_users = 2)))`
}

/** What an invitation gives. */
export type Given = { permissions: Record<string, number>; groupIds: string[]; places: InvitedPlace[] }

/** Creates the membership, and uses the invitation up. */
export async function joinByInvitation(
  tx: Tx,
  invitation: typeof invitations.$inferSelect,
  { permissions, groupIds, places }: Given,
  userId: string,
  now: Date,
): Promise<void> {
  const { organizationId } = invitation
  const membershipId = uuidv7()
  await tx.update(invitations).set({ acceptedAt: now }).where(matchesRow(invitations.id, invitation))
  await tx.insert(memberships).values({ id: membershipId, organizationId, userId, ...permissions, createdAt: now })
  const joins = groupIds.map((groupId) => ({ organizationId, groupId, membershipId, createdAt: now }))
  if (joins.length > 0) await tx.insert(groupMembers).values(joins)
  const given = places.map(({ resourceType: scope, resourceId, permissions: level, notify }) => ({
    ...{ id: uuidv7(), ...scopeIds({ organizationId, scope, resourceId }) },
    ...{ membershipId, level, notify, createdAt: now },
  }))
  if (given.length > 0) await tx.insert(grants).values(given)
}
