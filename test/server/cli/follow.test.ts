import { expect, test } from 'vitest'
import type { Schemas } from '#server/cli/client/create-client.ts'
import { type Following, followBatch, followRuns } from '#server/cli/run/follow.ts'
import { exitCodeOf, newItem, type RunItem } from '#server/cli/run/report.ts'
import type { RunApi } from '#server/cli/run/run-api.ts'

// What a batch costs when it is done, and what its entries mean.

function batchOf(runs: Partial<Schemas['BatchRun']>[]): Schemas['Batch'] {
  const filled = runs.map((run, at) => ({
    ...{ serviceId: `s${at}`, serviceName: `S${at}`, runId: `r${at}`, url: null },
    ...{ state: 'done' as const, outcome: 'failure' as const, summary: null, reason: null, skippedAgents: [] },
    ...run,
  }))
  return { id: 'batch', state: 'done', runs: filled } as Partial<Schemas['Batch']> as Schemas['Batch']
}

/** Follows a batch that is done, and returns its items and the number of requests for details. */
async function follow(batch: Schemas['Batch'], deadline = Number.POSITIVE_INFINITY) {
  let requests = 0
  const readRun: RunApi['readRun'] = async (_service, id) => {
    requests++
    const result = { id: `of-${id}`, status: 'failure', agentSlug: 'oslo', summary: 'status 500', url: '' }
    return { id, state: 'done', outcome: 'failure', results: [result] } as Partial<Schemas['Run']> as Schemas['Run']
  }
  const readResult: RunApi['readResult'] = async () => {
    requests++
    const failure = { error: 'refused' } as Schemas['Result']['failure']
    return { failure, steps: [] } as Partial<Schemas['Result']> as Schemas['Result']
  }
  const following: Following = {
    api: { readRun, readResult } as Partial<RunApi> as RunApi,
    signal: new AbortController().signal,
    timeoutMs: 1_000,
    deadline,
    waitSeconds: 1,
    onChange: () => {},
  }
  const items: RunItem[] = batch.runs.map(({ serviceId, serviceName }) => newItem({ id: serviceId, name: serviceName }))
  await followBatch(items, batch, following)
  return { items, requests }
}

test('fifty failures and more cost at most fifty requests for details', async () => {
  const few = await follow(batchOf(Array(3).fill({})))
  expect(few.requests).toBe(6)
  expect(few.items.flatMap(({ failures }) => failures.map(({ lines }) => lines))).toEqual(
    Array(3).fill([{ text: 'refused', expected: null, actual: null }]),
  )
  const many = await follow(batchOf(Array(60).fill({})))
  expect(many.requests).toBe(50)
  expect(exitCodeOf({ items: many.items, allowsSkipped: false })).toBe(1)
})

test('no details are read when the time is over', async () => {
  const { items, requests } = await follow(batchOf([{}]), performance.now())
  expect([requests, items[0]?.verdict]).toEqual([0, 'failed'])
})

test.each([
  ['is switched off', { runId: null, outcome: 'skipped', reason: 'service_inactive' }, 0],
  ['has no script', { runId: null, outcome: 'skipped', reason: 'script_missing' }, 0],
  ['was deleted', { runId: null, outcome: 'skipped', reason: 'service_deleted' }, 2],
  ['was deleted after its run', { outcome: 'skipped', reason: 'service_deleted' }, 2],
  ['has a run that nobody knows any more', { outcome: 'skipped', reason: 'run_expired' }, 2],
  ['has a run that no agent executed', { outcome: 'skipped' }, 2],
] as const)('with --allow-skipped, a service that %s', async (_what, run, code) => {
  const { items } = await follow(batchOf([run, { outcome: 'success' }]))
  expect(exitCodeOf({ items, allowsSkipped: true })).toBe(code)
})

test('runs that hang keep no other one from being read', async () => {
  const items = Array.from({ length: 6 }, (_, at) => ({
    ...newItem({ id: `s${at}`, name: `S${at}` }),
    runId: `r${at}`,
  }))
  const readRun: RunApi['readRun'] = async (_service, id) => {
    const run = id === 'r5' ? { state: 'done', outcome: 'failure' } : { state: 'running', outcome: null }
    return { id, results: [], skippedAgents: [], summary: null, ...run } as unknown as Schemas['Run']
  }
  await followRuns(items, {
    api: { readRun } as Partial<RunApi> as RunApi,
    signal: new AbortController().signal,
    timeoutMs: 1_000,
    deadline: performance.now() + 1_000,
    waitSeconds: 1,
    onChange: () => {},
  })
  expect(items.map(({ verdict }) => verdict)).toEqual([...Array(5).fill('unknown'), 'failed'])
})
