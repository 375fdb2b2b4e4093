import { sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { assertionDays, assertionHours } from '#db/schema/results.ts'
import { ASSERTIONS_MAX, type AssertionFailure } from '../schemas/statistics.ts'
import { ROLLUPS, type ServiceRef, selectRollups } from './rollups.ts'
import { percentage } from './runs.ts'
import type { Buckets } from './windows.ts'

/** Returns how often each assertion of a service failed in the window, most failures first. */
export async function readAssertions(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ assertions: AssertionFailure[]; truncated: boolean }> {
  const fields = { hours: columnsOf(assertionHours), days: columnsOf(assertionDays) }
  const found = selectRollups(db, ROLLUPS.assertions, service, buckets, fields).as('found')
  const failures = sql<number>`sum(${found.failures})::float8`
  const rows = await db
    .select({
      key: found.key,
      definition: sql<Record<string, unknown>>`(array_agg(${found.definition}))[1]`,
      evaluations: sql<number>`sum(${found.evaluations})::float8`,
      failures,
      lastFailedAt: sql<Date | null>`max(${found.lastFailedAt})`.mapWith(assertionHours.lastFailedAt),
    })
    .from(found)
    .groupBy(found.key)
    .orderBy(sql`${failures} desc`, found.key)
    .limit(ASSERTIONS_MAX + 1)
  return {
    assertions: rows.slice(0, ASSERTIONS_MAX).map(({ definition, ...row }) => ({
      key: row.key,
      endpoint: { method: stringOrNull(definition.method) ?? '', template: stringOrNull(definition.template) ?? '' },
      assertion: 'expression' in definition ? 'assert' : (stringOrNull(definition.kind) ?? 'expect'),
      kind: stringOrNull(definition.kind) ?? 'expect',
      scope: stringOrNull(definition.scope),
      op: stringOrNull(definition.op),
      expected: definition.expected ?? null,
      expression: stringOrNull(definition.expression),
      failures: row.failures,
      evaluations: row.evaluations,
      failureRatePct: percentage(row.failures, row.evaluations) ?? 0,
      lastFailedAt: row.lastFailedAt?.toISOString() ?? null,
    })),
    truncated: rows.length > ASSERTIONS_MAX,
  }
}

function columnsOf(table: typeof assertionHours | typeof assertionDays) {
  return {
    key: table.assertionKey,
    definition: table.definition,
    evaluations: table.evaluations,
    failures: table.failures,
    lastFailedAt: table.lastFailedAt,
  }
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
