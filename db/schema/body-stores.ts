import { pgTable, primaryKey, text, unique, uuid } from '../drizzle.cjs'
import { createdAt, id, instant } from './columns.ts'
import { organizationId } from './organizations.ts'

/** The stores of response bodies. */
export const bodyStores = pgTable(
  'body_stores',
  {
    id: id(),
    /** Null for stores of the installation. */
    organizationId: uuid('organization_id'),
    label: text('label').notNull(),
    /** `file:///…` or `s3://…`; credentials are settings, not rows. */
    url: text('url').notNull(),
    createdAt: createdAt(),
    /** When a worker last used the store, to the hour. */
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
  },
  (t) => [unique('body_stores_url_key').on(t.organizationId, t.url).nullsNotDistinct()],
)

/**
 * Stores that an organization has given up: its bodies of runs until `forgottenAt` are not read from them. Later bodies
 * exist only if the installation uses the store again.
 */
export const forgottenBodyStores = pgTable(
  'forgotten_body_stores',
  {
    organizationId: organizationId(),
    storeId: uuid('store_id')
      .notNull()
      .references(() => bodyStores.id, { onDelete: 'cascade' }),
    forgottenAt: instant('forgotten_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.storeId] })],
)
