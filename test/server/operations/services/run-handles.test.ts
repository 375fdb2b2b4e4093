import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { and, eq, inArray, sql } from '#db/drizzle.cjs'
import { serviceAgents, services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { runs } from '#db/schema/runs.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { readRunStates } from '#server/runs/runs/read-runs.ts'
import { requestRun } from '#server/runs/runs/request-run.ts'
import { LISTED_RUNS_MAX, type Run, type RunRequested } from '#server/schemas/runs.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { createResult } from '#test/support/runs/results.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { auditOf } from '#test/support/side-effects.ts'

// Runs by their ids: requests that share one, what is read of them, and cancelling. Values are in run-values.test.ts.

const api = testApi()
const tree = testTree(api)

beforeAll(async () => {
  await api.create.agent({ organizationId: tree.organization.id })
})

type RunPage = { items: Run[]; total: number; page: number; pageSize: number }

/** An active service with a schedule, as the API stores it. */
async function createRunning(): Promise<Service> {
  const body = { projectId: tree.project.id, name: randomUUID(), script: SCRIPT }
  return (await api.call<Service>(tree.owner, 'POST', '/services', { body })).body
}

async function request(service: { id: string }, body?: object): Promise<RunRequested> {
  const given = body ? { body } : {}
  const answer = await api.call<RunRequested>(tree.owner, 'POST', `/services/${service.id}/run`, given)
  expect(answer.status).toBe(202)
  return answer.body
}

function get(service: { id: string }, runId: string, key = tree.owner) {
  return api.call<Run>(key, 'GET', `/services/${service.id}/runs/${runId}`)
}

function list(service: { id: string }, query: Record<string, string> = {}) {
  return api.call<RunPage>(tree.owner, 'GET', `/services/${service.id}/runs`, { query })
}

function cancel(service: { id: string }, runId: string, key = tree.owner) {
  return api.call(key, 'DELETE', `/services/${service.id}/runs/${runId}`)
}

/** Sets the state of a run's rows, as a worker would. */
async function setRows(runId: string, row: Partial<typeof runs.$inferInsert>): Promise<void> {
  await api.db.update(runs).set(row).where(sql`${runs.id} = ${runId} or ${runs.runId} = ${runId}`)
}

/** Ends a run as a worker does that stores its results, one per status. */
async function finish(service: Service, runId: string, ...statuses: (typeof results.$inferSelect)['status'][]) {
  for (const [index, status] of statuses.entries()) {
    const startedAt = new Date(Date.now() + index)
    await createResult(
      api.db,
      { id: service.id, organizationId: tree.organization.id },
      {
        startedAt,
        id: createIdAt(startedAt),
        status,
        agentSlug: `agent-${index}`,
        summary: status === 'success' || status === 'skipped' ? null : `it was a ${status}`,
        scriptVersion: status === 'skipped' ? null : 2,
        runId,
        cause: 'request',
      },
    )
  }
  await setRows(runId, { state: 'done', finishedAt: new Date() })
}

/** Deletes the rows that upkeep deletes after an hour. */
const clear = (runId: string) => api.db.delete(runs).where(sql`${runs.id} = ${runId} or ${runs.runId} = ${runId}`)

async function runSimultaneously(service: Service, count = 3): Promise<void> {
  await api.db.update(services).set({ probeMode: 'simultaneous' }).where(eq(services.id, service.id))
  for (let i = 0; i < count; i++) {
    const agent = await api.create.agent({ organizationId: tree.organization.id })
    const { id: organizationId } = tree.organization
    await api.db.insert(serviceAgents).values({ organizationId, serviceId: service.id, agentId: agent.id })
  }
}

describe('POST /services/{id}/run', () => {
  test('says which run it asked for, and where its page is', async () => {
    const service = await createRunning()
    const requested = await request(service)
    expect(requested).toMatchObject({
      joined: false,
      url: `http://localhost/services/${service.id}/runs/${requested.runId}`,
    })
    expect(await api.db.select().from(runs).where(eq(runs.serviceId, service.id))).toMatchObject([
      { id: requested.runId, runId: null, cause: 'request', state: 'queued', valuesDigest: null },
    ])
  })

  test('parallel requests are told of one run, and all but one that they joined it', async () => {
    const service = await createRunning()
    const answers = await Promise.all(Array.from({ length: 5 }, () => request(service)))
    expect(new Set(answers.map((answer) => answer.runId)).size).toBe(1)
    expect(answers.filter((answer) => !answer.joined)).toHaveLength(1)
  })

  test('a run that has started is not joined; the next one waits, and is', async () => {
    const service = await createRunning()
    const first = await request(service)
    await setRows(first.runId, { state: 'running' })
    const second = await request(service)
    expect(second).toMatchObject({ joined: false })
    expect(second.runId).not.toBe(first.runId)
    expect(await request(service)).toMatchObject({ runId: second.runId, joined: true })
  })

  test('a run of which one agent has ended is not joined, though its other agents are queued', async () => {
    const service = await createRunning()
    await runSimultaneously(service)
    const first = await request(service)
    expect(await request(service)).toMatchObject({ runId: first.runId, joined: true })
    await api.db.update(runs).set({ state: 'done' }).where(eq(runs.id, first.runId))
    expect((await request(service)).runId).not.toBe(first.runId)
  })

  test('a request waits for no worker that holds a row of the run', async () => {
    const service = await createRunning()
    await runSimultaneously(service)
    const { runId } = await request(service)
    await api.db.update(runs).set({ state: 'running' }).where(eq(runs.id, runId))
    await api.db.transaction(async (worker) => {
      // As a writer that stores a result, and a picker that takes a queued row.
      await worker.select().from(runs).where(eq(runs.runId, runId)).for('update')
      await worker.select().from(runs).where(eq(runs.id, runId)).for('update')
      expect((await request(service)).runId).not.toBe(runId)
    })
    // And a worker waits for no request that may join a run.
    await api.db.transaction(async (tx) => {
      const { id: organizationId } = tree.organization
      await requestRun(tx, { id: service.id, organizationId, probeMode: 'simultaneous' }, new Date())
      const free = await api.db
        .select({ state: runs.state })
        .from(runs)
        .where(eq(runs.id, runId))
        .for('update', { skipLocked: true })
      expect(free).toEqual([{ state: 'running' }])
    })
  })

  test('a scheduled run that waits becomes the requested one', async () => {
    const service = await createRunning()
    const { runId: inFlight } = await request(service)
    await setRows(inFlight, { state: 'running' })
    const waiting = uuidv7()
    const { id: organizationId } = tree.organization
    const agentId = uuidv7()
    const row = { organizationId, serviceId: service.id, agentId, slot: new Date(), cause: 'schedule' as const }
    await api.db.insert(runs).values({ ...row, id: waiting, state: 'waiting' })
    expect(await request(service, { note: 'deploy 42' })).toMatchObject({ runId: waiting, joined: true })
    expect((await get(service, waiting)).body).toMatchObject({ state: 'queued', cause: 'request', note: 'deploy 42' })
  })

  test('a run keeps its first note, and gets one from a request that joins it', async () => {
    const service = await createRunning()
    const { runId } = await request(service)
    await request(service, { note: 'deploy 42' })
    await request(service, { note: 'deploy 43' })
    expect((await get(service, runId)).body.note).toBe('deploy 42')
    expect((await auditOf(api.db, service.id)).at(-1)).toMatchObject({ details: { runId, note: 'deploy 43' } })
  })

  let refusing: Service
  beforeAll(async () => {
    refusing = await createRunning()
  })

  test.each([
    ['a note that is too long', { note: 'x'.repeat(257) }, 'note'],
    ['a note of two lines', { note: 'a\nb' }, 'note'],
    ['variables that are no object', { variables: ['a'] }, 'variables'],
    ['a value that is no string', { variables: { 's.base': 1 } }, 'variables.s.base'],
    ['a value that is too long', { variables: { 's.base': 'x'.repeat(4_097) } }, 'variables.s.base'],
    [
      'too many values',
      { variables: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`s.k${i}`, ''])) },
      'variables',
    ],
    [
      'too many characters in all values',
      { variables: Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`s.k${i}`, 'x'.repeat(4_093)])) },
      'variables',
    ],
    ['a key without a scope', { variables: { base: '' } }, 'variables.base'],
    ['a long key', { variables: { [`s.${'k'.repeat(65)}`]: '' } }, `variables.s.${'k'.repeat(65)}`],
    ['a very long key', { variables: { ['k'.repeat(10_000)]: '' } }, `variables.${'k'.repeat(80)}`],
    ['a very long key of a number', { variables: { ['k'.repeat(10_000)]: 1 } }, `variables.${'k'.repeat(80)}`],
  ])('400 %s', async (_, body, field) => {
    const answer = await api.call(tree.owner, 'POST', `/services/${refusing.id}/run`, { body })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request_body', details: { field } } })
    expect(await api.db.$count(runs, eq(runs.serviceId, refusing.id))).toBe(0)
  })

  test('an empty body of any type is none, and null too', async () => {
    const service = await createRunning()
    const path = `/services/${service.id}/run`
    const headers = { 'content-type': 'text/plain' }
    expect((await api.call(tree.owner, 'POST', path, { rawBody: '', headers })).status).toBe(202)
    expect((await api.call(tree.owner, 'POST', path, { body: null })).status).toBe(202)
  })
})

