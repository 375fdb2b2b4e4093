import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { certificates, incidents } from '#db/schema/alerts.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { createRecordWriter } from '#server/runs/record/writer.ts'
import { buildRequest, testApi } from '#test/support/api/api.ts'
import { hostileRuns } from '#test/support/runs/hostile-runs.ts'
import { createProbedService, type ProbedService } from '#test/support/runs/probed.ts'
import { insertRunning, runOf } from '#test/support/runs/stored-runs.ts'
import { SEED } from '#test/support/seed.ts'

const t = testApi()
const SCRIPT = 'get("http://a.example/")'
const HOSTILE = 360
const SERVICES = 9
/** A good run comes after this many hostile ones. */
const EVERY = 20
/** Runs that the writer stores in one transaction. */
const BATCH = 100
/** Transactions that find one run of a batch: seven halvings, with both halves of each, and its failed form. */
const PER_REFUSAL = 16
const READ_EVERY = 10

test('hundreds of hostile results hold up no result of another organization, and every page shows them', async () => {
  const agent = await t.create.agent()
  const attacked = [await createProbedService(t.db, SCRIPT)]
  const project = { id: attacked[0]!.projectId, organizationId: attacked[0]!.organizationId }
  while (attacked.length < SERVICES) {
    attacked.push(await t.create.service(project, { script: SCRIPT, isActive: true, version: 2 }))
  }
  const good = await createProbedService(t.db, SCRIPT)
  const hostile = hostileRuns(HOSTILE, SEED, (i) => attemptOf(attacked[i % SERVICES]!, agent))
  const written: FinishedRun[] = []
  for (const [i, run] of hostile.entries()) {
    if (i % EVERY === 0) written.push(runOf({ service: good, agent, outcome: 'success', startedAt: new Date() }))
    written.push(run)
  }
  await insertRunning(t.db, written)

  let begun = 0
  const counted = new Proxy(t.db, {
    get(target, property) {
      if (property === 'transaction') begun++
      return Reflect.get(target, property)
    },
  })
  const writer = createRecordWriter(counted, { variablesMax: 20 })
  const stored = await Promise.all(written.map((run) => writer.write(run)))
  expect(stored.every(Boolean)).toBe(true)
  // Nothing is tried again: a refusal costs a few transactions, and no pause.
  const refused = await t.db.$count(
    results,
    eq(results.summary, 'Soundline could not record this result: it has a value that the database cannot store'),
  )
  expect(refused).toBeGreaterThan(0)
  expect(begun).toBeLessThanOrEqual(2 * Math.ceil(written.length / BATCH) + refused * PER_REFUSAL)

  expect(await t.db.$count(runs, eq(runs.state, 'running'))).toBe(0)
  const passed = await t.db.select({ status: results.status }).from(results).where(eq(results.serviceId, good.id))
  expect(passed.map(({ status }) => status)).toEqual(Array(HOSTILE / EVERY).fill('success'))
  expect(await t.db.$count(results, eq(results.organizationId, project.organizationId))).toBe(HOSTILE)
  await readEverything(project, attacked)
})

/** Reads what shows results and failures. Each answer is checked against the document, and none may be a 500. */
async function readEverything(
  project: { id: string; organizationId: string },
  attacked: ProbedService[],
): Promise<void> {
  const { organizationId } = project
  const key = await t.create.key(await t.create.member({ id: organizationId }, { isOwner: true }))
  const read = async <T>(path: string, query: Record<string, string | number> = {}): Promise<T> => {
    const { status, body } = await t.call<T>(key, 'GET', path, { query })
    expect(status, path).toBe(200)
    return body
  }
  await read('/services', { projectId: project.id, pageSize: 100 })
  await read(`/projects/${project.id}/metrics`)
  const opened = await read<{ items: { id: string }[]; total: number }>('/incidents', { pageSize: 100 })
  expect(opened.total).toBe(await t.db.$count(incidents, eq(incidents.organizationId, organizationId)))
  for (const { id } of opened.items) await read(`/incidents/${id}`)
  expect(await t.db.$count(certificates, eq(certificates.organizationId, organizationId))).toBeGreaterThan(0)
  for (const { id } of attacked) {
    const service = await read<{ lastFailure: { summary: string }; certificates: unknown[] }>(`/services/${id}`)
    expect(service.lastFailure.summary).not.toBe('')
    await read(`/services/${id}/snapshot`)
    await read(`/services/${id}/metrics`)
    await read(`/services/${id}/metrics/statistics/assertions`)
    const { items } = await read<{ items: { id: string }[] }>(`/services/${id}/results`, { pageSize: 100 })
    for (const [i, result] of items.entries()) {
      if (i % READ_EVERY === 0) await read(`/services/${id}/results/${result.id}`)
    }
  }
}

test('what cannot be shown of a stored failure fails no page', async () => {
  const service = await createProbedService(t.db, SCRIPT)
  const { organizationId, id: serviceId, projectId } = service
  const agent = await t.create.agent()
  const key = await t.create.key(await t.create.member({ id: organizationId }, { isOwner: true }))
  const failing = runOf({ service, agent, outcome: 'failure', startedAt: new Date() })
  await insertRunning(t.db, [failing])
  await createRecordWriter(t.db, { variablesMax: 20 }).write(failing)
  const header = { stepNum: 1, method: 'check', scope: 'headers', op: 'eq', actual: { 'x-a': null } }
  const stored = { resultId: failing.result.id, startedAt: failing.result.startedAt, status: 'failure' }
  const assertions = [{ ...header, expected: { 'x-a': { toString: 1, valueOf: 2 } } }]
  const lastFailure = { ...stored, error: null, summary: 'it failed', assertions, assertionsTotal: 1 }
  await t.db.update(serviceStates).set({ lastFailure }).where(eq(serviceStates.serviceId, serviceId))
  for (const path of [`/services/${serviceId}`, `/services/${serviceId}/snapshot`]) {
    const request = buildRequest(key, 'GET', `/api/public/v1${path}`)
    expect((await t.facade(request, { address: '127.0.0.1' })).status, path).toBe(200)
  }
  const list = buildRequest(key, 'GET', '/api/public/v1/services', { query: { projectId } })
  expect((await t.facade(list, { address: '127.0.0.1' })).status).toBe(200)
})

function attemptOf(service: ProbedService, agent: { id: string; slug: string }) {
  const { organizationId, id: serviceId } = service
  return { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId: agent.id, agentSlug: agent.slug }
}
