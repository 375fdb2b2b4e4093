import { asc, eq } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesRow } from '#db/row-match.ts'
import { groupMembers, groups } from '#db/schema/organizations.ts'
import { readPage } from '../paging.ts'
import { PageQuery } from '../schemas/conventions.ts'
import { GroupPage } from '../schemas/groups.ts'
import { orgProcedure, router } from '../trpc.ts'

const list = orgProcedure('users', 'read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/groups',
      operationId: 'listGroups',
      summary: 'List the groups',
      description: 'Ordered by name.',
      tags: ['Directory'],
    },
    api: { errors: ['insufficient_permissions'] },
  })
  .input(PageQuery)
  .output(GroupPage)
  .query(({ ctx, input }) => {
    const own = eq(groups.organizationId, ctx.actor.organizationId)
    return readPage(
      input,
      ctx.db
        .select({
          id: groups.id,
          name: groups.name,
          memberCount: ctx.db.$count(groupMembers, matchesRow(groupMembers.groupId, groups)),
        })
        .from(groups)
        .where(own)
        .orderBy(byName(groups.name), asc(groups.id)),
      () => ctx.db.$count(groups, own),
      (row) => row,
    )
  })

export const groupsRouter = router({ list })