describe('GET /services/{id}/runs/{runId}', () => {
  test('200 while it is queued, running and done, and after its rows are gone', async () => {
    const service = await createRunning()
    const { runId, url } = await request(service, { note: 'deploy 42' })
    const queued = (await get(service, runId)).body
    expect(queued).toEqual({
      ...{ id: runId, serviceId: service.id, url, state: 'queued', cause: 'request', note: 'deploy 42' },
      ...{ requestedAt: expect.any(String), startedAt: null, finishedAt: null, outcome: null, summary: null },
      ...{ recheckOf: null, variables: null, scriptVersion: null, results: [], skippedAgents: [] },
    })
    await setRows(runId, { state: 'running', startedAt: new Date() })
    expect((await get(service, runId)).body).toMatchObject({ state: 'running', outcome: null, finishedAt: null })
    await finish(service, runId, 'failure')
    const done = (await get(service, runId)).body
    expect(done).toMatchObject({
      ...{ state: 'done', outcome: 'failure', summary: 'it was a failure', scriptVersion: 2 },
      requestedAt: queued.requestedAt,
      results: [{ status: 'failure', agentSlug: 'agent-0', summary: 'it was a failure', runDurationMs: 120 }],
    })
    const [result] = done.results
    expect(result?.url).toBe(`http://localhost/services/${service.id}/results/${result?.id}`)
    expect(done.startedAt).toBe(result?.startedAt)
    expect(Date.parse(done.finishedAt ?? '')).toBe(Date.parse(done.startedAt ?? '') + 120)
    const shown = await api.call(tree.owner, 'GET', `/services/${service.id}/results/${result?.id}`)
    expect(shown.body).toMatchObject({ runId, summary: 'it was a failure', scriptVersion: 2 })
    await clear(runId)
    expect((await get(service, runId)).body).toEqual(done)
  })

  test.each([
    [['success', 'timeout', 'failure'], 'failure'],
    [['success', 'timeout', 'skipped'], 'timeout'],
    [['skipped', 'success'], 'success'],
    [['skipped', 'skipped'], 'skipped'],
  ] as const)('the outcome of agents that saw %s is %s', async (statuses, outcome) => {
    const service = await createRunning()
    await runSimultaneously(service, statuses.length)
    const { runId } = await request(service)
    const rows = await api.db.select().from(runs).where(eq(runs.serviceId, service.id))
    expect(rows.map((row) => row.runId ?? row.id)).toEqual(statuses.map(() => runId))
    await api.db.update(runs).set({ state: 'running' }).where(eq(runs.id, runId))
    expect((await get(service, runId)).body.state).toBe('running')
    await finish(service, runId, ...statuses)
    expect((await get(service, runId)).body).toMatchObject({
      outcome,
      results: statuses.map((status) => ({ status })),
      skippedAgents: statuses.flatMap((status, i) => (status === 'skipped' ? [{ agentSlug: `agent-${i}` }] : [])),
    })
  })

  test("404 for the id of a further agent's row", async () => {
    const service = await createRunning()
    await runSimultaneously(service)
    const { runId } = await request(service)
    const [row] = await api.db.select().from(runs).where(eq(runs.runId, runId))
    expect((await get(service, row?.id ?? '')).status).toBe(404)
    expect((await cancel(service, row?.id ?? '')).status).toBe(404)
  })

  test('a run is queued while one agent was skipped and none has started', async () => {
    const service = await createRunning()
    await runSimultaneously(service)
    const { runId } = await request(service)
    const of = { id: service.id, organizationId: tree.organization.id }
    await createResult(api.db, of, { startedAt: new Date(), status: 'skipped', runId, cause: 'request' })
    await api.db.update(runs).set({ state: 'done', finishedAt: new Date() }).where(eq(runs.id, runId))
    const queued = { state: 'queued', startedAt: null, results: [{ status: 'skipped' }] }
    expect((await get(service, runId)).body).toMatchObject(queued)
    expect((await list(service, { state: 'queued' })).body.items).toMatchObject([queued])
    await api.db.update(runs).set({ attempt: 1 }).where(eq(runs.id, runId))
    expect((await get(service, runId)).body).toMatchObject({ state: 'running', startedAt: expect.any(String) })
  })

  test('200 a scheduled run, of which nothing else is stored', async () => {
    const service = await createRunning()
    const runId = createIdAt(new Date())
    const startedAt = new Date()
    const of = { id: service.id, organizationId: tree.organization.id }
    await createResult(api.db, of, { startedAt, runId, cause: 'confirmation' })
    const { body } = await get(service, runId)
    expect(body).toMatchObject({ state: 'done', cause: 'confirmation', outcome: 'success', note: null })
    expect(Date.parse(body.requestedAt)).toBe(Number.parseInt(runId.replaceAll('-', '').slice(0, 12), 16))
  })

  test('cancelled when it ended without a result', async () => {
    const service = await createRunning()
    const { runId } = await request(service)
    await clear(runId)
    expect((await get(service, runId)).body).toMatchObject({ state: 'done', outcome: 'cancelled', startedAt: null })
  })

  test('404 for an unknown run, one of another service, and one past its time', async () => {
    const [service, other] = [await createRunning(), await createRunning()]
    const { runId } = await request(service)
    expect((await get(other, runId)).status).toBe(404)
    for (const id of [uuidv7(), randomUUID(), 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
      expect((await get(service, id)).status).toBe(404)
    }
    const old = createIdAt(new Date(Date.now() - 100 * 86_400_000))
    const { id: organizationId } = tree.organization
    const requestedAt = new Date(Date.now() - 100 * 86_400_000)
    await api.db.insert(runRequests).values({ id: old, organizationId, serviceId: service.id, requestedAt })
    expect((await get(service, old)).status).toBe(404)
    const member = await api.create.member(tree.organization)
    expect((await get(service, runId, await api.create.key(member))).status).toBe(404)
    expect((await get(service, 'x')).body).toMatchObject({ error: 'invalid_uuid', details: { field: 'runId' } })
  })

  test('the states of many runs are read in one statement', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, createRunning))
    const ids = await Promise.all(made.map(async (service) => (await request(service)).runId))
    await finish(made[0] as Service, ids[0] as string, 'timeout')
    const scope = { organizationId: tree.organization.id, serviceIds: made.map(({ id }) => id) }
    const states = await readRunStates(api.runtime, scope, [...ids, uuidv7(), 'no id'])
    expect(ids.map((id) => states.get(id)?.state)).toEqual(['done', 'queued', 'queued'])
    expect(states.get(ids[0] as string)).toMatchObject({ outcome: 'timeout', summary: 'it was a timeout' })
    expect(states.size).toBe(3)
    const others = { ...scope, organizationId: uuidv7() }
    expect(await readRunStates(api.runtime, others, ids)).toEqual(new Map())
    const first = await readRunStates(api.runtime, { ...scope, serviceIds: scope.serviceIds.slice(0, 1) }, ids)
    expect([...first.keys()]).toEqual([ids[0]])
  })
})

