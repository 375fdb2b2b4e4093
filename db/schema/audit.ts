import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from './columns.ts'
import { organizations } from './organizations.ts'

/** Who changed what. Names are copied, so an entry still reads well when its subjects are gone. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    organizationId: uuid('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Null for what the system did by itself. */
    actorId: uuid('actor_id'),
    actorEmail: text('actor_email'),
    keyId: uuid('key_id'),
    keyName: text('key_name'),
    action: text('action').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    entityName: text('entity_name'),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    address: text('address'),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_entries_order_idx').on(t.organizationId, t.createdAt.desc(), t.id.desc()),
    index('audit_entries_entity_idx').on(t.organizationId, t.entityType, t.entityId),
    index('audit_entries_created_idx').using('brin', t.createdAt),
  ],
)
