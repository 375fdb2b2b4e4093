import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { results } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { spanBuckets } from '#server/results/statistics/zoned-buckets.ts'
import type { LatencyParts, Series } from '#server/schemas/results/series.ts'
import { testDashboard, testOrganization } from '#test/support/browser/dashboard.ts'
import {
  between,
  failed,
  isClose,
  latencies,
  performed,
  type ResultRow,
} from '#test/support/oracles/statistics-oracle.ts'
import { histories, storeHistory } from '#test/support/runs/history.ts'
import { SEED } from '#test/support/seed.ts'

// Charts that are zoomed to a part of their range, and response times by phase and agent, compared with the results.

const NOW = new Date('2026-11-19T13:27:41.500Z')
const dashboard = testDashboard({ RESULT_RETENTION_DAYS: '120' })
const organization = testOrganization(dashboard)
dashboard.clock.now = NOW

beforeAll(() => ensurePartitions(dashboard.db, new Date(NOW.getTime() - 105 * DAY_MS), 106))

/** Parts that end an hour before NOW, with the length of their buckets. */
const PARTS = [
  { hours: 1, length: 'minute' },
  { hours: 6, length: '5 minutes' },
  { hours: 48, length: 'hour' },
  { hours: 9 * 24, length: '3 hours' },
  { hours: 40 * 24, length: 'day' },
] as const

const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'transferMs'] as const

describe('a part of a range', () => {
  test('agrees with the results, and so do phases and agents', async () => {
    await fc.assert(
      fc.asyncProperty(histories(NOW), async (history) => {
        const { create, db } = dashboard
        const service = await create.service(await create.project(await create.workspace(organization)))
        await storeHistory(db, service, history)
        const rows = await db.select().from(results).where(eq(results.serviceId, service.id))
        for (const { hours, length } of PARTS) {
          const end = Math.floor(NOW.getTime() / HOUR_MS) * HOUR_MS
          const span = { since: new Date(end - hours * HOUR_MS).toISOString(), until: new Date(end).toISOString() }
          const input = { id: service.id, range: '90d', zone: 'UTC', ...span }
          checkSeries(await ask<Series>('statistics.series', input), rows, length)
          checkLatency(await ask<LatencyParts>('statistics.latency', input), rows, length)
        }
      }),
      { numRuns: 4, seed: SEED },
    )
  })

  test.each([
    { since: '2026-11-19T00:00:00.000Z' },
    { until: '2026-11-19T00:00:00.000Z' },
    { since: '2026-11-19T01:00:00.000Z', until: '2026-11-19T00:00:00.000Z' },
    { since: '2026-01-01T00:00:00.000Z', until: '2026-11-19T00:00:00.000Z' },
    // PostgreSQL knows no year 0, and JavaScript writes the year 10,000 in a form of its own.
    { since: '0000-01-01T00:00:00.000Z', until: '0000-01-02T00:00:00.000Z' },
    { since: '9999-12-30T00:00:00.000Z', until: '9999-12-31T23:59:59.000Z' },
  ])('%o is refused', async (span) => {
    const { create } = dashboard
    const service = await create.service(await create.project(await create.workspace(organization)))
    for (const name of ['statistics.series', 'statistics.latency']) {
      const answer = await organization.visitor.get(name, { id: service.id, range: '30d', zone: 'UTC', ...span })
      expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code: 'invalid_request_body' })
    }
  })
})

