import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { agents } from '#db/schema/resources.ts'
import { assertionHours } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { execute, gatewayWorld } from '#test/support/agents/gateway-world.ts'
import { type Forgery, nextAddress, type SignedClient } from '#test/support/agents/signed-client.ts'
import { type ProbedService, resultsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const world = gatewayWorld()
const { t } = world
let target: HttpTarget
beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.writeHead(200).end('fine'))
})
afterAll(() => target.close())

const scriptOf = () => `get("${target.url}/")\n  .expect(status: 200)`

/** Stores secrets in the scope of the service, or of its organization. */
async function createSecrets(service: ProbedService, scope: 'o' | 's', values: Record<string, string>): Promise<void> {
  const { organizationId } = service
  for (const [key, value] of Object.entries(values)) {
    const id = uuidv7()
    const sealed = t.runtime.vault.seal(value, 'variable', organizationId, id)
    const serviceId = scope === 's' ? service.id : null
    await t.db.insert(variables).values({ id, organizationId, serviceId, key, type: 'secret', sealed })
  }
}

describe('an agent', () => {
  test('receives only the secrets and variables that the script of the run refers to', async () => {
    const script = `get("${target.url}/$s.path", { headers: { authorization: "Bearer \${$o.token}" } })`
    const service = await world.createService(script)
    await createSecrets(service, 'o', { token: 'referred-secret', unused: 'unused-secret' })
    await createSecrets(service, 's', { password: 'other-secret' })
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    expect(assignment?.variables).toEqual({
      values: { o: { token: 'referred-secret' }, w: {}, p: {}, s: {} },
      secrets: ['referred-secret'],
      restrictedSecrets: [],
    })
    const text = JSON.stringify(assignment)
    expect(text).not.toContain('unused-secret')
    expect(text).not.toContain('other-secret')
  })

  test('cannot store a secret that it did not mask, nor one that it does not know', async () => {
    const service = await world.createService(scriptOf())
    await createSecrets(service, 'o', { token: 'unmasked-secret' })
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    const upload = await execute(assignment!)
    const [call] = upload.probe!.calls
    call!.response!.headers['x-token'] = 'unmasked-secret'
    call!.warnings.push(`token=${Buffer.from('unmasked-secret').toString('base64')}`)
    call!.request!.url += '?t=unmasked-secret'
    expect((await client.send('results', upload)).status).toBe(200)
    const [result] = await resultsOf(t.db, service)
    const stored = JSON.stringify(result)
    expect(stored).toContain('x-token')
    expect(stored).not.toContain('unmasked-secret')
    expect(stored).not.toContain(Buffer.from('unmasked-secret').toString('base64'))
  })

  test('cannot name a condition otherwise than its script: sums of assertions stay as few as these', async () => {
    const service = await world.createService(`${scriptOf()}\n  .assert({ check: [this.status eq 200] })`)
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    const upload = await execute(assignment!)
    for (const one of upload.probe!.calls[0]!.assertions) if (one.method === 'assert') one.expression = uuidv7()
    expect((await client.send('results', upload)).status).toBe(200)
    const sums = await t.db.select().from(assertionHours).where(eq(assertionHours.serviceId, service.id))
    const conditions = sums.flatMap(({ definition }) => (definition.expression === undefined ? [] : [definition]))
    expect(conditions).toMatchObject([{ kind: 'check', expression: 'this.status eq 200' }])
  })

  test('shows markup and unknown fields of a result as data, and keeps no field that it invents', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const [assignment] = await world.poll(client)
    const upload = await execute(assignment!)
    upload.probe!.calls[0]!.response!.headers['x-markup'] = '<img src=x onerror=alert(1)>'
    const invented = { ...upload, organizationId: uuidv7(), probe: { ...upload.probe, agentSlug: 'other', score: 99 } }
    const body = Buffer.from(JSON.stringify(invented).replace('"score":99', '"__proto__":{"isAdmin":true}'))
    expect((await client.send('results', null, { body })).status).toBe(200)
    const [result] = await resultsOf(t.db, service)
    expect(result).toMatchObject({ organizationId: service.organizationId, agentSlug: client.agent.slug })
    expect(Object.keys(result?.raw ?? {}).sort()).toEqual(
      ['actions', 'calls', 'elapsedMs', 'endedAt', 'outcome', 'runVars', 'startedAt'].sort(),
    )
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(result?.steps[0]?.headers['x-markup']).toBe('<img src=x onerror=alert(1)>')
  })

  test('cannot move a result to another time, whatever its clock says', async () => {
    const service = await world.createService(scriptOf())
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    const before = Date.now()
    const [assignment] = await world.poll(client)
    const upload = await execute(assignment!)
    const startedAt = '2031-01-01T00:00:00.000Z'
    const probe = { ...upload.probe!, startedAt, elapsedMs: 3_000_000 }
    expect((await client.send('results', { ...upload, startedAt, probe })).status).toBe(200)
    const [result] = await resultsOf(t.db, service)
    expect(result?.startedAt.getTime()).toBeGreaterThan(before - 60_000)
    expect(result?.startedAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    expect(result?.runDurationMs).toBeLessThan(60_000)
  })
})

