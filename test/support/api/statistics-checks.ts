import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
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
} from '../oracles/statistics-oracle.ts'
import { keyOf } from '../runs/history.ts'
import type { TestApi } from './api.ts'

// Compares every number of the API's responses with the one that the slow oracle computes from the results.

const QUANTILES = { p50Ms: 0.5, p95Ms: 0.95, p99Ms: 0.99 } as const
const LAST_DAY = { length: HOUR_MS, count: 24 }

/** An organization with two services that its member may see and one that they may not. `now` is the request's time. */
export async function newWorld(api: TestApi, now: Date) {
  const organization = await api.create.organization()
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const other = await api.create.project(workspace)
  const [first, second, hidden] = [
    await api.create.service(project),
    await api.create.service(project),
    await api.create.service(other),
  ]
  const member = await api.create.member(organization, {
    grants: [
      { serviceId: first.id, level: 1 },
      { serviceId: second.id, level: 1 },
    ],
  })
  const key = await api.create.key(member, { access: 'read' })
  const ownerKey = await api.create.key(organization.owner)
  return { api, now, workspace, project, first, second, hidden, key, ownerKey }
}

export type World = Awaited<ReturnType<typeof newWorld>>

async function read<T>({ api, key }: World, path: string, query = {}): Promise<T> {
  return (await api.call<T>(key, 'GET', path, { query })).body
}

/** Checks all values from roll-ups: `own` are the first service's results, `visible` all that the member may see. */
export async function checkStatistics(world: World, own: ResultRow[], visible: ResultRow[]): Promise<void> {
  await checkMetrics(world, own, visible)
  await checkHistory(world, own, visible)
  for (const window of Object.keys(WINDOWS) as WindowName[]) await checkWindow(world, own, window)
  await checkHeatmap(world, own)
}

export async function checkMetrics(world: World, own: ResultRow[], visible: ResultRow[]): Promise<void> {
  for (const [path, rows] of [
    [`/services/${world.first.id}/metrics`, own],
    [`/projects/${world.project.id}/metrics`, visible],
    [`/workspaces/${world.workspace.id}/metrics`, visible],
  ] as const) {
    const { status, body } = await world.api.call<Record<string, Record<string, number | null>>>(world.key, 'GET', path)
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
    const lastDay = bucketsOf(rows as ResultRow[], LAST_DAY, world.now).flatMap((part) => part.rows)
    const values = latencies(lastDay)
    // The hours of a service can be summed over its agents.
    const exact = [...Map.groupBy(lastDay, (row) => row.serviceId).values()].every(
      (own) => latencies(own).length <= 128,
    )
    for (const [name, q] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const actual = body.percentiles?.[name] ?? null
      expect(isClose(actual, values, q, exact), `${path} ${name}: ${actual} of ${values.length}`).toBe(true)
    }
  }
}