describe('the buckets of a part', () => {
  const kept = { results: new Date('2026-10-01T00:00:00Z'), hours: new Date('2026-09-01T00:00:00Z') }
  const lengthOf = (since: string, ms: number) =>
    spanBuckets({ since, until: new Date(Date.parse(since) + ms).toISOString() }, 'UTC', kept).length

  test('are no shorter than what is kept of that time', () => {
    expect(lengthOf('2026-10-01T00:00:00.000Z', HOUR_MS)).toBe('minute')
    expect(lengthOf('2026-09-30T23:00:00.000Z', HOUR_MS)).toBe('hour')
    expect(lengthOf('2026-08-31T23:00:00.000Z', HOUR_MS)).toBe('day')
  })

  test('cover all of it, on the clocks of the zone', () => {
    const span = { since: '2026-10-20T22:00:00.000Z', until: '2026-10-29T23:00:00.000Z' }
    const { length, bounds } = spanBuckets(span, 'Europe/Berlin', kept)
    expect({ length, first: bounds[0], last: bounds.at(-1) }).toEqual({
      length: 'day',
      first: new Date(span.since),
      last: new Date(span.until),
    })
    const short = spanBuckets({ since: '2026-10-20T22:10:30.000Z', until: '2026-10-20T22:12:30.000Z' }, 'UTC', kept)
    expect([short.bounds[0], short.bounds.at(-1)]).toEqual([
      new Date('2026-10-20T22:10:00Z'),
      new Date('2026-10-20T22:13:00Z'),
    ])
    expect(short.bounds).toHaveLength(3 + 1)
    expect((short.bounds[1] as Date).getTime() - (short.bounds[0] as Date).getTime()).toBe(MINUTE_MS)
  })
})

async function ask<T>(name: string, input: object): Promise<T> {
  const answer = await organization.visitor.get<T>(name, input)
  expect({ status: answer.status, code: answer.code }, JSON.stringify(input)).toEqual({ status: 200, code: undefined })
  return answer.data
}

type Bucket = { start: string; end: string }

function rowsIn(rows: ResultRow[], { start, end }: Bucket): ResultRow[] {
  return between(rows, Date.parse(start), Date.parse(end))
}

function checkSeries(series: Series, rows: ResultRow[], length: string): void {
  expect(series.length).toBe(length)
  const compared = series.buckets.map(({ p50Ms, p95Ms, ...bucket }) => {
    const own = rowsIn(rows, bucket)
    const values = latencies(own)
    const isExact = length === 'minute' || length === '5 minutes' || values.length <= 128
    const found = {
      ...bucket,
      p50Ms: isClose(p50Ms, values, 0.5, isExact) || p50Ms,
      p95Ms: isClose(p95Ms, values, 0.95, isExact) || p95Ms,
    }
    return [found, { ...bucket, runs: performed(own).length, failed: failed(own).length, p50Ms: true, p95Ms: true }]
  })
  expect(compared.map(([found]) => found)).toEqual(compared.map(([, expected]) => expected))
}

function checkLatency(parts: LatencyParts, rows: ResultRow[], length: string): void {
  expect(parts.length).toBe(length)
  const isExact = length === 'minute' || length === '5 minutes'
  for (const [i, bucket] of parts.buckets.entries()) {
    const own = performed(rowsIn(rows, bucket))
    for (const { slug, ms } of parts.agents) {
      const values = latencies(own.filter(({ agentSlug }) => agentSlug === slug))
      expectMean(ms[i] ?? null, sum(values), values.length, isExact, `${slug} ${bucket.start}`)
    }
    for (const { key, ms } of parts.phases) {
      const total = sum(own.flatMap(({ steps }) => steps.map((step) => step[key] ?? 0)))
      expectMean(ms[i] ?? null, total, latencies(own).length, true, `${key} ${bucket.start}`)
    }
  }
  const shown = parts.buckets.flatMap((bucket) => performed(rowsIn(rows, bucket)))
  const ran = Map.groupBy(shown, ({ agentSlug }) => agentSlug)
  const answered = [...ran].filter(([, own]) => latencies(own).length > 0).map(([slug]) => slug)
  expect(parts.agents.map(({ slug }) => slug)).toEqual(answered.sort())
  expect(parts.phases.map(({ key }) => key)).toEqual([...PHASES])
}

/** A sketch of more than 128 latencies has their sum within 1 %. */
function expectMean(found: number | null, total: number, count: number, isExact: boolean, what: string): void {
  if (count === 0) {
    expect(found, what).toBe(null)
    return
  }
  const mean = total / count
  expect(Math.abs((found ?? Number.NaN) - mean), what).toBeLessThanOrEqual(0.006 + (isExact ? 0 : mean * 0.01))
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
