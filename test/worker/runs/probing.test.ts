import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseNow } from '#db/clock.ts'
import { and, eq } from '#db/drizzle.cjs'
import { alertEvents } from '#db/schema/alerts.ts'
import { bodyStores } from '#db/schema/body-stores.ts'
import { domains } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { assertionHours, runHours, serviceAgentStates, serviceStates } from '#db/schema/results.ts'
import { workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { HOUR_MS } from '#server/durations.ts'
import { timestampOfId } from '#server/results/results/ids.ts'
import { MASK } from '#server/schemas/variables.ts'
import { createVault } from '#server/vault.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)
let target: HttpTarget
let answer = 200
let heard = 0

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    const body = await readAll(request)
    heard++
    if (request.url === '/echo') {
      const echoed = JSON.stringify({ authorization: request.headers.authorization, body: body.toString() })
      response.writeHead(200, { 'content-type': 'application/json', 'x-echo': String(request.headers.authorization) })
      response.end(echoed)
    } else if (request.url === '/silent') {
      response.writeHead(204).end()
    } else if (request.url === '/image') {
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0x50, 0xff, 0]))
    } else {
      response.writeHead(answer, { 'content-type': 'application/json' }).end('{"count": 7}')
    }
  })
  // The clock of the worker, which runs in this process, is an hour behind, and no result may show it.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS, shouldAdvanceTime: true })
  await startWorker()
})
afterAll(() => {
  vi.useRealTimers()
  return target.close()
})

const url = (path: string) => `http://127.0.0.1:${target.port}${path}`

/** Adds an encrypted variable or secret of the service. */
async function addSealed(service: ProbedService, key: string, type: 'variable' | 'secret', value: string) {
  const { id: serviceId, organizationId } = service
  const id = uuidv7()
  const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice(5) }])
  const sealed = vault.seal(value, 'variable', organizationId, id)
  await database.db.insert(variables).values({ id, organizationId, serviceId, key, type, sealed })
}

async function runOnce(service: ProbedService) {
  const before = (await database.resultsOf(service)).length
  await database.requestRunOf(service)
  return until('a result', async () => (await database.resultsOf(service))[before])
}

