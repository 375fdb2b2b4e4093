import { sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { memberJoins } from '../../identity/auth/actor.ts'
import { CONTACTS_MAX, Contacts } from '../../schemas/organization/organizations.ts'
import { sessionProcedure } from '../../trpc.ts'

/**
 * Lists who can give access to everything, the owner first: the owner and members with write permission on workspaces.
 * Every member may read their names and addresses, because one without access must know whom to ask.
 */
export const contacts = sessionProcedure.output(Contacts).query(({ ctx }) =>
  ctx.db.execute<Contacts[number]>(sql`
    select u.display_name as name, u.email, m.is_owner as "isOwner"
    from users u join organizations o on o.id = ${ctx.actor.organizationId} ${memberJoins}
    where m.is_active and u.is_active and (m.is_owner or greatest(m.section_workspaces, held.workspaces) = 2)
    order by m.is_owner desc, ${byName(sql`u.display_name`)}, u.id
    limit ${CONTACTS_MAX}`),
)
