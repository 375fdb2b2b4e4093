import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { databaseNow } from '#db/clock.ts'
import { eq } from '#db/drizzle.cjs'
import type { services } from '#db/schema/resources.ts'
import { runs } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import type { RunRequested } from '#server/schemas/runs.ts'
import type { Service, ServiceSnapshot } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { createResult, setState } from '#test/support/runs/results.ts'
import { BROKEN_SCRIPT, SCRIPT } from '#test/support/runs/scripts.ts'
import { auditOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-11-20T12:30:05.678Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)

beforeAll(async () => {
  await api.create.agent({ organizationId: tree.organization.id })
})

function run(id: string, key = tree.owner) {
  return api.call<RunRequested>(key, 'POST', `/services/${id}/run`)
}

/** An active service with a schedule, as the API stores it. */
async function createRunning(): Promise<Service> {
  const body = { projectId: tree.project.id, name: randomUUID(), script: SCRIPT }
  return (await api.call<Service>(tree.owner, 'POST', '/services', { body })).body
}

describe('POST /services/{id}/run', () => {
  test('202 with whole seconds; the run is queued by then', async () => {
    const service = await createRunning()
    const before = await databaseNow(api.db)
    const { status, body } = await run(service.id)
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        ok: true,
        requestedAt: expect.stringMatching(/:\d\d\.000Z$/),
        runId: expect.any(String),
        url: `http://localhost/services/${service.id}/runs/${body.runId}`,
        joined: false,
      },
    })
    // The time is the database's, not the process's.
    expect(Date.parse(body.requestedAt)).toBeGreaterThanOrEqual(Math.floor(before.getTime() / 1_000) * 1_000)
    expect(Date.parse(body.requestedAt)).toBeLessThanOrEqual((await databaseNow(api.db)).getTime())
    const [queued] = await api.db.select().from(runs).where(eq(runs.serviceId, service.id))
    expect(queued).toMatchObject({ cause: 'request', state: 'queued' })
    expect(Math.floor((queued?.slot.getTime() ?? 0) / 1_000) * 1_000).toBe(Date.parse(body.requestedAt))
    expect((await auditOf(api.db, service.id)).at(-1)).toMatchObject({
      action: 'service.run',
      keyName: tree.owner.name,
    })
  })

  test('takes a body or none, and ignores fields that it does not know', async () => {
    const service = await createRunning()
    const send = (options: { body?: unknown; rawBody?: string }) =>
      api.call(tree.owner, 'POST', `/services/${service.id}/run`, options)
    expect((await send({ body: { any: 1 } })).status).toBe(202)
    expect(await send({ rawBody: 'not JSON' })).toMatchObject({ status: 400, body: { error: 'invalid_request_body' } })
    const large = { any: 'x'.repeat(1_048_576) }
    expect(await send({ body: large })).toMatchObject({ status: 413, body: { error: 'request_body_too_large' } })
  })

  test('202 many requests at once are one run', async () => {
    const service = await createRunning()
    const answers = await Promise.all(Array.from({ length: 8 }, () => run(service.id)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(202))
    expect(await api.db.$count(runs, eq(runs.serviceId, service.id))).toBe(1)
  })

  test('409 script_missing, also for a service that is off', async () => {
    const service = await api.create.service(tree.project)
    const { status, body } = await run(service.id)
    expect({ status, body }).toEqual({ status: 409, body: { error: 'script_missing' } })
  })

  test('409 service_inactive', async () => {
    const service = await api.create.service(tree.project, { script: SCRIPT, version: 2 })
    const { status, body } = await run(service.id)
    expect({ status, body }).toEqual({ status: 409, body: { error: 'service_inactive' } })
    expect(await api.db.$count(runs, eq(runs.serviceId, service.id))).toBe(0)
  })

  test('202 even for an invalid script, which the run itself reports', async () => {
    const service = await api.create.service(tree.project, { script: BROKEN_SCRIPT, version: 2, isActive: true })
    expect((await run(service.id)).status).toBe(202)
  })
})

describe('GET /services/{id}/snapshot', () => {
  let service: typeof services.$inferSelect

  beforeAll(async () => {
    service = await api.create.service(tree.project)
  })

  function read(id: string, key = tree.owner) {
    return api.call<ServiceSnapshot>(key, 'GET', `/services/${id}/snapshot`)
  }

  test('200 before the first run', async () => {
    const { status, body } = await read(service.id)
    const { body: shown } = await api.call(tree.owner, 'GET', `/services/${service.id}`)
    expect({ status, body }).toEqual({ status: 200, body: { service: shown, recentProbes: [] } })
  })

  test('200 with the latest fifty runs, newest first', async () => {
    for (let i = 0; i < 55; i++) {
      await createResult(api.db, service, {
        startedAt: new Date(NOW.getTime() - i * HOUR_MS),
        status: i % 2 ? 'failure' : 'success',
        callCount: i === 1 ? 0 : 3,
        failedCalls: i % 2,
        totalResponseMs: 100 + i,
      })
    }
    await setState(api.db, service, { lastStatus: 'success', lastRunAt: NOW, probesTotal: 55 })
    const { body } = await read(service.id)
    expect(body.service).toMatchObject({ id: service.id, lastStatus: 'success' })
    expect(body.recentProbes).toHaveLength(50)
    expect(body.recentProbes.slice(0, 2)).toEqual([
      { status: 'success', avgResponseMs: 33, callCount: 3, failedCalls: 0, timestamp: 1_795_177_805 },
      { status: 'failure', avgResponseMs: null, callCount: 0, failedCalls: 1, timestamp: 1_795_174_205 },
    ])
    const times = body.recentProbes.map((probe) => probe.timestamp)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  test('200 without runs that are past their time, though not dropped yet', async () => {
    const old = await api.create.service(tree.project)
    for (const startedAt of ['2026-08-21T23:59:59.999Z', '2026-08-22T00:00:00.000Z']) {
      await createResult(api.db, old, { startedAt: new Date(startedAt) })
    }
    const { body } = await read(old.id)
    expect(body.recentProbes.map((probe) => probe.timestamp)).toEqual([Date.parse('2026-08-22T00:00:00Z') / 1_000])
  })
})