describe('GET /services/{id}/runs', () => {
  /** Two open runs, a requested one and a cancelled one that are done, and scheduled ones. */
  async function makeHistory() {
    const service = await createRunning()
    const of = { id: service.id, organizationId: tree.organization.id }
    const scheduled: string[] = []
    for (const [i, cause] of (['schedule', 'confirmation', 'schedule'] as const).entries()) {
      const runId = createIdAt(new Date(Date.now() - 100 + i))
      await createResult(api.db, of, { startedAt: new Date(), runId, cause })
      scheduled.push(runId)
    }
    const { runId: done } = await request(service)
    await finish(service, done, 'success')
    const { runId: cancelled } = await request(service)
    await cancel(service, cancelled)
    const { runId: running } = await request(service)
    await setRows(running, { state: 'running' })
    const { runId: queued } = await request(service)
    return { service, scheduled, done, cancelled, running, queued }
  }

  test('200 open ones first, newest first, in pages and by filters', async () => {
    const { service, scheduled, done, cancelled, running, queued } = await makeHistory()
    const all = [queued, running, cancelled, done, ...scheduled.toReversed()]
    const read = async (query: Record<string, string> = {}) => {
      const { body } = await list(service, query)
      expect(body.total).toBeGreaterThanOrEqual(body.items.length)
      return body.items.map((item) => item.id)
    }
    expect(await read()).toEqual(all)
    const page = (await list(service, { page: '2', pageSize: '3' })).body
    expect(page).toMatchObject({ total: 7, page: 2, pageSize: 3 })
    expect(page.items.map((item) => item.id)).toEqual(all.slice(3, 6))
    expect(await read({ state: 'queued' })).toEqual([queued])
    expect(await read({ state: 'running' })).toEqual([running])
    expect(await read({ state: 'done' })).toEqual(all.slice(2))
    expect(await read({ cause: 'request' })).toEqual(all.slice(0, 4))
    expect(await read({ cause: 'confirmation' })).toEqual([scheduled[1]])
    expect(await read({ state: 'done', cause: 'schedule' })).toEqual([scheduled[2], scheduled[0]])
    const [first] = (await list(service)).body.items
    expect(first).toEqual((await get(service, queued)).body)
  })

  test('200 when the rows of runs are gone', async () => {
    const { service } = await makeHistory()
    const before = (await list(service, { state: 'done' })).body
    await api.db.delete(runs).where(and(eq(runs.serviceId, service.id), inArray(runs.state, ['done'])))
    expect((await list(service, { state: 'done' })).body).toEqual(before)
  })

  test('200 results of an older release end the list too', async () => {
    const service = await createRunning()
    const of = { id: service.id, organizationId: tree.organization.id }
    const at = (ms: number) => new Date(Date.now() - 60_000 + ms)
    const runIds = [createIdAt(at(0)), createIdAt(at(2_000))]
    await createResult(api.db, of, { startedAt: at(0), runId: runIds[0] as string, cause: 'schedule' })
    const [row] = await api.db.select().from(results).where(eq(results.serviceId, service.id))
    const old = Array.from({ length: LISTED_RUNS_MAX - 1 }, (_, i) => ({
      id: createIdAt(at(1 + i)),
      startedAt: at(1 + i),
    }))
    await api.db
      .insert(results)
      .values(old.map((time) => ({ ...(row as typeof results.$inferInsert), ...time, runId: null, cause: null })))
    expect((await list(service)).body.items.map(({ id }) => id)).toEqual([runIds[0]])
    await createResult(api.db, of, { startedAt: at(2_000), runId: runIds[1] as string, cause: 'schedule' })
    expect((await list(service)).body.items.map(({ id }) => id)).toEqual([runIds[1]])
  })

  test('400 for a filter that does not exist', async () => {
    const service = await createRunning()
    expect((await list(service, { state: 'late' })).body).toMatchObject({
      error: 'field_invalid',
      details: { field: 'state' },
    })
  })
})

