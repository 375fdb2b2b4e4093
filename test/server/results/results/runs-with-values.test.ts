import { beforeAll, describe, expect, test } from 'vitest'
import type { results } from '#db/schema/results.ts'
import { resultsAsCsv, resultsAsJsonLines } from '#server/fronts/session/export-results.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { readLatestRuns } from '#server/status/trends.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { createResult, setState } from '#test/support/runs/results.ts'

// The results of runs with values of their own are read by their ids, and are on no list.

const NOW = new Date('2026-11-20T12:30:00.000Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)

type Row = typeof results.$inferSelect
let service: { id: string; organizationId: string }
/** Newest first: each result that counts is between two that do not. */
let counted: Row[]
let withValues: Row[]

beforeAll(async () => {
  service = await api.create.service(tree.project, { script: 'get("https://shop.example/")', version: 2 })
  const make = (seconds: number, given: Partial<Row>) =>
    createResult(api.db, service, { startedAt: new Date(NOW.getTime() - seconds * 1_000), scriptVersion: 2, ...given })
  const runId = createIdAt(new Date(NOW.getTime() - 60_000))
  counted = [await make(20, { status: 'failure' }), await make(40, {})]
  withValues = [
    await make(10, { isUncounted: true, runId, cause: 'request' }),
    await make(30, { isUncounted: true, runId, cause: 'request', status: 'timeout' }),
    await make(50, { isUncounted: true, runId, cause: 'request' }),
  ]
  await setState(api.db, service, { lastStatus: 'failure', lastRunAt: NOW, failingSince: counted[0]?.startedAt ?? NOW })
})

const path = () => `/services/${service.id}`
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const caller = () => api.caller(tree.organization.owner)

describe('results that do not count', () => {
  test('are not on the list, in its total, or in what filters find', async () => {
    const { body } = await api.call<{ items: Row[] }>(tree.owner, 'GET', `${path()}/results`)
    expect(body).toMatchObject({ total: 2 })
    expect(idsOf(body.items)).toEqual(idsOf(counted))
    const until = new Date(NOW.getTime() - 5_000).toISOString()
    const since = new Date(NOW.getTime() - 60_000).toISOString()
    const ranged = await api.call(tree.owner, 'GET', `${path()}/results`, { query: { since, until } })
    expect(ranged.body).toMatchObject({ total: 2 })
    const timeouts = await api.call(tree.owner, 'GET', `${path()}/results`, { query: { status: 'timeout' } })
    expect(timeouts.body).toMatchObject({ items: [], total: 0 })
  })

  test('are not in the snapshot', async () => {
    const { body } = await api.call<{ recentProbes: unknown[] }>(tree.owner, 'GET', `${path()}/snapshot`)
    expect(body.recentProbes).toHaveLength(2)
  })

  test('are not found on the dashboard, beside a result, as the last passing one, or in a series', async () => {
    const { results: calls, statistics } = await caller()
    const [failed, passed] = counted as [Row, Row]
    expect(idsOf((await calls.search({ id: service.id })).items)).toEqual(idsOf(counted))
    expect(await calls.neighbours({ id: service.id, resultId: passed.id })).toEqual({ newer: failed.id, older: null })
    expect((await calls.lastPassing({ id: service.id, resultId: failed.id })).result?.id).toBe(passed.id)
    const series = await statistics.series({ id: service.id, range: '1h', zone: 'UTC' })
    expect(series.buckets.reduce((sum, { runs }) => sum + runs, 0)).toBe(2)
  })

  test('are not among the latest runs of the board', async () => {
    const latest = await readLatestRuns(api.db, service.organizationId, [service.id], NOW)
    expect(latest.get(service.id)).toEqual(['success', 'failure'])
  })

  test('are not exported', async () => {
    const ctx = { ...api.runtime, actor: { organizationId: service.organizationId } } as never
    const lines: string[] = []
    for await (const part of resultsAsCsv(ctx, service, {})) lines.push(...part.trim().split('\r\n'))
    expect(lines.slice(1).map((line) => line.split(',', 1)[0])).toEqual(idsOf(counted))
    const objects: { id: string }[] = []
    for await (const part of resultsAsJsonLines(ctx, service, {})) objects.push(JSON.parse(part))
    expect(idsOf(objects)).toEqual(idsOf(counted))
  })

  test('are read by their ids, and through their run', async () => {
    for (const { id, runId } of withValues) {
      const { status, body } = await api.call(tree.owner, 'GET', `${path()}/results/${id}`)
      expect({ status, body }).toMatchObject({ status: 200, body: { id, runId } })
    }
    const run = await api.call<{ results: Row[] }>(tree.owner, 'GET', `${path()}/runs/${withValues[0]?.runId}`)
    expect(run.body).toMatchObject({ outcome: 'timeout' })
    expect(idsOf(run.body.results)).toEqual(idsOf(withValues.toReversed()))
    const list = await api.call<{ items: { id: string }[] }>(tree.owner, 'GET', `${path()}/runs`)
    expect(idsOf(list.body.items)).toEqual([withValues[0]?.runId])
  })
})
