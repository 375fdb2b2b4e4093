import { asc, eq, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { readPage } from '../paging.ts'
import { PageQuery } from '../schemas/conventions.ts'
import { MemberPage } from '../schemas/members.ts'
import { orgProcedure, router } from '../trpc.ts'

/** The columns of a listed member, of a query that joins `users` and `memberships`. */
export const memberFields = {
  userId: users.id,
  displayName: users.displayName,
  email: users.email,
  isActive: sql<boolean>`${memberships.isActive} and ${users.isActive}`,
}

const list = orgProcedure('users', 'read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/members',
      operationId: 'listMembers',
      summary: 'List the members',
      description: 'Ordered by display name; invitations are not listed.',
      tags: ['Directory'],
    },
    api: { errors: ['insufficient_permissions'] },
  })
  .input(PageQuery)
  .output(MemberPage)
  .query(({ ctx, input }) => {
    const own = eq(memberships.organizationId, ctx.actor.organizationId)
    return readPage(
      input,
      ctx.db
        .select(memberFields)
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(own)
        .orderBy(byName(users.displayName), asc(users.id)),
      () => ctx.db.$count(memberships, own),
      (row) => row,
    )
  })

export const membersRouter = router({ list })
