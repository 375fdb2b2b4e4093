import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { memberships } from './organizations.ts'

/** What a member searches for on the board, under a name of the member's own. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    name: text('name').notNull(),
    /** The query of the board's address, without its question mark. */
    query: text('query').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('saved_views', t.organizationId, [t.id]),
    unique('saved_views_name_key').on(t.organizationId, t.membershipId, t.name),
    index('saved_views_membership_idx').on(t.membershipId),
    parentForeignKey('saved_views_membership_fkey', [t.organizationId, t.membershipId], memberships),
    check('saved_views_name_check', sql`char_length(name) between 1 and 64`),
    check('saved_views_query_check', sql`char_length(query) <= 2000`),
  ],
)