describe('a run', () => {
  test('on request stores a result, roll-ups and states', async () => {
    const script = `get("${url('/')}").expect(status: 200).check(totalDelayMs: 60000)`
    const service = await database.createProbedService(script)
    const asked = await databaseNow(database.db)
    const result = await runOnce(service)
    expect(result).toMatchObject({ status: 'success', callCount: 1, failedCalls: 0, agentSlug: 'local' })
    expect(timestampOfId(result.id)).toEqual(result.startedAt)
    // By the database's clock, although the worker's clock is an hour behind.
    expect(result.startedAt.getTime()).toBeGreaterThanOrEqual(asked.getTime())
    expect(result.startedAt.getTime()).toBeLessThanOrEqual((await databaseNow(database.db)).getTime())
    expect(result.raw).toMatchObject({
      outcome: 'success',
      calls: [{ outcome: 'success', response: { status: 200, bodyPath: null } }],
    })
    const [step] = result.steps
    expect(step).toMatchObject({
      stepNum: 1,
      requestUrl: url('/'),
      method: 'GET',
      template: url('/'),
      statusCode: 200,
      outcome: 'success',
      bodyNotStoredReason: null,
      assertionResults: [{ scope: 'status', outcome: 'passed' }, { scope: 'totalDelayMs' }],
    })
    const [store] = await database.db.select().from(bodyStores)
    expect(step?.body).toMatchObject({ storeId: store?.id, bytes: 12, contentType: 'application/json' })
    expect(await readFile(fileURLToPath(`${store?.url}/${step?.body?.key}`), 'utf8')).toBe('{"count": 7}')

    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    expect(state).toMatchObject({
      lastStatus: 'success',
      lastConsecutive: 1,
      lastStatusSince: result.startedAt,
      lastRunAt: result.startedAt,
      lastResultId: result.id,
      lastFailure: null,
      probesTotal: 1,
      probesSuccess: 1,
    })
    const [hour] = await database.db.select().from(runHours).where(eq(runHours.serviceId, service.id))
    expect(hour).toMatchObject({ runs: 1, success: 1, agentSlug: 'local', ms: [result.totalResponseMs] })
    expect(await database.runsOf(service)).toMatchObject([{ state: 'done', attempt: 1, cause: 'request' }])
  })

  test('that is due is dispatched, and its schedule moves to the next slot', async () => {
    const service = await database.createProbedService(`get("${url('/')}").expect(status: 200)`)
    await database.makeDue(service)
    const [result] = await until('a result', async () => {
      const found = await database.resultsOf(service)
      return found.length > 0 && found
    })
    expect(result).toMatchObject({ status: 'success' })
    expect(await database.runsOf(service)).toMatchObject([{ cause: 'schedule', state: 'done' }])
  })

  test('that fails has a reason and names the failed assertions', async () => {
    const script = `get("${url('/')}").expect(status: 404)\nget("${url('/never')}").expect(status: 200)`
    const service = await database.createProbedService(script)
    const result = await runOnce(service)
    expect(result).toMatchObject({ status: 'failure', callCount: 1, failedCalls: 1 })
    expect(result.steps).toMatchObject([
      { outcome: 'failure' },
      { outcome: 'skipped', requestUrl: null, statusCode: null, bodyNotStoredReason: 'no_body' },
    ])
    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    expect(state?.lastFailure).toEqual({
      resultId: result.id,
      startedAt: result.startedAt.toISOString(),
      status: 'failure',
      error: null,
      summary: `GET ${url('/')}: status 200, expected 404`,
      assertions: [{ stepNum: 1, method: 'expect', scope: 'status', op: 'eq', expected: 404, actual: 200 }],
      assertionsTotal: 1,
    })
  })

  test('has its assertions counted with the values that they expect', async () => {
    const script = `get("${url('/')}")
  .expect(status: [200, 201], size: { value: -1, op: "gt" })
  .check(body: { value: { count: 7, tags: ["a", null] } })`
    const service = await database.createProbedService(script)
    await runOnce(service)
    const sums = await database.db.select().from(assertionHours).where(eq(assertionHours.serviceId, service.id))
    expect(Object.fromEntries(sums.map(({ definition: { scope, expected } }) => [scope, expected]))).toEqual({
      ...{ status: [200, 201], size: -1, body: { count: 7, tags: ['a', null] } },
    })
  })

  test('whose target is unreachable or blocked is a failure', async () => {
    const closed = await database.createProbedService('get("http://127.0.0.1:1/").expect(status: 200)')
    expect(await runOnce(closed)).toMatchObject({ status: 'failure', steps: [{ error: expect.any(String) }] })
    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, closed.id))
    expect(state?.lastFailure).toMatchObject({ error: expect.any(String), assertions: [], assertionsTotal: 0 })
    const blocked = await database.createProbedService('get("http://10.0.0.1/").expect(status: 200)')
    expect(await runOnce(blocked)).toMatchObject({ status: 'failure', totalResponseMs: 0 })
  })

  describe.each([
    ['unverified_domain_call_limit', 'get("$s.base/1").expect(status: 200)\n'.repeat(3), '0 0 1 1 *'],
    ['unverified_domain_includes', 'get("$s.base/").assert({ expect: [includes("7", this.body.count)] })', '0 0 1 1 *'],
    ['unverified_domain_interval', 'get("$s.base/").expect(status: 200)', '*/4 * * * *'],
  ])('that breaks %s by now', (code, further, schedule) => {
    const isRefused = {
      status: 'failure',
      callCount: 0,
      steps: [],
      raw: { error: expect.stringContaining(`${code}: `) },
    }
    let service: ProbedService

    beforeAll(async () => {
      service = await database.createProbedService(`get("${url('/')}").expect(status: 200)\n${further}`)
      const { organizationId, id: serviceId } = service
      const base = { key: 'base', type: 'metric' as const, value: `http://127.0.0.1:${target.port}` }
      await database.db.insert(variables).values({ id: uuidv7(), organizationId, serviceId, ...base })
      // The schedule does not change: only the test makes the service due.
      await database.db.update(services).set({ schedule }).where(eq(services.id, service.id))
      expect(await runOnce(service)).toMatchObject({ status: 'success' })
    })

    test('because a variable has changed sends nothing and has a reason', async () => {
      await database.db
        .update(variables)
        .set({ value: 'https://status.example.net' })
        .where(and(eq(variables.serviceId, service.id), eq(variables.key, 'base')))
      const before = heard
      expect(await runOnce(service)).toMatchObject(isRefused)
      expect(heard).toBe(before)
      const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
      expect(state).toMatchObject({
        lastStatus: 'failure',
        lastFailure: { status: 'failure', error: expect.stringContaining(code), assertions: [] },
      })
    })

    test('because a domain is no longer verified sends nothing either', async () => {
      const { organizationId } = service
      const domain = { id: uuidv7(), organizationId, domain: 'example.net', token: 't', verifiedAt: new Date() }
      await database.db.insert(domains).values(domain)
      // The first call is sent; it fails, so it is also the last.
      answer = 503
      const before = heard
      expect(await runOnce(service)).toMatchObject({ status: 'failure', callCount: 1 })
      expect(heard).toBe(before + 1)
      await database.db.update(domains).set({ verifiedAt: null }).where(eq(domains.id, domain.id))
      expect(await runOnce(service)).toMatchObject(isRefused)
      expect(heard).toBe(before + 1)
      answer = 200
    })
  })

  test('of a script that is no longer valid is a failure with a reason', async () => {
    const service = await database.createProbedService('this is no script')
    expect(await runOnce(service)).toMatchObject({
      status: 'failure',
      callCount: 0,
      steps: [],
      raw: { error: expect.stringContaining('validation failed') },
    })
  })

  test('reads the previous result and writes metrics back', async () => {
    const script = `get("${url('/')}").assert({ check: [prev.runVars.seen eq "yes"] }).store({ "$$seen": "yes", count: this.body.count })`
    const service = await database.createProbedService(script)
    const first = await runOnce(service)
    const second = await runOnce(service)
    expect(first.steps[0]?.assertionResults).toMatchObject([{ outcome: 'failed' }])
    expect(second.steps[0]?.assertionResults).toMatchObject([{ outcome: 'passed' }])
    expect(
      await database.db.select().from(serviceAgentStates).where(eq(serviceAgentStates.serviceId, service.id)),
    ).toMatchObject([{ startedAt: second.startedAt }])
    const written = await database.db.select().from(variables).where(eq(variables.serviceId, service.id))
    expect(written.find((row) => row.key === 'count')).toMatchObject({
      type: 'metric',
      value: '7',
      isScriptWritten: true,
    })
  })

  test('does not overwrite variables that are not metrics, and warns', async () => {
    const script = `get("${url('/')}").store({ taken: 1, name: 2, confirmFailures: 3, fine: "x" })`
    const service = await database.createProbedService(script)
    await addSealed(service, 'taken', 'variable', 'mine')
    const result = await runOnce(service)
    const [call] = (result.raw as { calls: { warnings: string[] }[] }).calls
    expect(call?.warnings).toEqual([
      '"taken" was not written back: a variable of that name exists',
      '"name" was not written back: the name is reserved',
      '"confirmFailures" was not written back: it is a system variable',
    ])
    const rows = await database.db.select().from(variables).where(eq(variables.serviceId, service.id))
    expect(Object.fromEntries(rows.map((row) => [row.key, row.value]))).toEqual({
      taken: null,
      confirmFailures: '1',
      confirmRecoveries: '1',
      recheckSeconds: '0',
      recheckWrites: 'false',
      remindMinutes: '0',
      alertOnRecovery: 'true',
      fine: 'x',
    })
  })

  test('stores no secret, in any place or spelling', async () => {
    const secret = 'pa/ss "wörd" 4711'
    const script = `post("${url('/echo')}", { headers: { Authorization: "Bearer $s.token" }, body: json({ token: "$s.token" }) })
      .expect(status: 200)
      .assert({ check: [this.body.authorization eq "nothing"] })
      .store({ "$$copy": this.body.authorization, kept: this.body.body })`
    const service = await database.createProbedService(script)
    await addSealed(service, 'token', 'secret', secret)
    const result = await runOnce(service)
    expect(result).toMatchObject({ status: 'success' })
    const everything = JSON.stringify([
      result,
      await database.db.select().from(serviceAgentStates).where(eq(serviceAgentStates.serviceId, service.id)),
      await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id)),
      (await database.db.select().from(variables).where(eq(variables.serviceId, service.id))).map((row) => row.value),
    ])
    expect(everything).toContain(`Bearer ${MASK}`)
    expect(everything).not.toContain('4711')
    expect(everything).not.toContain('pa/ss')
    const [store] = await database.db.select().from(bodyStores)
    const body = await readFile(fileURLToPath(`${store?.url}/${result.steps[0]?.body?.key}`), 'utf8')
    expect(body).toContain(MASK)
    expect(body).not.toContain('4711')
  })

  test('stores bodies only on request, and a reason otherwise', async () => {
    const script = `get("${url('/silent')}").expect(status: 204)\nget("${url('/image')}").expect(status: 200)`
    const kept = await runOnce(await database.createProbedService(script))
    expect(kept.steps.map((step) => [step.body?.bytes ?? null, step.bodyNotStoredReason])).toEqual([
      [null, 'no_body'],
      [4, null],
    ])
    const off = await runOnce(await database.createProbedService(script, { saveResponseBodies: false }))
    expect(off.steps.map((step) => [step.body, step.bodyNotStoredReason])).toEqual([
      [null, 'no_body'],
      [null, 'not_requested'],
    ])
  })
})

test('failures are confirmed before they are announced, then recoveries are announced', async () => {
  const service = await database.createProbedService(`get("${url('/')}").expect(status: 200)`, {}, 2)
  const seen: [string, number, boolean][] = []
  for (const status of [200, 500, 200, 500, 500, 500, 200, 200]) {
    answer = status
    await runOnce(service)
    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    seen.push([state!.lastStatus!, state!.lastConsecutive, state!.isAlerting])
  }
  answer = 200
  expect(seen).toEqual([
    ['success', 1, false],
    ['failure', 1, false],
    ['success', 1, false],
    ['failure', 1, false],
    ['failure', 2, true],
    ['failure', 3, true],
    ['success', 1, false],
    ['success', 2, false],
  ])
  const events = await database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, service.id))
  expect(events.map((event) => event.kind).sort()).toEqual(['service.failed', 'service.recovered'])
  expect(events[0]?.payload).toMatchObject({ service: { id: service.id, name: service.name }, result: {} })
})

test('a worker sends heartbeats, and deletes its row when it stops', async () => {
  const second = await startWorker()
  expect(await database.db.$count(workers)).toBe(2)
  await second.stop()
  expect(await database.db.$count(workers)).toBe(1)
})
