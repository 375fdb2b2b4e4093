import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '#db/partitions.ts'
import { results } from '#db/schema/results.ts'
import { testApi } from '#test/support/api.ts'
import {
  createKey,
  createMember,
  createOrganization,
  createProject,
  createService,
  createWorkspace,
} from '#test/support/factories.ts'
import { DAY, HOUR, histories, keyOf, storeHistory } from '#test/support/history.ts'
import {
  between,
  bucketsOf,
  failed,
  isClose,
  latencies,
  percent,
  performed,
  type ResultRow,
  WINDOWS,
  type WindowName,
} from '#test/support/oracle.ts'

// A Thursday, in the middle of an hour.
const NOW = new Date('2026-11-19T13:27:41.500Z')
const api = testApi({ now: () => NOW, settings: { RESULT_RETENTION_DAYS: '120' } })
const QUANTILES = { p50Ms: 0.5, p95Ms: 0.95, p99Ms: 0.99 } as const
const LAST_DAY = { length: HOUR, count: 24 }

beforeAll(() => ensurePartitions(api.db, new Date(NOW.getTime() - 105 * DAY), 106))

async function setUp() {
  const organization = await createOrganization(api.db)
  const workspace = await createWorkspace(api.db, organization)
  const project = await createProject(api.db, workspace)
  const other = await createProject(api.db, workspace)
  const [first, second, hidden] = [
    await createService(api.db, project),
    await createService(api.db, project),
    await createService(api.db, other),
  ]
  const member = await createMember(api.db, organization, {
    grants: [
      { serviceId: first.id, level: 1 },
      { serviceId: second.id, level: 1 },
    ],
  })
  const key = await createKey(api.db, member, { access: 'read' })
  const ownerKey = await createKey(api.db, organization.owner)
  return { workspace, project, first, second, hidden, key, ownerKey }
}

type World = Awaited<ReturnType<typeof setUp>>

const read = async <T = Record<string, unknown>>(key: World['key'], path: string, query = {}) =>
  (await api.call<T>(key, 'GET', path, { query })).body as T
const rowsOf = (serviceId: string) => api.db.select().from(results).where(eq(results.serviceId, serviceId))

describe('every number of the statistics is what the results say', () => {
  test('over random histories', async () => {
    await fc.assert(
      fc.asyncProperty(histories(NOW), histories(NOW), async (one, two) => {
        const world = await setUp()
        await storeHistory(api.db, world.first, one)
        await storeHistory(api.db, world.second, two.slice(0, 60))
        await storeHistory(api.db, world.hidden, two.slice(60, 80))
        const rows = await rowsOf(world.first.id)
        const visible = [...rows, ...(await rowsOf(world.second.id))]
        await checkMetrics(world, rows, visible)
        await checkHistory(world, rows, visible)
        for (const window of Object.keys(WINDOWS) as WindowName[]) await checkWindow(world, rows, window)
        await checkHeatmap(world, rows)
        await checkResults(world, rows)

        // What was deleted is in no sum any more.
        await api.call(world.ownerKey, 'DELETE', `/services/${world.second.id}`)
        await checkMetrics(world, rows, rows)
        await checkHistory(world, rows, rows)
      }),
      { numRuns: 12 },
    )
  })
})

async function checkMetrics(world: World, own: ResultRow[], visible: ResultRow[]): Promise<void> {
  for (const [path, rows] of [
    [`/services/${world.first.id}/metrics`, own],
    [`/projects/${world.project.id}/metrics`, visible],
    [`/workspaces/${world.workspace.id}/metrics`, visible],
  ] as const) {
    const { status, body } = await api.call<Record<string, Record<string, number | null>>>(world.key, 'GET', path)
    const ran = performed(rows as ResultRow[])
    expect(status).toBe(ran.length === 0 ? 204 : 200)
    if (ran.length === 0) continue
    expect(body.counters).toEqual({
      probesTotal: ran.length,
      probesSuccess: ran.filter((row) => row.status === 'success').length,
      probesFailure: ran.filter((row) => row.status === 'failure').length,
      probesTimeout: ran.filter((row) => row.status === 'timeout').length,
    })
    const latest = Math.max(...ran.map((row) => row.startedAt.getTime()))
    expect(body.state?.lastRunAt).toBe(Math.floor(latest / 1_000))
    const parts = bucketsOf(rows as ResultRow[], LAST_DAY, NOW)
    const values = latencies(parts.flatMap((part) => part.rows))
    for (const [name, q] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const actual = body.percentiles?.[name] ?? null
      expect(isClose(actual, values, q, isExact(parts)), `${path} ${name}: ${actual} of ${values.length}`).toBe(true)
    }
  }
}

