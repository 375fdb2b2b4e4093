import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { WAITING_RUNS_MAX } from '#server/runs/runs/request-run.ts'
import type { Run, RunRequested } from '#server/schemas/runs.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Answer } from '#test/support/api/contract.ts'
import { testTree } from '#test/support/api/tree.ts'
import { auditOf } from '#test/support/side-effects.ts'

// Values that a request brings for its run. How a worker uses them is in test/worker/runs/run-values.test.ts.

const api = testApi()
const tree = testTree(api)
const PREVIEW = 'https://preview-42.shop.example'
const BASE = { 's.base': PREVIEW }

beforeAll(async () => {
  await api.create.agent()
  await addVariable(`/workspaces/${tree.workspace.id}`, 'region', 'eu')
  await addVariable(`/projects/${tree.project.id}`, 'token', 'hush-hush', 'secret')
})

async function addVariable(path: string, key: string, value: string, type = 'variable'): Promise<void> {
  const { status } = await api.call(tree.owner, 'POST', `${path}/variables`, { body: { key, value, type } })
  expect(status).toBe(200)
}

/** An active service whose target is a variable. */
async function createTargeted(schedule = '*/5 * * * *'): Promise<Service> {
  const body = { projectId: tree.project.id, name: randomUUID(), schedule }
  const service = (await api.call<Service>(tree.owner, 'POST', '/services', { body })).body
  await addVariable(`/services/${service.id}`, 'base', 'https://shop.example')
  await addVariable(`/services/${service.id}`, 'count', '7', 'metric')
  const script = 'get("$s.base/$w.region").expect(status: 200)'
  const save = { script, version: service.version }
  const saved = await api.call<Service>(tree.owner, 'PATCH', `/services/${service.id}/script`, { body: save })
  expect(saved.body.isActive).toBe(true)
  return saved.body
}

function send(service: Service, body: object): Promise<Answer<RunRequested>> {
  return api.call<RunRequested>(tree.owner, 'POST', `/services/${service.id}/run`, { body })
}

async function request(service: Service, body: object): Promise<RunRequested> {
  const answer = await send(service, body)
  expect(answer.status).toBe(202)
  return answer.body
}

const rowsOf = (service: Service) => api.db.select().from(runs).where(eq(runs.serviceId, service.id))

async function hold(service: Service): Promise<void> {
  const { runId } = await request(service, {})
  await api.db.update(runs).set({ state: 'running' }).where(eq(runs.id, runId))
}

describe('values', () => {
  test('are shown with the run, sealed at rest, and in the audit entry only by their keys', async () => {
    const service = await createTargeted()
    const before = await api.db.select().from(variables).where(eq(variables.serviceId, service.id))
    const { runId } = await request(service, { variables: { '$s.base': PREVIEW, 's.count': '8' }, note: 'deploy 42' })
    const run = await api.call<Run>(tree.owner, 'GET', `/services/${service.id}/runs/${runId}`)
    expect(run.body).toMatchObject({ variables: { ...BASE, 's.count': '8' }, note: 'deploy 42' })
    const [stored] = await api.db.select().from(runRequests).where(eq(runRequests.id, runId))
    expect(stored?.sealed).toBeInstanceOf(Buffer)
    const [row] = await rowsOf(service)
    expect(row?.valuesDigest).toMatch(/^[\w-]{43}$/)
    const everywhere = JSON.stringify([{ ...stored, sealed: stored?.sealed?.toString('latin1') }, row])
    expect(everywhere).not.toContain('preview-42')
    const entry = (await auditOf(api.db, service.id)).at(-1)
    expect(entry).toMatchObject({ details: { variables: ['s.base', 's.count'], note: 'deploy 42' } })
    expect(JSON.stringify(entry)).not.toContain('preview-42')
    expect(await api.db.select().from(variables).where(eq(variables.serviceId, service.id))).toEqual(before)
  })

  test('do not change on which agent the next run of the service is', async () => {
    const service = await createTargeted()
    const last = async () => {
      const [row] = await api.db.select().from(schedules).where(eq(schedules.serviceId, service.id))
      return row?.lastAgentId
    }
    await request(service, { variables: BASE })
    expect(await last()).toBeNull()
    await api.db.delete(runs).where(eq(runs.serviceId, service.id))
    await request(service, {})
    expect(await last()).toEqual(expect.any(String))
  })

  test('may be those of a higher scope', async () => {
    const service = await createTargeted()
    await request(service, { variables: { 'w.region': 'us' } })
  })

  test('an empty object brings none', async () => {
    const service = await createTargeted()
    const { runId } = await request(service, { variables: {} })
    expect(await request(service, {})).toMatchObject({ runId, joined: true })
  })

  let refusing: Service
  beforeAll(async () => {
    refusing = await createTargeted()
  })

  test.each([
    ['s.nothing', 'does not exist'],
    ['p.base', 'does not exist'],
    ['p.token', 'is a secret, and a run cannot bring secrets'],
    ['s.confirmFailures', 'is a system variable'],
    ['s.lastStatus', 'is computed and read-only'],
    ['w.name', 'is computed and read-only'],
    ['s.__proto__', 'does not exist'],
    ['$s.constructor', 'does not exist'],
  ])('400 field_invalid for %s', async (name, reason) => {
    const answer = await send(refusing, { variables: { [name]: 'x' } })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'field_invalid', details: { field: `variables.${name}`, reason } },
    })
    expect(await rowsOf(refusing)).toEqual([])
  })

  test('400 field_invalid for a variable that is given twice', async () => {
    const answer = await send(refusing, { variables: { 's.base': PREVIEW, '$s.base': PREVIEW } })
    expect(answer.body).toMatchObject({ details: { field: 'variables.$s.base', reason: 'must be given once' } })
  })

  test.each([
    'http://127.0.0.1',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'ftp://shop.example',
    'https://intranet',
  ])('400 blocked_probe_target for %s', async (target) => {
    const answer = await send(refusing, { variables: { 's.base': target } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'blocked_probe_target' } })
    expect(await rowsOf(refusing)).toEqual([])
    expect(await api.db.$count(runRequests, eq(runRequests.serviceId, refusing.id))).toBe(0)
  })

  test('400 for the restrictions of unverified domains, as for stored values', async () => {
    const service = await createTargeted()
    await api.db.update(services).set({ schedule: '* * * * *' }).where(eq(services.id, service.id))
    expect((await send(service, { variables: BASE })).body).toMatchObject({ error: 'unverified_domain_interval' })
    expect((await send(service, {})).status).toBe(202)
  })
})

