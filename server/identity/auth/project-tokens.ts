import type { Queryable } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import type { projectTokens } from '#db/schema/credentials.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { projects } from '#db/schema/resources.ts'
import { reachesProject } from '../../access.ts'
import type { TokenRefusal } from '../../schemas/projects.ts'
import { findMember, toActor } from './actor.ts'

export type TokenRow = Pick<typeof projectTokens.$inferSelect, 'organizationId' | 'projectId' | 'membershipId'>

/** Returns the member who created a token; null when the membership is gone. */
export async function findMaker(db: Queryable, { organizationId, membershipId }: TokenRow) {
  if (membershipId === null) return null
  const [maker] = await db
    .select({ userId: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(matchesId(memberships.id, organizationId, membershipId))
  return maker ?? null
}

/** A token reads what its maker may read now. Returns why it is refused, null when it is not. */
export async function refusalOf(
  db: Queryable,
  { organizationId, projectId }: TokenRow,
  maker: { userId: string } | null,
): Promise<TokenRefusal | null> {
  const member = maker && (await findMember(db, maker.userId, organizationId))
  if (!member) return 'maker_removed'
  const actor = toActor(member, { key: null, sessionId: null })
  if (!actor) return 'maker_inactive'
  if (member.needsTotp) return 'maker_without_second_factor'
  const [project] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(matchesId(projects.id, organizationId, projectId), reachesProject(actor, 'read')))
  return project ? null : 'maker_without_access'
}
