import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import type { Page } from '#server/paging.ts'
import { RANGE_NAMES, type Range } from '#server/schemas/results/ranges.ts'
import type { ResultSummary } from '#server/schemas/results/results.ts'
import type { Series, Week } from '#server/schemas/results/series.ts'
import { type TestDashboard, testDashboard, testOrganization, type Visitor } from '#test/support/browser/dashboard.ts'
import { failed, isClose, latencies, performed, type ResultRow } from '#test/support/oracles/statistics-oracle.ts'
import { histories, storeHistory } from '#test/support/runs/history.ts'
import { SEED } from '#test/support/seed.ts'

// Charts, heatmap and filtered lists of the dashboard, compared with the results one by one. Clocks change in Berlin and
// New York within the 90 days before NOW.

const NOW = new Date('2026-11-19T13:27:41.500Z')
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati']
const COUNTS: Record<Range, number> = { '1h': 60, '6h': 72, '24h': 24, '7d': 56, '30d': 30, '90d': 90 }

const dashboard = testDashboard({ RESULT_RETENTION_DAYS: '120' })
const organization = testOrganization(dashboard)
dashboard.clock.now = NOW

beforeAll(() => ensurePartitions(dashboard.db, new Date(NOW.getTime() - 105 * DAY_MS), 106))

describe('over random histories', () => {
  test('series, week, lists and neighbours agree with the results', async () => {
    await fc.assert(
      fc.asyncProperty(histories(NOW), fc.constantFrom(...ZONES), async (history, zone) => {
        const service = await newService(dashboard, organization)
        await storeHistory(dashboard.db, service, history)
        const rows = await dashboard.db.select().from(results).where(eq(results.serviceId, service.id))
        await checkSeries(service.id, rows, zone)
        await checkWeek(service.id, rows, zone)
        await checkLists(service.id, rows)
      }),
      { numRuns: 4, seed: SEED },
    )
  })
})

async function newService({ create }: TestDashboard, of: { id: string }) {
  return create.service(await create.project(await create.workspace(of as never)))
}

async function ask<T>(name: string, input: object): Promise<T> {
  const answer = await (organization.visitor as Visitor).get<T>(name, input)
  expect({ status: answer.status, code: answer.code }, JSON.stringify(input)).toEqual({ status: 200, code: undefined })
  return answer.data
}

async function checkSeries(id: string, rows: ResultRow[], zone: string): Promise<void> {
  const [state] = await dashboard.db.select().from(serviceStates).where(eq(serviceStates.serviceId, id))
  const foldedUntil = state?.foldedUntil ?? new Date(0)
  const ofNinetyDays = rows.filter((row) => row.startedAt >= new Date('2026-08-22T00:00:00Z'))
  for (const range of RANGE_NAMES) {
    for (const agent of [undefined, 'oslo']) {
      const { buckets, agents, versions } = await ask<Series>('statistics.series', { id, range, zone, agent })
      expect(buckets).toHaveLength(COUNTS[range])
      checkBounds(buckets, range, zone)
      const first = Date.parse(buckets[0]!.start)
      expect(agents).toEqual([...new Set(performed(ofNinetyDays).map((row) => row.agentSlug))].sort())
      const ofAgent = rows.filter((row) => agent === undefined || row.agentSlug === agent)
      // Daily rows keep latencies by UTC day.
      const isDaily = range === '30d' || range === '90d'
      const dates = new Map(ofAgent.map((row) => [row, row.startedAt.toISOString().slice(0, 10)]))
      const compared = buckets.map((bucket) => {
        const isInside = within(bucket)
        const own = ofAgent.filter(isInside)
        const date = dateIn(Date.parse(bucket.start), zone)
        const timed = !isDaily
          ? own
          : ofAgent.filter((row) => (row.startedAt < foldedUntil ? dates.get(row) === date : isInside(row)))
        const values = latencies(timed)
        const isExact = values.length <= 128 || range === '1h' || range === '6h'
        const { start, runs, failed: failures, p50Ms, p95Ms } = bucket
        // A latency that is wrong is shown instead of `true`.
        const found = {
          ...{ start, runs, failed: failures },
          p50Ms: isClose(p50Ms, values, 0.5, isExact) || p50Ms,
          p95Ms: isClose(p95Ms, values, 0.95, isExact) || p95Ms,
        }
        return [found, { start, runs: performed(own).length, failed: failed(own).length, p50Ms: true, p95Ms: true }]
      })
      expect(
        compared.map(([found]) => found),
        `${range} ${zone} ${agent}`,
      ).toEqual(compared.map(([, expected]) => expected))
      const ran = Map.groupBy(performed(rows), (row) => row.scriptVersion as number)
      const starts = [...ran].map(([version, own]) => ({
        version,
        at: Math.min(...own.map((r) => r.startedAt.getTime())),
      }))
      expect(versions.map(({ version, firstRunAt }) => [version, Date.parse(firstRunAt)])).toEqual(
        starts
          .filter(({ at }) => at >= first)
          .sort((a, b) => a.at - b.at)
          .map(({ version, at }) => [version, at]),
      )
    }
  }
}

