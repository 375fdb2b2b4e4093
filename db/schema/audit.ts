import { index, integer, jsonb, pgTable, text, timestamp, uuid } from '../drizzle.cjs'
import { createdAt, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { apiKeys } from './credentials.ts'
import { organizationId } from './organizations.ts'

/** One entry per change. Names are copied, so that an entry stays readable when its member or entity is deleted. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    /** Null for changes by the system. */
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
    organizationKey('audit_entries', t.organizationId, [t.id]),
    index('audit_entries_order_idx').on(t.organizationId, t.createdAt.desc(), t.id.desc()),
    index('audit_entries_entity_idx').on(t.organizationId, t.entityType, t.entityId),
    index('audit_entries_created_idx').using('brin', t.createdAt),
  ],
)

/** Counts of an API key's requests by operation and UTC hour. */
export const keyUsage = pgTable(
  'key_usage',
  {
    organizationId: organizationId(),
    keyId: uuid('key_id').notNull(),
    /** The operationId of the OpenAPI document. */
    operation: text('operation').notNull(),
    hour: timestamp('hour', { withTimezone: true }).notNull(),
    requests: integer('requests').notNull(),
    /** Requests with a response status of 400 or above. */
    refused: integer('refused').notNull(),
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    organizationKey('key_usage', t.organizationId, [t.keyId, t.operation, t.hour]),
    parentForeignKey('key_usage_api_key_fkey', [t.organizationId, t.keyId], apiKeys),
    index('key_usage_order_idx').on(t.organizationId, t.hour.desc()),
  ],
)
