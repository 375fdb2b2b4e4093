import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agents } from '#db/schema/resources.ts'
import type { Batch } from '#server/schemas/runs/batches.ts'
import type { Run } from '#server/schemas/runs.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Programs that request runs and wait for their verdicts, with a real worker.

const JOBS = 8
/** The default budget of a key. */
const settings = { SECRET_KEYS: TEST_SECRET_KEYS, PROBE_ALLOWED_NETWORKS: '127.0.0.0/8', RATE_LIMIT_API_MAX: '300' }
const api = testApi({ settings })
const tree = testTree(api)
const { start: startWorker } = testWorkers(api.databaseUrl)
let target: HttpTarget

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end('ok')
  })
  await startWorker()
  await until('the agent', () =>
    api.db
      .select()
      .from(agents)
      .then((rows) => rows.length > 0),
  )
})
afterAll(() => target.close())

type Requested = { runId: string; joined: boolean; url: string; run?: Run }

function probeOf(path: string): string {
  return `get("http://127.0.0.1:${target.port}${path}").expect(status: 200)`
}

/** Creates an active service by the API, which gives it a schedule: due once a year. */
async function createService(given: Record<string, unknown>): Promise<Service> {
  const body = { projectId: tree.project.id, name: randomUUID(), schedule: '0 0 1 1 *', ...given }
  const created = await api.call<Service>(tree.owner, 'POST', '/services', { body })
  expect(created.status).toBe(200)
  return created.body
}

/** As a pipeline does: one request that waits, and further ones while the run is not done. */
async function job(service: { id: string }): Promise<Run> {
  const started = await api.call<Requested>(tree.owner, 'POST', `/services/${service.id}/run`, { query: { wait: 30 } })
  expect(started.status).toBe(202)
  const { runId, run } = started.body
  let last = run as Run
  while (last.state !== 'done') {
    const path = `/services/${service.id}/runs/${runId}`
    last = (await api.call<Run>(tree.owner, 'GET', path, { query: { wait: 30 } })).body
  }
  expect(last.id).toBe(runId)
  return last
}

test('eight jobs at once stay within the budget of one key, and each has the verdict of its own run', async () => {
  const services = await Promise.all(
    Array.from({ length: JOBS }, (_, index) =>
      createService({ script: probeOf(index % 4 === 0 ? '/broken' : '/fine') }),
    ),
  )
  const verdicts = await Promise.all(services.map((service) => job(service)))
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(
    services.map((_, index) => (index % 4 === 0 ? 'failure' : 'success')),
  )
  expect(verdicts[0]).toMatchObject({
    cause: 'request',
    summary: expect.stringContaining('500'),
    results: [{ status: 'failure' }],
  })
  const { headers } = await api.call(tree.owner, 'GET', '/key')
  // One request for each job as a rule, and this one. A busy machine may need a second one for some.
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(300 - 3 * JOBS)
})

test('five requests at once have the results of the runs that they name', async () => {
  const service = await createService({ script: probeOf('/fine') })
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => job(service)))
  for (const verdict of verdicts) expect(verdict).toMatchObject({ state: 'done', outcome: 'success' })
  const results = await api.call<{ items: { id: string; runId: string }[] }>(
    tree.owner,
    'GET',
    `/services/${service.id}/results`,
  )
  const runOf = new Map(results.body.items.map(({ id, runId }) => [id, runId]))
  for (const { id, results } of verdicts) expect(results.map((result) => runOf.get(result.id))).toEqual([id])
})

test('a batch sums up the runs of a project, with the services that did not run', async () => {
  const project = await api.create.project(tree.workspace)
  const inProject = (name: string, given: object) => createService({ projectId: project.id, name, ...given })
  const passing = await inProject('a', { script: probeOf('/fine') })
  const failing = await inProject('b', { script: probeOf('/broken') })
  const paused = await inProject('c', { script: probeOf('/fine'), isActive: false })
  const empty = await inProject('d', {})
  const started = await api.call<Batch>(tree.owner, 'POST', `/projects/${project.id}/run`, {
    body: { note: 'deploy 42' },
    query: { wait: 30 },
  })
  expect(started.status).toBe(202)
  let batch = started.body
  while (batch.state !== 'done') {
    batch = (await api.call<Batch>(tree.owner, 'GET', `/batches/${batch.id}`, { query: { wait: 30 } })).body
  }
  expect(batch).toMatchObject({
    note: 'deploy 42',
    total: 4,
    passed: 1,
    failed: 1,
    timedOut: 0,
    skipped: 2,
    cancelled: 0,
    pending: 0,
    runs: [
      { serviceId: passing.id, outcome: 'success', summary: null, reason: null },
      { serviceId: failing.id, outcome: 'failure', summary: expect.stringContaining('500') },
      { serviceId: paused.id, outcome: 'skipped', runId: null, reason: 'service_inactive' },
      { serviceId: empty.id, outcome: 'skipped', runId: null, reason: 'script_missing' },
    ],
  })
  const failed = batch.runs[1] as Batch['runs'][number]
  const run = await api.call<Run>(tree.owner, 'GET', `/services/${failing.id}/runs/${failed.runId}`)
  expect(run.body).toMatchObject({ outcome: 'failure', note: 'deploy 42' })
})

test('a run with values of its own probes their target, and is judged by it', async () => {
  const base = `http://127.0.0.1:${target.port}`
  const service = await createService({ script: 'get("$s.base/fine").expect(status: 200)', isActive: false })
  const variable = { key: 'base', value: `${base}/broken` }
  await api.call(tree.owner, 'POST', `/services/${service.id}/variables`, { body: variable })
  await api.call(tree.owner, 'PATCH', `/services/${service.id}/toggle`, { body: { isActive: true } })
  const preview = await api.call<Requested>(tree.owner, 'POST', `/services/${service.id}/run`, {
    body: { variables: { 's.base': base }, note: 'preview' },
    query: { wait: 30 },
  })
  expect(preview.body.run).toMatchObject({ outcome: 'success', variables: { 's.base': base }, note: 'preview' })
})