export async function checkHistory(world: World, own: ResultRow[], visible: ResultRow[]): Promise<void> {
  for (const [path, rows] of [
    [`/services/${world.first.id}/metrics/history`, own],
    [`/projects/${world.project.id}/metrics/history`, visible],
    [`/workspaces/${world.workspace.id}/metrics/history`, visible],
  ] as const) {
    const hours = 168
    const answer = await read<unknown[]>(world, path, { hours })
    expect(answer).toEqual(
      bucketsOf(rows as ResultRow[], { length: HOUR_MS, count: hours }, world.now).map((bucket) => {
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
  }>(world, base, { window: name })
  expect(answer.bucketType).toBe(window.type)
  checkBuckets(answer.overall, rows, window, world.now)
  const buckets = bucketsOf(rows, window, world.now)
  const inWindow = buckets.flatMap((bucket) => bucket.rows)
  expect(answer.regions.map((region) => region.agentSlug)).toEqual(
    [...new Set(inWindow.map((row) => row.agentSlug))].sort(),
  )
  for (const region of answer.regions) {
    const own = rows.filter((row) => row.agentSlug === region.agentSlug)
    checkBuckets(region.buckets, own, window, world.now)
  }

  const first = buckets[0]?.start.getTime() as number
  const before = between(rows, first - window.count * window.length, first)
  const calls = (of: ResultRow[]) => of.flatMap((row) => row.steps)
  const ofEndpoint = (of: ResultRow[], key: string | null) =>
    calls(of).filter((step) => key === null || keyOf(step.method, step.template) === key)
  const groups = Map.groupBy(calls(inWindow), (step) => keyOf(step.method, step.template))
  expect(answer.endpoints.map((e) => e.key).sort()).toEqual([...groups.keys()].sort())
  for (const endpoint of answer.endpoints as unknown as Record<string, unknown>[]) {
    const now = groups.get(endpoint.key as string) ?? []
    const previous = ofEndpoint(before, endpoint.key as string)
    expect(endpoint).toMatchObject({ ...endpointTotals(now), previous: endpointTotals(previous) })
    const inBuckets = buckets.map((bucket) => timesOf(ofEndpoint(bucket.rows, endpoint.key as string)))
    checkPercentiles(endpoint, inBuckets)
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
  }>(world, `${base}/endpoint-series`, { window: name })
  expect(series.buckets).toEqual(buckets.map((bucket) => bucket.start.toISOString()))
  for (const [points, key] of [
    [series.all, null],
    ...series.endpoints.map((e) => [e.points, e.key] as const),
  ] as const) {
    const steps = buckets.map((bucket) => ofEndpoint(bucket.rows, key))
    expect(points).toMatchObject(
      steps.map((own, i) => {
        const bad = own.filter((step) => step.outcome !== 'success').length
        return {
          bucketStart: buckets[i]?.start.toISOString(),
          calls: own.length,
          failedCalls: bad,
          errorRatePct: percent(bad, own.length),
        }
      }),
    )
    for (const [i, own] of steps.entries()) {
      const perEndpoint = Map.groupBy(own, (step) => keyOf(step.method, step.template))
      checkPercentiles(points[i] as Record<string, unknown>, [...perEndpoint.values()].map(timesOf))
    }
  }

  const asserted = await read<{
    assertions: {
      endpoint: { method: string; template: string }
      scope: string
      failures: number
      evaluations: number
    }[]
  }>(world, `${base}/assertions`, { window: name })
  const evaluations = calls(inWindow).flatMap((step) =>
    (step.assertionResults as { scope: string; outcome: string }[]).map((a) => ({
      name: `${step.method} ${step.template} ${a.scope}`,
      failed: a.outcome === 'failed',
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

function checkBuckets(actual: Bucket[], rows: ResultRow[], window: { length: number; count: number }, now: Date): void {
  const expected = bucketsOf(rows, window, now)
  expect(actual).toMatchObject(
    expected.map((bucket) => {
      const ran = performed(bucket.rows)
      return {
        bucketStart: bucket.start.toISOString(),
        probeCount: ran.length,
        uptimePct: percent(ran.length - failed(ran).length, ran.length),
        errorRatePct: percent(failed(ran).length, ran.length),
      }
    }),
  )
  for (const [i, bucket] of expected.entries()) {
    const parts = Map.groupBy(bucket.rows, (row) => `${row.serviceId} ${row.agentSlug}`)
    checkPercentiles(actual[i] as Bucket, [...parts.values()].map(latencies))
  }
}

async function checkHeatmap(world: World, rows: ResultRow[]): Promise<void> {
  for (const days of [1, 90, 365]) {
    const answer = await read<{ totalRuns: number; totalFailedRuns: number; cells: Record<string, number>[] }>(
      world,
      `/services/${world.first.id}/metrics/statistics/failure-heatmap`,
      { days },
    )
    const ran = performed(bucketsOf(rows, { length: DAY_MS, count: days }, world.now).flatMap((bucket) => bucket.rows))
    expect(answer).toMatchObject({ totalRuns: ran.length, totalFailedRuns: failed(ran).length })
    expect(answer.cells).toHaveLength(168)
    const inCells = Map.groupBy(ran, ({ startedAt }) => `${startedAt.getUTCDay() || 7} ${startedAt.getUTCHours()}`)
    expect(answer.cells).toMatchObject(
      answer.cells.map(({ weekday, hour }) => {
        const own = inCells.get(`${weekday} ${hour}`) ?? []
        return { weekday, hour, runs: own.length, failedRuns: failed(own).length }
      }),
    )
  }
}

export async function checkResults(world: World, rows: ResultRow[]): Promise<void> {
  const newest = rows.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1))
  const sinces = [undefined, newest[Math.floor(newest.length / 2)]?.startedAt, newest.at(-1)?.startedAt]
  for (const since of sinces) {
    const from = since === undefined ? 0 : Math.floor(since.getTime() / 1_000) * 1_000
    const kept = newest.filter((row) => row.startedAt.getTime() >= from)
    for (const page of [1, 2, Math.ceil(kept.length / 7) || 1]) {
      const query = { page, pageSize: 7, ...(since ? { since: since.toISOString() } : {}) }
      const answer = await read<{ total: number; items: { id: string }[] }>(
        world,
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

function timesOf(steps: Step[]): number[] {
  return steps.map((step) => step.responseTimeMs).filter((ms) => ms !== null)
}

/**
 * Percentiles of the values of all parts: exact while each part is small enough to be stored as a list. Without
 * `expect`, which would take more time than the rest: a history has thousands of them. @throws Error
 */
function checkPercentiles(actual: Record<string, unknown>, parts: number[][]): void {
  const values = parts.flat()
  for (const [name, q] of Object.entries(QUANTILES)) {
    const isExact = parts.every((part) => part.length <= 128)
    const shown = actual[name] as number | null
    if (!isClose(shown, values, q, isExact)) throw new Error(`${name}: ${shown} of ${values.length}`)
  }
}

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.round((sum(known, (value) => value) / known.length) * 100) / 100
}

function sum<T>(rows: T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
