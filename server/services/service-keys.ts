import type { RowKey } from '#db/row-match.ts'

/** Returns the keys of the services that rows belong to, each once. */
export function servicesOf(rows: readonly { organizationId: string; serviceId: string }[]): RowKey<string>[] {
  return [...new Map(rows.map(({ organizationId, serviceId: id }) => [id, { organizationId, id }])).values()]
}
