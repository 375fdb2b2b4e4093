import { type SQL, sql } from 'drizzle-orm'
import { uuidArray, uuids } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { statement } from '#db/statement.ts'

/**
 * Returns a statement about services. It finds them by two arrays instead of a join with their keys, like `matchesRows`:
 * the planner reads the whole table for a join with rows that it has to lock.
 */
export function servicesStatement<R>(
  build: (organizationIds: SQL, ids: SQL) => SQL,
): (tx: Tx, services: readonly RowKey<string>[]) => Promise<R[]> {
  const send = statement<{ organizationIds: string; ids: string }, R>(() =>
    build(uuids(sql.placeholder('organizationIds')), uuids(sql.placeholder('ids'))),
  )
  return (tx, services) =>
    send(tx, {
      organizationIds: uuidArray([...new Set(services.map((service) => service.organizationId))]),
      ids: uuidArray(services.map((service) => service.id)),
    })
}
