import postgres from 'postgres'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { alertEvents, certificates, incidents } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { results, runHours, serviceAgentStates, serviceStates, versionRuns } from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { runs } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { CHANNEL, parsePayload } from '#server/live/announce.ts'
import { requestRun } from '#server/runs/runs/request-run.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { MASK } from '#server/schemas/variables.ts'
import { createVault } from '#server/vault.ts'
import { type Gate, startGate } from '#test/support/gate.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Runs with values of their own, and what runs are called, through a real worker. `deaths.test.ts` kills workers in them.

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)
const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice(5) }])
let own: HttpTarget
let preview: HttpTarget
let gate: Gate
/** The paths that each target was asked for. */
const asked = { own: [] as string[], preview: [] as string[] }
let ownStatus = 200
let previewStatus = 500

beforeAll(async () => {
  own = await startHttpTarget((request, response) => {
    asked.own.push(`${request.url} ${request.headers.authorization}`)
    response.writeHead(ownStatus, { 'content-type': 'application/json' }).end('{"count": 7}')
  })
  preview = await startHttpTarget((request, response) => {
    asked.preview.push(`${request.url} ${request.headers.authorization}`)
    response.writeHead(previewStatus, { 'content-type': 'application/json' }).end('{"count": 8}')
  })
  gate = await startGate()
  await startWorker()
})
afterAll(() => Promise.all([own.close(), preview.close(), gate.close()]))

const urlOf = (target: HttpTarget) => `http://127.0.0.1:${target.port}`
const SCRIPT =
  'get("$s.base/x", {headers: {authorization: "$s.token"}}).expect(status: 200).store({ count: this.body.count })'

/** A service with a base URL and a secret. */
async function newTargeted(given: { script?: string; confirmFailures?: number } = {}): Promise<ProbedService> {
  const service = await database.createProbedService(given.script ?? SCRIPT, {}, given.confirmFailures)
  const { id: serviceId, organizationId } = service
  const sealed = (key: string, type: 'variable' | 'secret', value: string) => {
    const id = uuidv7()
    return { id, organizationId, serviceId, key, type, sealed: vault.seal(value, 'variable', organizationId, id) }
  }
  await database.db
    .insert(variables)
    .values([sealed('base', 'variable', urlOf(own)), sealed('token', 'secret', 'hush-hush')])
  return service
}

const requestWith = (service: ProbedService, values: Record<string, string>, note: string | null = null) =>
  database.requestRunOf(service, { note, values: { vault, values } })

const toPreview = (service: ProbedService) => requestWith(service, { 's.base': urlOf(preview) })

/** Returns the stored results of a run, once all its rows are done. */
async function resultsOfRun(runId: string) {
  await until('the run to be done', async () => {
    const rows = await database.db.select().from(runs)
    const mine = rows.filter((row) => (row.runId ?? row.id) === runId)
    return mine.length > 0 && mine.every((row) => row.state === 'done')
  })
  return database.db.select().from(results).where(eq(results.runId, runId))
}

/** Everything that a run which counts changes. */
async function countsOf({ id }: ProbedService) {
  const tables = [serviceStates, serviceAgentStates, runHours, versionRuns, incidents, alertEvents, certificates]
  const of = await Promise.all(tables.map((table) => database.db.select().from(table).where(eq(table.serviceId, id))))
  const values = await database.db.select().from(variables).where(eq(variables.serviceId, id)).orderBy(variables.key)
  return { of, values }
}

