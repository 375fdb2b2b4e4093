import { anyOf, uuids } from './any-of.ts'
import type { PgColumn } from './drizzle.cjs'
import { and, type Column, eq, type SQL, sql } from './drizzle.cjs'

// Rows of organizations are found by their organization and id together, and joined by both: their keys begin with the
// organization, and a distributed database places them by it.

/** The organization and id of a row, or the two columns of a table. */
export type RowKey<T extends string | Column = string | Column> = { organizationId: T; id: T }

/** Whether a column with an id holds that of this row, within one organization. Joins tables, too. */
export function matchesRow(column: PgColumn, row: RowKey): SQL {
  return and(eq(organizationOf(column), row.organizationId), eq(column, row.id)) as SQL
}

/** The same for an id whose row is not read. */
export function matchesId(column: PgColumn, organizationId: string, id: string): SQL {
  return matchesRow(column, { organizationId, id })
}

/** Whether a column holds one of these ids of an organization. */
export function matchesAny(column: PgColumn, organizationId: string, ids: readonly string[]): SQL {
  return and(eq(organizationOf(column), organizationId), anyOf(column, ids)) as SQL
}

/**
 * Whether a column holds the id of one of these rows, of any organizations. Two arrays instead of a join with `rowKeys`:
 * the planner reads the whole table for a join with rows that it has to lock. Ids are unique in all organizations, so no
 * pair of another row's organization and id exists.
 */
export function matchesRows(column: PgColumn, rows: readonly RowKey<string>[]): SQL {
  const organizationIds = [...new Set(rows.map((row) => row.organizationId))]
  return and(
    anyOf(organizationOf(column), organizationIds),
    anyOf(
      column,
      rows.map((row) => row.id),
    ),
  ) as SQL
}

/** The keys of rows as a relation of two columns, the organization first. */
export function rowKeys(rows: readonly RowKey<string>[]): SQL {
  return sql`unnest(${uuids(rows.map((row) => row.organizationId))}, ${uuids(rows.map((row) => row.id))})`
}

/** Returns the organization's column in the table of a column. @throws Error when the table has none */
function organizationOf(column: PgColumn): PgColumn {
  const { organizationId } = column.table as unknown as { organizationId?: PgColumn }
  if (!organizationId) throw new Error('Only tables with rows of organizations have keys with the organization')
  return organizationId
}
/** Returns the keys of the services that rows belong to, each once. */
export function servicesOf(rows: readonly { organizationId: string; serviceId: string }[]): RowKey<string>[] {
  return [...new Map(rows.map(({ organizationId, serviceId: id }) => [id, { organizationId, id }])).values()]
}