async function checkHistory(world: World, own: ResultRow[], visible: ResultRow[]): Promise<void> {
  for (const [path, rows] of [
    [`/services/${world.first.id}/metrics/history`, own],
    [`/projects/${world.project.id}/metrics/history`, visible],
    [`/workspaces/${world.workspace.id}/metrics/history`, visible],
  ] as const) {
    const hours = 168
    const answer = await read<unknown[]>(world.key, path, { hours })
    expect(answer).toEqual(
      bucketsOf(rows as ResultRow[], { length: HOUR, count: hours }, NOW).map((bucket) => {
        const ran = performed(bucket.rows)
        return {
          hour: bucket.start.toISOString(),
          total: ran.length,
          success: ran.filter((row) => row.status === 'success').length,
          failure: ran.filter((row) => row.status === 'failure').length,
          timeout: ran.filter((row) => row.status === 'timeout').length,
          sumMs: sum(ran, (row) => row.totalResponseMs),
          callCount: sum(ran, (row) => row.callCount),
        }
      }),
    )
  }
}

type Bucket = { bucketStart: string; probeCount: number; uptimePct: number; errorRatePct: number } & Record<
  string,
  number
>

async function checkWindow(world: World, rows: ResultRow[], name: WindowName): Promise<void> {
  const window = WINDOWS[name]
  const base = `/services/${world.first.id}/metrics/statistics`
  const answer = await read<{
    bucketType: string
    overall: Bucket[]
    regions: { agentSlug: string; buckets: Bucket[] }[]
    endpoints: Record<string, never>[]
  }>(world.key, base, { window: name })
  expect(answer.bucketType).toBe(window.type)
  checkBuckets(answer.overall, rows, window)
  const inWindow = bucketsOf(rows, window, NOW).flatMap((bucket) => bucket.rows)
  expect(answer.regions.map((region) => region.agentSlug)).toEqual(
    [...new Set(inWindow.map((row) => row.agentSlug))].sort(),
  )
  for (const region of answer.regions) {
    const own = rows.filter((row) => row.agentSlug === region.agentSlug)
    checkBuckets(region.buckets, own, window)
  }

  const first = bucketsOf(rows, window, NOW)[0]?.start.getTime() as number
  const before = between(rows, first - window.count * window.length, first)
  const calls = (of: ResultRow[]) => of.flatMap((row) => row.steps.map((step) => ({ ...step, at: row.startedAt })))
  const groups = Map.groupBy(calls(inWindow), (step) => keyOf(step.method, step.template))
  expect(answer.endpoints.map((e) => e.key).sort()).toEqual([...groups.keys()].sort())
  for (const endpoint of answer.endpoints as unknown as Record<string, unknown>[]) {
    const now = groups.get(endpoint.key as string) ?? []
    const previous = calls(before).filter((step) => keyOf(step.method, step.template) === endpoint.key)
    expect(endpoint).toMatchObject({ ...endpointTotals(now), previous: endpointTotals(previous) })
    for (const phase of ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'transferMs', 'responseTimeMs'] as const) {
      expect((endpoint.phases as Record<string, unknown>)[phase]).toEqual({
        avgMs: mean(now.map((step) => step[phase])),
        previousAvgMs: mean(previous.map((step) => step[phase])),
      })
    }
  }

  const series = await read<{
    buckets: string[]
    all: Record<string, unknown>[]
    endpoints: { key: string; points: Record<string, unknown>[] }[]
  }>(world.key, `${base}/endpoint-series`, { window: name })
  const starts = bucketsOf(rows, window, NOW)
  expect(series.buckets).toEqual(starts.map((bucket) => bucket.start.toISOString()))
  for (const [points, key] of [
    [series.all, null],
    ...series.endpoints.map((e) => [e.points, e.key] as const),
  ] as const) {
    const expected = starts.map((bucket) => {
      const own = calls(bucket.rows).filter((step) => key === null || keyOf(step.method, step.template) === key)
      const bad = own.filter((step) => step.outcome !== 'success').length
      return {
        bucketStart: bucket.start.toISOString(),
        calls: own.length,
        failedCalls: bad,
        errorRatePct: percent(bad, own.length),
      }
    })
    expect(points.map(({ p50Ms: _a, p95Ms: _b, p99Ms: _c, ...rest }) => rest)).toEqual(expected)
  }

  const asserted = await read<{
    assertions: {
      endpoint: { method: string; template: string }
      scope: string
      failures: number
      evaluations: number
    }[]
  }>(world.key, `${base}/assertions`, { window: name })
  const evaluations = calls(inWindow).flatMap((step) =>
    (step.assertionResults as { index: number; failed: boolean }[]).map((a) => ({
      name: `${step.method} ${step.template} ${a.index === 0 ? 'status' : 'body'}`,
      failed: a.failed,
    })),
  )
  const byName = Map.groupBy(evaluations, (evaluation) => evaluation.name)
  expect(
    Object.fromEntries(
      asserted.assertions.map((a) => [
        `${a.endpoint.method} ${a.endpoint.template} ${a.scope}`,
        [a.failures, a.evaluations],
      ]),
    ),
  ).toEqual(
    Object.fromEntries([...byName].map(([key, all]) => [key, [all.filter((e) => e.failed).length, all.length]])),
  )
}