describe('DELETE /services/{id}/runs/{runId}', () => {
  test('200 a queued run ends as cancelled, also for those who joined it, and again', async () => {
    const service = await createRunning()
    const { runId } = await request(service, { note: 'deploy 42' })
    await request(service)
    expect(await cancel(service, runId)).toMatchObject({ status: 200, body: { ok: true } })
    const cancelled = (await get(service, runId)).body
    expect(cancelled).toMatchObject({
      ...{ state: 'done', outcome: 'cancelled', startedAt: null, note: 'deploy 42', results: [] },
      finishedAt: expect.any(String),
    })
    expect((await auditOf(api.db, service.id)).at(-1)).toMatchObject({
      action: 'service.cancel_run',
      details: { runId },
    })
    expect((await cancel(service, runId)).status).toBe(200)
    expect((await auditOf(api.db, service.id)).at(-1)).toMatchObject({ details: { runId, changed: false } })
    await clear(runId)
    expect((await get(service, runId)).body).toEqual(cancelled)
    expect(await request(service)).toMatchObject({ joined: false })
  })

  test('200 a waiting run; the one in flight goes on', async () => {
    const service = await createRunning()
    const { runId: running } = await request(service)
    await setRows(running, { state: 'running' })
    const { runId } = await request(service)
    expect((await cancel(service, runId)).status).toBe(200)
    expect((await get(service, running)).body.state).toBe('running')
  })

  test('200 a scheduled run stays known as cancelled', async () => {
    const service = await createRunning()
    const { runId } = await request(service)
    await setRows(runId, { cause: 'schedule' })
    await api.db.delete(runRequests).where(eq(runRequests.id, runId))
    expect((await cancel(service, runId)).status).toBe(200)
    await clear(runId)
    expect((await get(service, runId)).body).toMatchObject({ cause: 'schedule', outcome: 'cancelled' })
  })

  test('200 agents that have started finish', async () => {
    const service = await createRunning()
    await runSimultaneously(service)
    const { runId } = await request(service)
    await api.db.update(runs).set({ state: 'running' }).where(eq(runs.id, runId))
    expect((await cancel(service, runId)).status).toBe(200)
    expect((await get(service, runId)).body).toMatchObject({ state: 'running', outcome: null })
    const rows = await api.db.select().from(runs).where(eq(runs.runId, runId))
    expect(rows.map((row) => row.state)).toEqual(['done', 'done'])
    await finish(service, runId, 'success')
    expect((await get(service, runId)).body).toMatchObject({ state: 'done', outcome: 'success' })
  })

  test('409 run_started while it runs and when it is done', async () => {
    const service = await createRunning()
    const { runId } = await request(service)
    await setRows(runId, { state: 'running' })
    expect(await cancel(service, runId)).toMatchObject({ status: 409, body: { error: 'run_started' } })
    await finish(service, runId, 'success')
    expect(await cancel(service, runId)).toMatchObject({ status: 409, body: { error: 'run_started' } })
    await clear(runId)
    expect((await cancel(service, runId)).status).toBe(409)
  })

  test('of parallel claims and cancels, each run has exactly one winner', async () => {
    const service = await createRunning()
    for (let round = 0; round < 8; round++) {
      const { runId } = await request(service)
      const claim = api.db
        .update(runs)
        .set({ state: 'running' })
        .where(and(eq(runs.id, runId), eq(runs.state, 'queued')))
        .returning({ id: runs.id })
      const [claimed, answer] = await Promise.all([claim, cancel(service, runId)])
      expect(answer.status).toBe(claimed.length > 0 ? 409 : 200)
      expect((await get(service, runId)).body.state).toBe(claimed.length > 0 ? 'running' : 'done')
      if (claimed.length > 0) await finish(service, runId, 'success')
    }
  })
})

test('404 for the runs of a deleted service; they stay known while it can be restored', async () => {
  const service = await createRunning()
  const { runId } = await request(service)
  await finish(service, runId, 'success')
  await api.call(tree.owner, 'DELETE', `/services/${service.id}`)
  expect((await get(service, runId)).status).toBe(404)
  expect(await api.db.$count(runRequests, eq(runRequests.id, runId))).toBe(1)
})
