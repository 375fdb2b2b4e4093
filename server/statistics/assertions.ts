import { sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { assertionDays, assertionHours } from '#db/schema/results.ts'
import { ASSERTIONS_MAX, type AssertionFailure } from '../schemas/statistics.ts'
import { ofDays, ofHours } from './rollups.ts'
import { percentage, type ServiceRef } from './runs.ts'
import type { Buckets } from './windows.ts'

/** What the assertions of a service checked in the window and how often they failed, most failures first. */
export async function readAssertions(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ assertions: AssertionFailure[]; truncated: boolean }> {
  const columns = (table: typeof assertionHours | typeof assertionDays) => ({
    key: table.assertionKey,
    definition: table.definition,
    evaluations: table.evaluations,
    failures: table.failures,
    lastFailedAt: table.lastFailedAt,
  })
  const hours = db
    .select(columns(assertionHours))
    .from(assertionHours)
    .where(ofHours(assertionHours, service, buckets))
  const days = db
    .select(columns(assertionDays))
    .from(assertionDays)
    .where(ofDays(assertionDays, service, buckets))
  const found = buckets.type === 'day' ? unionAll(hours, days).as('found') : hours.as('found')
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
      endpoint: { method: text(definition.method) ?? '', template: text(definition.template) ?? '' },
      assertion: 'expression' in definition ? 'assert' : (text(definition.kind) ?? 'expect'),
      kind: text(definition.kind) ?? 'expect',
      scope: text(definition.scope),
      op: text(definition.op),
      expected: definition.expected ?? null,
      expression: text(definition.expression),
      failures: row.failures,
      evaluations: row.evaluations,
      failureRatePct: percentage(row.failures, row.evaluations) ?? 0,
      lastFailedAt: row.lastFailedAt?.toISOString() ?? null,
    })),
    truncated: rows.length > ASSERTIONS_MAX,
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
