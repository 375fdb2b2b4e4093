import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { assertionHours } from '#db/schema/results.ts'
import { ASSERTIONS_MAX, type AssertionFailure } from '../../schemas/statistics.ts'
import { type ServiceRef, selectRollups, sqlSum } from './rollups.ts'
import { percentage } from './runs.ts'
import type { Buckets } from './windows.ts'

/** Returns how often each assertion of a service failed in the window, most failures first. */
export async function readAssertions(
  db: Queryable,
  service: ServiceRef,
  { type, since }: Buckets,
): Promise<{ assertions: AssertionFailure[]; truncated: boolean }> {
  const found = selectRollups(db, 'assertions', service, { type, since }, (table) => ({
    key: table.assertionKey,
    definition: table.definition,
    evaluations: table.evaluations,
    failures: table.failures,
    lastFailedAt: table.lastFailedAt,
  })).as('found')
  const failures = sqlSum(found.failures)
  const rows = await db
    .select({
      key: found.key,
      definition: sql<Record<string, unknown>>`(array_agg(${found.definition}))[1]`,
      evaluations: sqlSum(found.evaluations),
      failures,
      lastFailedAt: sql<Date | null>`max(${found.lastFailedAt})`.mapWith(assertionHours.lastFailedAt),
    })
    .from(found)
    .groupBy(found.key)
    .orderBy(sql`${failures} desc`, found.key)
    .limit(ASSERTIONS_MAX + 1)
  return {
    assertions: rows.slice(0, ASSERTIONS_MAX).map(({ definition, ...row }) => ({
      ...row,
      endpoint: { method: stringOrNull(definition.method) ?? '', template: stringOrNull(definition.template) ?? '' },
      assertion: 'expression' in definition ? 'assert' : (stringOrNull(definition.kind) ?? 'expect'),
      kind: stringOrNull(definition.kind) ?? 'expect',
      scope: stringOrNull(definition.scope),
      op: stringOrNull(definition.op),
      expected: definition.expected ?? null,
      expression: stringOrNull(definition.expression),
      failureRatePct: percentage(row.failures, row.evaluations) ?? 0,
      lastFailedAt: row.lastFailedAt?.toISOString() ?? null,
    })),
    truncated: rows.length > ASSERTIONS_MAX,
  }
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