function checkBuckets(actual: Bucket[], rows: ResultRow[], window: { length: number; count: number }): void {
  const expected = bucketsOf(rows, window, NOW)
  expect(actual.map((bucket) => bucket.bucketStart)).toEqual(expected.map((bucket) => bucket.start.toISOString()))
  for (const [i, bucket] of expected.entries()) {
    const shown = actual[i] as Bucket
    const ran = performed(bucket.rows)
    expect(shown).toMatchObject({
      probeCount: ran.length,
      uptimePct: percent(ran.length - failed(ran).length, ran.length),
      errorRatePct: percent(failed(ran).length, ran.length),
    })
    for (const [name, q] of Object.entries(QUANTILES)) {
      const values = latencies(bucket.rows)
      expect(isClose(shown[name] as number | null, values, q, isExact([bucket])), `${name} of ${values.length}`).toBe(
        true,
      )
    }
  }
}

async function checkHeatmap(world: World, rows: ResultRow[]): Promise<void> {
  for (const days of [1, 90]) {
    const answer = await read<{ totalRuns: number; totalFailedRuns: number; cells: Record<string, number>[] }>(
      world.key,
      `/services/${world.first.id}/metrics/statistics/failure-heatmap`,
      { days },
    )
    const ran = performed(bucketsOf(rows, { length: DAY, count: days }, NOW).flatMap((bucket) => bucket.rows))
    expect(answer).toMatchObject({ totalRuns: ran.length, totalFailedRuns: failed(ran).length })
    expect(answer.cells).toHaveLength(168)
    for (const cell of answer.cells) {
      const own = ran.filter(
        (row) => (row.startedAt.getUTCDay() || 7) === cell.weekday && row.startedAt.getUTCHours() === cell.hour,
      )
      expect(cell).toMatchObject({ runs: own.length, failedRuns: failed(own).length })
    }
  }
}

async function checkResults(world: World, rows: ResultRow[]): Promise<void> {
  const newest = rows.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1))
  const sinces = [undefined, newest[Math.floor(newest.length / 2)]?.startedAt, newest.at(-1)?.startedAt]
  for (const since of sinces) {
    const from = since === undefined ? 0 : Math.floor(since.getTime() / 1_000) * 1_000
    const kept = newest.filter((row) => row.startedAt.getTime() >= from)
    for (const page of [1, 2, Math.ceil(kept.length / 7) || 1]) {
      const query = { page, pageSize: 7, ...(since ? { since: since.toISOString() } : {}) }
      const answer = await read<{ total: number; items: { id: string }[] }>(
        world.key,
        `/services/${world.first.id}/results`,
        query,
      )
      expect(answer.total).toBe(kept.length)
      expect(answer.items.map((item) => item.id)).toEqual(kept.slice((page - 1) * 7, page * 7).map((row) => row.id))
    }
  }
}

type Step = ResultRow['steps'][number]

function endpointTotals(steps: Step[]) {
  const statusCodes: Record<string, number> = {}
  for (const { statusCode } of steps) {
    statusCodes[statusCode ?? 'none'] = (statusCodes[statusCode ?? 'none'] ?? 0) + 1
  }
  return {
    calls: steps.length,
    failedCalls: steps.filter((step) => step.outcome !== 'success').length,
    statusCodes,
    avgSizeBytes: mean(steps.map((step) => step.responseSizeBytes)),
  }
}

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.round((sum(known, (value) => value) / known.length) * 100) / 100
}

function sum<T>(rows: T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}

/** Whether every part that was summed up on its own holds few enough values to be kept as they are. */
function isExact(buckets: { rows: ResultRow[] }[]): boolean {
  return buckets.every(({ rows }) => {
    const perService = Map.groupBy(rows, (row) => `${row.serviceId} ${row.agentSlug}`)
    return [...perService.values()].every((own) => latencies(own).length <= 128)
  })
}
