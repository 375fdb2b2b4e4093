import { index, integer, pgTable, text, uuid } from '../drizzle.cjs'
import { createdAt, organizationKey } from './columns.ts'

/**
 * The saved scripts of a service. The last one equals `services.script`. Saving deletes the oldest ones.
 * No foreign key: up to 8 MB per service remain while a deletion can be undone, until a job clears them as it does results.
 */
export const scriptVersions = pgTable(
  'script_versions',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    version: integer('version').notNull(),
    script: text('script').notNull(),
    /** Null for a version that was saved before versions were stored, and whose author no audit entry names. */
    actorId: uuid('actor_id'),
    actorEmail: text('actor_email'),
    keyName: text('key_name'),
    /** The version whose text this one restored. */
    restoredFrom: integer('restored_from'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('script_versions', t.organizationId, [t.serviceId, t.version]),
    index('script_versions_recent_idx').on(t.organizationId, t.createdAt),
  ],
)
