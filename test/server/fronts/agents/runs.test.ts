import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { agents, services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { PollWaits } from '#server/fronts/agents/requests/poll-waits.ts'
import { type EndedSpan, setTracing } from '#server/process/tracing.ts'
import type { HeartbeatAnswer } from '#server/schemas/agents/protocol.ts'
import { execute, gatewayWorld, readStoredBody } from '#test/support/agents/gateway-world.ts'
import { enrolClient } from '#test/support/agents/signed-client.ts'
import { resultsOf, runsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { promoteWaiting } from '#worker/runs/promote.ts'

const world = gatewayWorld()
const { t } = world
let target: HttpTarget
beforeAll(async () => {
  target = await startHttpTarget((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('fine, the password is hunter22'),
  )
})
afterAll(() => target.close())

const UNTRACED = { set: () => {}, fail: () => {} }
const scriptOf = () => `get("${target.url}/")\n  .expect(status: 200)`

describe('a remote agent', () => {
  test('takes a run of its organization, and its result is stored once', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await client.send('heartbeat', heartbeatOf(client.instance))
    const id = await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    expect(assignment).toMatchObject({ id, attempt: 1, serviceId: service.id, script: { version: service.version } })

    const upload = await execute(assignment!)
    expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    const [result, ...others] = await resultsOf(t.db, service)
    expect(others).toEqual([])
    expect(result).toMatchObject({ status: 'success', agentId: client.agent.id, scriptVersion: service.version })
    expect(await runsOf(t.db, service)).toMatchObject([{ id, state: 'done', attempt: 1 }])
  })

  test('gets the recheck of a scheduled run that failed', async () => {
    const service = await world.createService(`get("${target.url}/").expect(status: 201)`)
    const recheckSeconds = and(eq(variables.serviceId, service.id), eq(variables.key, 'recheckSeconds'))
    await t.db.update(variables).set({ value: '60' }).where(recheckSeconds)
    const client = await world.enrol(service.organizationId)
    await client.send('heartbeat', heartbeatOf(client.instance))
    const id = await world.queueRun(service, client.agent)
    await t.db.update(runs).set({ cause: 'schedule' }).where(eq(runs.id, id))
    await client.send('results', await execute((await world.poll(client))[0]!))
    const waiting = (await runsOf(t.db, service)).find(({ state }) => state === 'waiting_recheck')
    expect(waiting).toMatchObject({ cause: 'confirmation', agentId: client.agent.id })
    await t.db
      .update(runs)
      .set({ rankAt: new Date(0) })
      .where(eq(runs.id, waiting?.id ?? ''))
    await promoteWaiting(t.db)
    const [again] = await world.poll(client)
    expect(again).toMatchObject({ id: waiting?.id, run: { cause: 'confirmation' } })
    await client.send('results', await execute(again!))
    const [first, recheck] = await resultsOf(t.db, service)
    expect(first).toMatchObject({ status: 'failure', isUncounted: true, recheckedBy: recheck?.id })
    expect(recheck).toMatchObject({ status: 'failure', isUncounted: null, recheckOf: first?.id })
  })

  test('that is shared stores a result once, also of one that it sends again', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(null)
    await world.queueRun(service, client.agent)
    const upload = await execute((await world.poll(client))[0]!)
    for (let sent = 0; sent < 2; sent++) {
      expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    }
    expect(await resultsOf(t.db, service)).toHaveLength(1)
    expect((await client.send('results', { ...upload, id: uuidv7() })).body).toMatchObject({ error: 'lease_lost' })
  })

  test('waits for a run, which it gets as soon as it is queued', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    const polled = client.send<{ runs: { id: string }[] }>('poll', {
      instance: client.instance,
      free: 1,
      waitSeconds: 20,
    })
    const id = await world.queueRun(service, client.agent)
    expect((await polled).body.runs).toMatchObject([{ id }])
  })

  test('is told that there are no runs when too many agents wait', async () => {
    const waits = new PollWaits(t.db, { waitsMax: 1, fullMs: 1 })
    const { signal } = new AbortController()
    const { keys } = await world.enrol(null)
    const first = waits.wait({ keyId: keys.keyId, owner: 'one' }, 600_000, signal)
    expect(await waits.wait({ keyId: keys.keyId, owner: 'two' }, 600_000, signal)).toBe(false)
    waits.close()
    expect(await first).toBe(true)
  })

  test('gives a run back when its response could not be sent', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    const id = await world.queueRun(service, client.agent)
    const closed: (() => void)[] = []
    const { body } = await client.send<{ runs: { id: string }[] }>(
      'poll',
      { instance: client.instance, free: 1, waitSeconds: 0 },
      { onLost: (callback) => void closed.push(callback) },
    )
    expect(body.runs).toMatchObject([{ id }])
    for (const callback of closed) callback()
    await expect.poll(async () => (await runsOf(t.db, service))[0]?.state).toBe('queued')
    expect(await world.poll(client)).toMatchObject([{ id, attempt: 2 }])
  })

  test('stores the bodies of responses without secrets', async () => {
    const service = await world.createService(scriptOf(), { saveResponseBodies: true })
    const { organizationId, id: serviceId } = service
    const id = uuidv7()
    const sealed = t.runtime.vault.seal('hunter22', 'variable', organizationId, id)
    await t.db.insert(variables).values({ id, organizationId, serviceId, key: 'password', type: 'secret', sealed })
    const client = await world.enrol(organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    expect(assignment?.variables).toMatchObject({ values: { s: {} }, secrets: [] })
    const upload = await execute(assignment!)
    const query = new URLSearchParams({ run: upload.id, attempt: '1', call: '0', startedAt: upload.startedAt })
    const sent = await client.send<{ receipt: string }>('bodies', null, {
      query: query.toString(),
      body: Buffer.from('fine, the password is hunter22'),
      contentType: 'text/plain',
    })
    expect(sent.status).toBe(200)
    const bodies = [{ call: 0, receipt: sent.body.receipt }]
    expect(await client.send('results', { ...upload, bodies })).toMatchObject({ status: 200 })
    const [result] = await resultsOf(t.db, service)
    const key = result?.steps[0]?.body?.key ?? ''
    const text = await readStoredBody(t.runtime.settings.DATA_DIR, key)
    expect(text).toContain('fine, the password is')
    expect(text).not.toContain('hunter22')
  })

  test('stores no body of a service that does not save bodies any more, and the result all the same', async () => {
    const service = await world.createService(scriptOf(), { saveResponseBodies: true })
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    await t.db.update(services).set({ saveResponseBodies: false }).where(eq(services.id, service.id))
    const upload = await execute(assignment!)
    const query = new URLSearchParams({ run: upload.id, attempt: '1', call: '0', startedAt: upload.startedAt })
    const sent = await client.send('bodies', null, {
      query: query.toString(),
      body: Buffer.from('fine'),
      contentType: 'text/plain',
    })
    expect(sent).toMatchObject({ status: 200, body: { reason: 'not_requested' } })
    expect(await client.send('results', { ...upload, bodies: [{ call: 0, ...sent.body }] })).toMatchObject({
      status: 200,
    })
    const [result] = await resultsOf(t.db, service)
    expect(result?.steps).toMatchObject([{ body: null, bodyNotStoredReason: 'not_requested' }])
  })

  test('has a few processes per key: a new one takes the place of the oldest, whose runs are queued again', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await client.send('heartbeat', heartbeatOf(client.instance))
    await world.queueRun(service, client.agent)
    await world.poll(client)
    for (let count = 0; count < 6; count++) await client.send('heartbeat', heartbeatOf(randomUUID()))
    expect(await t.db.$count(workers, eq(workers.keyId, client.keys.keyId))).toBe(4)
    expect(await runsOf(t.db, service)).toMatchObject([{ state: 'queued', workerId: null }])
  })

  test('leaves a trace of its run, as a worker does', async () => {
    const traces: EndedSpan[][] = []
    const record = (spans: EndedSpan[]) => void traces.push(spans)
    setTracing({ span: (_name, _options, work) => work(UNTRACED), setRoute: () => {}, record, logLine: () => {} })
    onTestFinished(() => setTracing(null))
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    const upload = await execute(assignment!)
    for (let count = 0; count < 2; count++) await client.send('results', upload)
    expect(traces).toHaveLength(1)
    const [run] = traces[0] ?? []
    expect(run).toMatchObject({ name: 'run', attributes: { 'soundline.agent': client.agent.slug } })
  })

  test('keeps its lease with heartbeats, which tell what it can carry', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    await t.db
      .update(runs)
      .set({ leaseUntil: new Date(0) })
      .where(eq(runs.id, assignment!.id))
    const held = [
      { id: assignment!.id, attempt: 1 },
      { id: uuidv7(), attempt: 1 },
    ]
    const sentAt = new Date(Date.now() + 90_000).toISOString()
    const { body } = await client.send<HeartbeatAnswer>('heartbeat', {
      ...heartbeatOf(client.instance),
      sentAt,
      held,
      allowedNetworks: ['10.0.0.0/8'],
    })
    expect(body.held).toEqual([held[0]])
    const [run] = await runsOf(t.db, service)
    expect(run?.leaseUntil?.getTime()).toBeGreaterThan(Date.now())
    const [worker] = await t.db.select().from(workers).where(eq(workers.agentId, client.agent.id))
    expect(worker).toMatchObject({
      kind: 'agent',
      slots: 8,
      busy: 1,
      version: '0.4.50',
      address: '192.0.2.1',
      staleSeconds: 45,
      allowedNetworks: ['10.0.0.0/8'],
    })
    expect(worker?.clockOffsetMs).toBeGreaterThan(60_000)
    const [agent] = await t.db.select().from(agents).where(eq(agents.id, client.agent.id))
    expect(agent?.allowedNetworks).toEqual(['10.0.0.0/8'])
  })

  test('keeps the networks of its newest process', async () => {
    const older = await world.enrol(null)
    const newer = await enrolClient(world.gateway, await world.createToken({ ...older.agent, organizationId: null }))
    const beat = (client: typeof newer, ...allowedNetworks: string[]) =>
      client.send('heartbeat', { ...heartbeatOf(client.instance), allowedNetworks })
    const kept = async () => {
      const [agent] = await t.db.select().from(agents).where(eq(agents.id, older.agent.id))
      return agent?.allowedNetworks
    }
    await beat(older, '10.0.0.0/8')
    await t.db
      .update(workers)
      .set({ startedAt: new Date(Date.now() - 60_000) })
      .where(eq(workers.agentId, older.agent.id))
    await beat(newer, '192.168.0.0/16')
    await beat(older, '10.0.0.0/8')
    expect(await kept()).toEqual(['192.168.0.0/16'])
    await newer.send('release', { instance: newer.instance, held: [] })
    expect(await kept()).toEqual(['192.168.0.0/16'])
    await beat(older, '10.0.0.0/8')
    expect(await kept()).toEqual(['10.0.0.0/8'])
  })

  test('stores a late result, as long as no other attempt holds the run', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    const upload = await execute(assignment!)
    await t.db.update(runs).set({ state: 'queued', workerId: null, leaseUntil: null }).where(eq(runs.id, upload.id))
    expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    expect(await resultsOf(t.db, service)).toHaveLength(1)
  })

  test('gives its runs back when it ends', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await client.send('heartbeat', heartbeatOf(client.instance))
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    const held = [{ id: assignment!.id, attempt: 1 }]
    expect((await client.send('release', { instance: client.instance, held })).status).toBe(200)
    expect(await runsOf(t.db, service)).toMatchObject([{ state: 'queued', workerId: null }])
    expect(await t.db.select().from(workers).where(eq(workers.agentId, client.agent.id))).toEqual([])
  })

  test('gets no run whose script may not start: the refusal is recorded', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    const id = uuidv7()
    const other = Buffer.from(t.runtime.vault.seal('x', 'variable', uuidv7(), id))
    const { organizationId, id: serviceId } = service
    await t.db.insert(variables).values({ id, organizationId, serviceId, key: 'broken', type: 'secret', sealed: other })
    await world.queueRun(service, client.agent)
    expect(await world.poll(client)).toEqual([])
    expect(await resultsOf(t.db, service)).toMatchObject([{ status: 'failure' }])
  })

  test('notes when its key was used', async () => {
    const client = await world.enrol(null)
    await client.send('heartbeat', heartbeatOf(client.instance))
    const [key] = await t.db.select().from(agentKeys).where(eq(agentKeys.id, client.keys.keyId))
    expect(key?.lastUsedAt).not.toBeNull()
    expect(await t.db.select().from(results).where(eq(results.agentId, client.agent.id))).toEqual([])
  })
})

function heartbeatOf(instance: string) {
  const sentAt = new Date().toISOString()
  return { instance, slots: 8, busy: 1, cpu: 0.5, latenessMs: 3, sentAt, allowedNetworks: [], held: [] }
}