/** Each bucket begins where the clocks of the zone begin a new day, or a new third hour; none is left out. */
function checkBounds(buckets: Series['buckets'], range: Range, zone: string): void {
  expect(buckets.slice(1).map(({ start }) => start)).toEqual(buckets.slice(0, -1).map(({ end }) => end))
  expect(buckets.filter(({ start, end }) => !(Date.parse(end) > Date.parse(start)))).toEqual([])
  const starts = buckets.map(({ start }) => Date.parse(start))
  if (range === '30d' || range === '90d') {
    expect(starts.filter((start) => start % HOUR_MS !== 0)).toEqual([])
    expect(starts.filter((start) => dateIn(start, zone) === dateIn(start - HOUR_MS, zone))).toEqual([])
  }
  if (range === '7d') {
    expect(starts.filter((start) => thirdHour(start, zone) === thirdHour(start - HOUR_MS, zone))).toEqual([])
  }
  expect(Date.parse(buckets.at(-1)!.start)).toBeLessThanOrEqual(NOW.getTime())
  expect(Date.parse(buckets.at(-1)!.end)).toBeGreaterThan(NOW.getTime())
}

async function checkWeek(id: string, rows: ResultRow[], zone: string): Promise<void> {
  const week = await ask<Week>('statistics.week', { id, days: 90, zone })
  const since = Math.floor(NOW.getTime() / DAY_MS) * DAY_MS - 89 * DAY_MS
  const counted = performed(rows).filter((row) => row.startedAt.getTime() >= since)
  const cells = Map.groupBy(counted, (row) => cellIn(row.startedAt.getTime(), zone))
  expect(week.totalRuns).toBe(counted.length)
  expect(week.cells).toHaveLength(168)
  for (const cell of week.cells) {
    const own = cells.get(`${cell.weekday} ${cell.hour}`) ?? []
    expect(cell).toMatchObject({ runs: own.length, failed: failed(own).length })
  }
  // The runs of the cell with the most failures.
  const [name, own] = [...cells].sort(([, a], [, b]) => failed(b).length - failed(a).length)[0] ?? []
  if (!name || !own) return
  const [weekday, hour] = name.split(' ').map(Number)
  const cell = { weekday, hour, days: 90, zone }
  await checkList(id, { cell, status: 'failed' }, failed(own))
}

async function checkLists(id: string, rows: ResultRow[]): Promise<void> {
  const day = { since: '2026-11-18T10:30:10.000Z', until: '2026-11-19T09:10:30.500Z' }
  const inDay = (row: ResultRow) => row.startedAt >= new Date(day.since) && row.startedAt <= new Date(day.until)
  const versions = [...new Set(performed(rows).map((row) => row.scriptVersion as number))]
  const ofVersion = (version: number) => rows.filter((row) => row.scriptVersion === version)
  await checkList(id, {}, rows)
  for (const status of ['success', 'failure', 'timeout', 'skipped'] as const) {
    await checkList(
      id,
      { status },
      rows.filter((row) => row.status === status),
    )
  }
  await checkList(
    id,
    { status: 'failed', agent: 'oslo', ...day },
    failed(rows).filter((row) => row.agentSlug === 'oslo' && inDay(row)),
  )
  await checkList(id, { agent: 'nowhere' }, [])
  for (const version of versions.slice(0, 2)) {
    await checkList(id, { version }, ofVersion(version))
    await checkList(
      id,
      { version, status: 'failed', agent: 'local' },
      failed(ofVersion(version)).filter((row) => row.agentSlug === 'local'),
    )
    await checkList(id, { version, ...day }, ofVersion(version).filter(inDay))
  }
  await checkList(id, { version: 2_000_000 }, [])
  await checkList(id, { version: versions[0] ?? 1, status: 'skipped' }, [])
}

/** Checks total, order and pages of a list, and the neighbours of some of its runs. */
async function checkList(id: string, filter: object, expected: ResultRow[]): Promise<void> {
  const sorted = expected
    .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1))
    .map((row) => row.id)
  const pages = [1, Math.max(1, Math.ceil(sorted.length / 20))]
  for (const page of new Set(pages)) {
    const list = await ask<Page<ResultSummary>>('results.search', { id, page, pageSize: 20, ...filter })
    expect({ filter, page, total: list.total, ids: list.items.map((item) => item.id) }).toEqual({
      ...{ filter, page, total: sorted.length, ids: sorted.slice((page - 1) * 20, page * 20) },
    })
  }
  for (const at of new Set([0, Math.floor(sorted.length / 2), sorted.length - 1])) {
    const resultId = sorted[at]
    if (!resultId) continue
    expect(await ask('results.neighbours', { id, resultId, ...filter })).toEqual({
      newer: sorted[at - 1] ?? null,
      older: sorted[at + 1] ?? null,
    })
  }
}

function within({ start, end }: { start: string; end: string }): (row: ResultRow) => boolean {
  const [from, to] = [Date.parse(start), Date.parse(end)]
  return ({ startedAt }) => startedAt.getTime() >= from && startedAt.getTime() < to
}

/** Creating a format takes ten times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function partsIn(at: number, zone: string): Record<string, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', weekday: 'short', hourCycle: 'h23' },
    })
  formats.set(zone, format)
  return Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
}

function dateIn(at: number, zone: string): string {
  const { year, month, day } = partsIn(at, zone)
  return `${year}-${month}-${day}`
}

function thirdHour(at: number, zone: string): string {
  return `${dateIn(at, zone)} ${Math.floor(Number(partsIn(at, zone).hour) / 3)}`
}

/** The cell of the UTC hour in which a run started, by the clock time at which that hour begins. */
function cellIn(at: number, zone: string): string {
  const { weekday, hour } = partsIn(Math.floor(at / HOUR_MS) * HOUR_MS, zone)
  return `${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday as string) + 1} ${Number(hour)}`
}
