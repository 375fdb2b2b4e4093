import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, parentForeignKey } from './columns.ts'
import { projects } from './resources.ts'

/**
 * The tokens with which a monitoring system reads the metrics of a project. They are deleted with the project, and are not
 * restored with it. A project has at most ten.
 */
export const projectTokens = pgTable(
  'project_tokens',
  {
    id: id(),
    organizationId: uuid('organization_id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    /** The first eleven characters, for lists. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the token; the token itself is not stored. */
    digest: bytes('digest').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('project_tokens_digest_key').on(t.digest),
    unique('project_tokens_name_key').on(t.projectId, t.name),
    index('project_tokens_project_idx').on(t.organizationId, t.projectId),
    parentForeignKey('project_tokens_project_fkey', [t.organizationId, t.projectId], projects),
  ],
)
