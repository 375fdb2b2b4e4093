import { and, eq, gte, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { assertionDays, assertionHours } from '#db/schema/results.ts'
import { ASSERTIONS_MAX, type AssertionFailure } from '../schemas/statistics.ts'
import { type ServiceRef, share } from './runs.ts'
import type { Buckets } from './windows.ts'

/** What the assertions of a service checked in the window and how often they failed, most failures first. */
export async function readAssertions(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ assertions: AssertionFailure[]; truncated: boolean }> {
  const table = buckets.type === 'hour' ? assertionHours : assertionDays
  const start = buckets.type === 'hour' ? assertionHours.hour : assertionDays.day
  const failures = sql<number>`sum(${table.failures})::float8`
  const rows = await db
    .select({
      key: table.assertionKey,
      definition: sql<Record<string, unknown>>`(array_agg(${table.definition}))[1]`,
      evaluations: sql<number>`sum(${table.evaluations})::float8`,
      failures,
      lastFailedAt: sql<Date | null>`max(${table.lastFailedAt})`.mapWith(table.lastFailedAt),
    })
    .from(table)
    .where(
      and(eq(table.organizationId, service.organizationId), eq(table.serviceId, service.id), gte(start, buckets.since)),
    )
    .groupBy(table.assertionKey)
    .orderBy(sql`${failures} desc`, table.assertionKey)
    .limit(ASSERTIONS_MAX + 1)
  return {
    assertions: rows.slice(0, ASSERTIONS_MAX).map(({ definition, ...row }) => ({
      key: row.key,
      endpoint: { method: text(definition.method) ?? '', template: text(definition.template) ?? '' },
      assertion: 'expression' in definition ? 'assert' : (text(definition.kind) ?? 'expect'),
      kind: text(definition.kind) ?? 'expect',
      scope: text(definition.scope),
      op: text(definition.op),
      expected: definition.expected ?? null,
      expression: text(definition.expression),
      failures: row.failures,
      evaluations: row.evaluations,
      failureRatePct: share(row.failures, row.evaluations) ?? 0,
      lastFailedAt: row.lastFailedAt?.toISOString() ?? null,
    })),
    truncated: rows.length > ASSERTIONS_MAX,
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