describe('a request with values', () => {
  test('joins only a queued run with the same values and note', async () => {
    const service = await createTargeted()
    const first = await request(service, { variables: BASE, note: 'deploy 42' })
    expect(await request(service, { note: 'deploy 42', variables: { '$s.base': PREVIEW } })).toMatchObject({
      runId: first.runId,
      joined: true,
    })
    const others = [
      await request(service, {}),
      await request(service, { variables: BASE }),
      await request(service, { variables: BASE, note: 'deploy 43' }),
      await request(service, { variables: { ...BASE, 's.count': '1' }, note: 'deploy 42' }),
    ]
    expect(others.map(({ joined }) => joined)).toEqual([false, false, false, false])
    expect(new Set([first, ...others].map(({ runId }) => runId)).size).toBe(5)
    expect((await rowsOf(service)).map((row) => row.state).sort()).toEqual([
      'queued',
      'waiting',
      'waiting_with_values',
      'waiting_with_values',
      'waiting_with_values',
    ])
  })

  test('joins a waiting run with the same values, also at once with others', async () => {
    const service = await createTargeted()
    await hold(service)
    const answers = await Promise.all(Array.from({ length: 6 }, () => request(service, { variables: BASE })))
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1)
    expect(answers.filter(({ joined }) => !joined)).toHaveLength(1)
  })

  test('is never joined by one without', async () => {
    const service = await createTargeted()
    const { runId } = await request(service, { variables: BASE })
    expect(await request(service, {})).toMatchObject({ joined: false, runId: expect.not.stringMatching(runId) })
  })

  test('400 run_limit_reached, also for parallel requests', async () => {
    const service = await createTargeted()
    await hold(service)
    const answers = await Promise.all(
      Array.from({ length: WAITING_RUNS_MAX + 3 }, (_, i) => send(service, { variables: BASE, note: `deploy ${i}` })),
    )
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(WAITING_RUNS_MAX)
    const refused = answers.find(({ status }) => status !== 202)
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'run_limit_reached', details: { max: WAITING_RUNS_MAX } },
    })
    expect(await request(service, {})).toMatchObject({ joined: false })
    const [{ runId }] = answers.flatMap(({ status, body }) => (status === 202 ? [body] : [])) as [RunRequested]
    expect((await api.call(tree.owner, 'DELETE', `/services/${service.id}/runs/${runId}`)).status).toBe(200)
    expect(await request(service, { variables: BASE })).toMatchObject({ joined: false })
  })
})
