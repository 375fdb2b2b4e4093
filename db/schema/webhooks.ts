import { boolean, check, index, integer, jsonb, pgTable, sql, text, unique, uuid } from '../drizzle.cjs'
import { bytes, createdAt, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { organizationId } from './organizations.ts'
import { scopeColumns, scopeForeignKeys } from './scope-columns.ts'

export const webhooks = pgTable(
  'webhooks',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    label: text('label'),
    method: text('method').notNull().default('POST'),
    /** The kind of receiver, which decides the form and the message; `json` sends the message itself. */
    preset: text('preset').notNull().default('json'),
    /** Encrypted JSON (server/alerts/webhooks/config.ts), which the API never returns. */
    sealed: bytes('sealed').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('webhooks', t.organizationId, [t.id]),
    unique('webhooks_name_key').on(t.organizationId, t.name),
  ],
)

/** Without an id of a workspace, project or service, a binding is of the whole organization. */
export const webhookBindings = pgTable(
  'webhook_bindings',
  {
    id: organizationRowId(),
    ...scopeColumns(),
    webhookId: uuid('webhook_id').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('webhook_bindings', t.organizationId, [t.id]),
    unique('webhook_bindings_key')
      .on(t.organizationId, t.webhookId, t.workspaceId, t.projectId, t.serviceId)
      .nullsNotDistinct(),
    index('webhook_bindings_workspace_idx').on(t.workspaceId),
    index('webhook_bindings_project_idx').on(t.projectId),
    index('webhook_bindings_service_idx').on(t.serviceId),
    ...scopeForeignKeys('webhook_bindings', t),
    parentForeignKey('webhook_bindings_webhook_fkey', [t.organizationId, t.webhookId], webhooks),
    check('webhook_bindings_resource_check', sql`num_nonnulls(workspace_id, project_id, service_id) <= 1`),
  ],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** The `webhook-id` header: the same for every attempt. */
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    kind: text('kind').notNull(),
    payload: jsonb('payload').notNull(),
    state: text('state').$type<'pending' | 'delivered' | 'failed'>().notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    lastLatencyMs: integer('last_latency_ms'),
    /**
     * The beginning of what the last attempt sent, without the webhook's secrets; encrypted
     * (server/alerts/webhooks/delivery-log.ts).
     */
    sentBody: text('sent_body'),
    deliveredAt: instant('delivered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('webhook_deliveries', t.organizationId, [t.id]),
    index('webhook_deliveries_webhook_idx').on(t.webhookId, t.createdAt),
    index('webhook_deliveries_event_idx').on(t.eventId),
    parentForeignKey('webhook_deliveries_webhook_fkey', [t.organizationId, t.webhookId], webhooks),
    check('webhook_deliveries_state_check', sql`state in ('pending', 'delivered', 'failed')`),
  ],
)

/** Every attempt of a delivery that ended, also those before it was sent again. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    deliveryId: uuid('delivery_id').notNull(),
    startedAt: instant('started_at').notNull(),
    /** The HTTP status; null without a response. */
    status: integer('status'),
    /** Why the attempt failed; null when the receiver accepted the message. */
    error: text('error'),
    latencyMs: integer('latency_ms').notNull(),
    /** The first 4 KiB of the response, without the webhook's secrets; encrypted as `sentBody` is. */
    responseBody: text('response_body'),
  },
  (t) => [
    organizationKey('webhook_attempts', t.organizationId, [t.id]),
    index('webhook_attempts_delivery_idx').on(t.deliveryId, t.startedAt),
    parentForeignKey('webhook_attempts_delivery_fkey', [t.organizationId, t.deliveryId], webhookDeliveries),
  ],
)
