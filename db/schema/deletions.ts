import { index, integer, jsonb, pgTable, text, uuid } from '../drizzle.cjs'
import { bytes, createdAt, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { organizationId } from './organizations.ts'
import { workspaces } from './resources.ts'

/**
 * Deleted services and projects, which can be restored for seven days. Their rows are in `deletedRows`, so that no query
 * of the others has to leave them out. Results and roll-ups stay where they are until the deletion expires.
 */
export const deletions = pgTable(
  'deletions',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    workspaceId: uuid('workspace_id').notNull(),
    /** The deleted project, or the project of the deleted service. It can be deleted too. */
    projectId: uuid('project_id').notNull(),
    /** Null for a project. */
    serviceId: uuid('service_id'),
    name: text('name').notNull(),
    serviceCount: integer('service_count').notNull(),
    deletedBy: text('deleted_by').notNull(),
    membershipId: uuid('membership_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('deletions', t.organizationId, [t.id]),
    index('deletions_organization_idx').on(t.organizationId, t.createdAt),
    index('deletions_workspace_idx').on(t.workspaceId),
    index('deletions_created_idx').on(t.createdAt),
    parentForeignKey('deletions_workspace_fkey', [t.organizationId, t.workspaceId], workspaces),
  ],
)

/** The rows of a deletion as JSON, per table. */
export const deletedRows = pgTable(
  'deleted_rows',
  {
    deletionId: uuid('deletion_id').notNull(),
    table: text('table_name').notNull(),
    position: integer('position').notNull(),
    organizationId: uuid('organization_id').notNull(),
    /** The row's own id; null for a table without one. */
    id: uuid('id'),
    row: jsonb('row').$type<Record<string, unknown>>().notNull(),
    /** A variable's encrypted value, apart from `row` so that `npm run rotate-keys` can change it. */
    sealed: bytes('sealed'),
  },
  (t) => [
    organizationKey('deleted_rows', t.organizationId, [t.deletionId, t.table, t.position]),
    parentForeignKey('deleted_rows_deletion_fkey', [t.organizationId, t.deletionId], deletions),
  ],
)