describe('a run with values', () => {
  test('uses them, and leaves everything as it was but its results', async () => {
    const service = await newTargeted()
    const plain = await database.requestRunOf(service)
    expect(await resultsOfRun(plain.runId)).toMatchObject([
      { status: 'success', runId: plain.runId, cause: 'request', isUncounted: null, scriptVersion: 2 },
    ])
    const before = await countsOf(service)
    expect(before.values.map(({ key }) => key)).toContain('count')
    const hits = asked.own.length

    const { runId } = await toPreview(service)
    const [result] = await resultsOfRun(runId)
    expect(result).toMatchObject({ status: 'failure', runId, cause: 'request', isUncounted: true, scriptVersion: 2 })
    expect(result?.summary).toContain(`${urlOf(preview)}/x`)
    expect(asked.preview.at(-1)).toBe('/x hush-hush')
    expect(asked.own).toHaveLength(hits)
    expect(await countsOf(service)).toEqual(before)
    // The secret of the service is masked as always.
    expect(JSON.stringify(result)).not.toContain('hush-hush')
    expect(JSON.stringify(result)).toContain(MASK)

    // One that passes would write a value back.
    previewStatus = 200
    expect(await resultsOfRun((await toPreview(service)).runId)).toMatchObject([
      { status: 'success', isUncounted: true },
    ])
    previewStatus = 500
    expect(await countsOf(service)).toEqual(before)

    const next = await database.requestRunOf(service)
    expect(await resultsOfRun(next.runId)).toMatchObject([{ status: 'success', isUncounted: null }])
    expect(asked.own).toHaveLength(hits + 1)
  })

  test('has no previous result', async () => {
    const service = await newTargeted({ script: 'get("$s.base/x").assert({ expect: [prev eq null] })' })
    const statuses: string[] = []
    for (const send of [
      () => database.requestRunOf(service),
      () => toPreview(service),
      () => database.requestRunOf(service),
    ]) {
      const [result] = await resultsOfRun((await send()).runId)
      statuses.push(String(result?.status))
    }
    expect(statuses).toEqual(['success', 'success', 'failure'])
  })

  test('is announced to open pages as every run', async () => {
    const service = await newTargeted()
    const heard: string[] = []
    const client = postgres(database.url, { max: 1 })
    await client.listen(CHANNEL, (payload) => void heard.push(...parsePayload(payload).topics))
    await resultsOfRun((await toPreview(service)).runId)
    await until('the announcement', async () => heard.includes(topics.run(service.id)))
    expect(heard).not.toContain(topics.state(service.id))
    await client.end()
  })

  test('fails without a request when its variable or its values are gone', async () => {
    const service = await newTargeted()
    const hits = { own: asked.own.length, preview: asked.preview.length }
    const { id: serviceId } = service
    const fails = async (change: (tx: Tx, runId: string) => Promise<unknown>, reason: string) => {
      const runId = await database.db.transaction(async (tx) => {
        const values = { vault, values: { 's.base': urlOf(preview) } }
        const requested = await requestRun(tx, service, new Date(), { values })
        await change(tx, requested.runId)
        return requested.runId
      })
      expect(await resultsOfRun(runId)).toMatchObject([{ status: 'failure', isUncounted: true, summary: reason }])
    }
    await fails(
      (tx, runId) => tx.delete(runRequests).where(eq(runRequests.id, runId)),
      'the values of the run are no longer stored',
    )
    await fails(
      (tx) => tx.delete(variables).where(and(eq(variables.serviceId, serviceId), eq(variables.key, 'base'))),
      'the variable $s.base does not exist',
    )
    expect({ own: asked.own.length, preview: asked.preview.length }).toEqual(hits)
    expect(await database.db.$count(serviceStates, eq(serviceStates.serviceId, service.id))).toBe(0)
  })

  test('waits for the one in flight; waiting ones are executed one at a time, in their order', async () => {
    const service = await newTargeted({ script: 'get("$s.base").expect(status: 200)' })
    gate.shut()
    const first = await requestWith(service, { 's.base': gate.url })
    await until('the first run at the target', async () => gate.arrived() > 0)
    const waiting = [
      await requestWith(service, { 's.base': `${urlOf(preview)}/1` }),
      await database.requestRunOf(service),
      await requestWith(service, { 's.base': `${urlOf(preview)}/2` }),
    ]
    gate.open()
    const ids = [first, ...waiting].map(({ runId }) => runId)
    for (const id of ids) await resultsOfRun(id)
    const rows = await database.runsOf(service)
    const spans = ids.map((id) => rows.find((row) => row.id === id))
    for (const [index, row] of spans.entries()) {
      const before = spans[index - 1]
      if (before) expect(row?.startedAt?.getTime()).toBeGreaterThanOrEqual(before.finishedAt?.getTime() ?? Infinity)
    }
    expect(await database.db.$count(results, eq(results.serviceId, service.id))).toBe(4)
    expect(
      (await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id)))[0],
    ).toMatchObject({ probesTotal: 1, lastStatus: 'success' })
  })

  test('does not replace a scheduled run: that one waits for it', async () => {
    const service = await newTargeted({ script: 'get("$s.base").expect(status: 200)' })
    gate.shut()
    const arrived = gate.arrived()
    await requestWith(service, { 's.base': gate.url })
    await until('the run at the target', async () => gate.arrived() > arrived)
    await database.makeDue(service)
    const waiting = await until('the scheduled run to wait', async () =>
      (await database.runsOf(service)).find((row) => row.state === 'waiting'),
    )
    expect(waiting.cause).toBe('schedule')
    gate.open()
    expect(await resultsOfRun(waiting.id)).toMatchObject([{ status: 'success', cause: 'schedule', isUncounted: null }])
  })
})

describe('the run of a result', () => {
  test('is one for all agents, also when it waited', async () => {
    const service = {
      ...(await newTargeted({ script: 'get("$s.base").expect(status: 200)' })),
      probeMode: 'simultaneous' as const,
    }
    await database.db.update(services).set({ probeMode: 'simultaneous' }).where(eq(services.id, service.id))
    const second = await startWorker({ AGENT_SLUG: 'second' })
    gate.shut()
    const arrived = gate.arrived()
    const held = await requestWith(service, { 's.base': gate.url })
    await until('both agents at the target', async () => gate.arrived() === arrived + 2)
    const waiting = await database.requestRunOf(service)
    gate.open()
    for (const { runId } of [held, waiting]) {
      const stored = await resultsOfRun(runId)
      expect(new Set(stored.map((result) => result.agentSlug)).size).toBe(2)
    }
    await database.makeDue(service)
    const scheduled = await until('the scheduled run', async () =>
      (await database.runsOf(service)).find((row) => row.cause === 'schedule' && row.runId === null),
    )
    expect(await resultsOfRun(scheduled.id)).toHaveLength(2)
    await second.stop()
  })

  test('has the cause schedule, also while a failure is being confirmed', async () => {
    const service = await newTargeted({ confirmFailures: 2 })
    ownStatus = 500
    const causes = async () => (await database.resultsOf(service)).map(({ cause, status }) => `${cause} ${status}`)
    for (let round = 1; round <= 3; round++) {
      await database.makeDue(service)
      await until('a result', async () => (await causes()).length === round)
    }
    ownStatus = 200
    expect(await causes()).toEqual(['schedule failure', 'schedule failure', 'schedule failure'])
    expect(await database.db.$count(incidents, eq(incidents.serviceId, service.id))).toBe(1)
  })
})
