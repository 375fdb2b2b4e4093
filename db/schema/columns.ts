import { type AnyPgColumn, customType, foreignKey, primaryKey, smallint, timestamp, uuid } from '../drizzle.cjs'

/** Ids are UUIDv7 that the program creates, so a row's id is known before it is inserted. */
export const id = () => uuid('id').primaryKey()

/** The id of a row of an organization, whose primary key begins with the organization: `organizationKey`. */
export const organizationRowId = () => uuid('id').notNull()

export const createdAt = () => instant('created_at').notNull().defaultNow()

/** An instant to the millisecond, the precision of a JavaScript `Date` and of a UUIDv7. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Permissions on sections of the organization, for memberships and groups: 0 no access, 1 read, 2 write. */
export const sectionColumns = () => ({
  users: smallint('section_users').notNull().default(0),
  settings: smallint('section_settings').notNull().default(0),
  domains: smallint('section_domains').notNull().default(0),
  webhooks: smallint('section_webhooks').notNull().default(0),
  orgAdmin: smallint('section_org_admin').notNull().default(0),
  workspaces: smallint('section_workspaces').notNull().default(0),
})

/**
 * The primary key of a table with rows of organizations: the organization first, so that a distributed database can place
 * the rows by it.
 */
export function organizationKey<T extends string>(
  table: T,
  organizationId: AnyPgColumn<{ tableName: T }>,
  columns: [AnyPgColumn<{ tableName: T }>, ...AnyPgColumn<{ tableName: T }>[]],
) {
  return primaryKey({ name: `${table}_pkey`, columns: [organizationId, ...columns] })
}

type OrganizationColumns<T extends string> = Record<'organizationId' | 'id', AnyPgColumn<{ tableName: T }>>

/**
 * A foreign key by the organization's id and the parent's, so that no row can refer to another organization's row.
 * Deleting the parent deletes the row.
 */
export function parentForeignKey<T extends string, P extends string>(
  name: string,
  columns: [AnyPgColumn<{ tableName: T }>, AnyPgColumn<{ tableName: T }>],
  parent: OrganizationColumns<P>,
) {
  return foreignKey({ name, columns, foreignColumns: [parent.organizationId, parent.id] }).onDelete('cascade')
}