describe('two organizations', () => {
  test('never see each other’s runs: an agent gets those of its own organization only', async () => {
    const [acme, globex] = [await world.createService(scriptOf()), await world.createService('get("x")')]
    const client = await world.enrol(acme.organizationId)
    // A row that should not exist: a run of another organization in the agent's queue.
    const foreign = await world.queueRun(globex, client.agent)
    const own = await world.queueRun(acme, client.agent)
    expect((await world.poll(client)).map(({ id }) => id)).toEqual([own])
    expect(await t.db.select().from(runs)).toContainEqual(expect.objectContaining({ id: foreign, state: 'queued' }))
  })

  test('share the slots of a shared agent', async () => {
    const client = await world.enrol(null)
    const [acme, globex] = [await world.createService(scriptOf()), await world.createService(scriptOf())]
    // Eleven runs of one organization before the only one of the other.
    const rows = Array.from({ length: 11 }, (_, index) => ({
      ...{ id: uuidv7(), organizationId: acme.organizationId, serviceId: acme.id, agentId: client.agent.id },
      ...{ slot: new Date(Date.UTC(2026, 0, 1, 0, index)), cause: 'request' as const, state: 'queued' as const },
    }))
    await t.db.insert(runs).values(rows)
    const late = await world.queueRun(globex, client.agent)
    const assigned = await world.poll(client, 8)
    expect(assigned.map(({ id }) => id)).toContain(late)
    expect(assigned.length).toBeLessThan(8)
  })
})

describe('an address', () => {
  test('is refused after too many failures, before its signatures are looked at', async () => {
    const client = await world.enrol(null)
    const address = nextAddress()
    const bad = () => client.send('poll', {}, { address, keyId: uuidv7() })
    const statuses: number[] = []
    for (let count = 0; count < 61; count++) statuses.push((await bad()).status)
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 401))
    expect(statuses[60]).toBe(429)
  })

  test('is not refused for agents that are switched off, nor is an agent for the guesses of others', async () => {
    const [off, on] = [await world.enrol(null), await world.enrol(null)]
    await t.db.update(agents).set({ isActive: false }).where(eq(agents.id, off.agent.id))
    const address = nextAddress()
    const poll = async ({ send, instance }: SignedClient, forgery: Forgery = {}) =>
      (await send('poll', { instance, free: 1, waitSeconds: 0 }, { address, ...forgery })).status
    const ofSwitchedOff: number[] = []
    for (let count = 0; count < 61; count++) ofSwitchedOff.push(await poll(off))
    expect([ofSwitchedOff[0], ofSwitchedOff[60]]).toEqual([403, 429])
    expect(await poll(on)).toBe(200)
    for (let count = 0; count < 60; count++) await poll(on, { keyId: uuidv7() })
    expect(await poll(on, { keyId: uuidv7() })).toBe(429)
    expect(await poll(on)).toBe(200)
    for (let count = 0; count < 60; count++) await poll(on, { privateKey: off.keys.privateKey })
    expect(await poll(on)).toBe(429)
  })
})
