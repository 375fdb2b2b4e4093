import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { organizations, users } from '#db/schema/organizations.ts'
import { agents, serviceAgents } from '#db/schema/resources.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import { activeAgents } from '#server/operations/services/agents.ts'
import { DEATHS_MAX } from '#server/runs/probes/leases.ts'
import { eligibleAgents, NO_AGENT } from '#server/schedule/placement.ts'
import { PROTOCOL } from '#server/schemas/agents/protocol.ts'
import { execute, gatewayWorld } from '#test/support/agents/gateway-world.ts'
import { createKeys, nextAddress, type SignedClient, sendSigned } from '#test/support/agents/signed-client.ts'
import type { Member } from '#test/support/factories.ts'
import { type ProbedService, requestRunOf, resultsOf, runsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { reapQueue } from '#worker/runs/reap.ts'

const world = gatewayWorld()
const { t } = world
const SCRIPT = 'get("https://example.com/")'

function beat(client: SignedClient, more: object = {}) {
  const load = { slots: 4, busy: 0, cpu: 0, latenessMs: 0, allowedNetworks: [], held: [] }
  return client.send('heartbeat', { instance: client.instance, ...load, sentAt: new Date().toISOString(), ...more })
}

const eligible = async ({ id, organizationId }: ProbedService) =>
  ((await eligibleAgents(t.db, [{ organizationId, id }])).get(id) ?? []).map((agent) => agent.id)

const name = ({ id: serviceId, organizationId }: ProbedService, { id: agentId }: { id: string }) =>
  t.db.insert(serviceAgents).values({ serviceId, organizationId, agentId })

describe('an agent of an organization', () => {
  test('is not chosen for a service that names no agent, and with no shared agent the run waits for one', async () => {
    const service = await world.createService(SCRIPT)
    const client = await world.enrol(service.organizationId)
    await beat(client)
    expect(await eligible(service)).not.toContain(client.agent.id)
    await t.db.update(agents).set({ isActive: false }).where(eq(agents.slug, 'local'))
    await requestRunOf(t.db, service)
    expect(await runsOf(t.db, service)).toMatchObject([{ agentId: NO_AGENT.id, state: 'queued' }])
    expect(await world.poll(client)).toEqual([])

    const named = await world.createService(SCRIPT, {})
    const own = await world.enrol(named.organizationId)
    await beat(own)
    await name(named, own.agent)
    await requestRunOf(t.db, named)
    expect(await world.poll(own)).toMatchObject([{ serviceId: named.id }])
  })

  test('gets no queued run of a service that does not name it any more', async () => {
    const service = await world.createService(SCRIPT)
    const client = await world.enrol(service.organizationId)
    await world.queueRun(service, client.agent)
    await t.db.delete(serviceAgents).where(eq(serviceAgents.serviceId, service.id))
    expect(await world.poll(client)).toEqual([])
    await name(service, client.agent)
    expect(await world.poll(client)).toMatchObject([{ serviceId: service.id }])
  })

  test('ends its part of a run on all agents when the service does not name it any more', async () => {
    const service = await world.createService(SCRIPT, { probeMode: 'simultaneous' })
    const client = await world.enrol(service.organizationId)
    await beat(client)
    const id = await world.queueRun(service, client.agent)
    await t.db.update(runs).set({ createdAt: sql`now() - interval '10 seconds'` }).where(eq(runs.id, id))
    const reap = () => reapQueue(t.db, { variablesMax: 100 }, () => true)
    await reap()
    expect(await runsOf(t.db, service)).toMatchObject([{ state: 'queued' }])
    await t.db.delete(serviceAgents).where(eq(serviceAgents.serviceId, service.id))
    await reap()
    expect(await resultsOf(t.db, service)).toMatchObject([
      { status: 'skipped', summary: `the service no longer names the agent ${client.agent.slug}` },
    ])
  })

  test('has a slug of its own namespace: it hides a shared agent, and no other organization notices', async () => {
    const [one, other] = [await world.createService(SCRIPT), await world.createService(SCRIPT)]
    const slug = `eu-${randomUUID().slice(0, 8)}`
    const own = await t.create.agent({ slug, organizationId: one.organizationId })
    const shared = await t.create.agent({ slug })
    const theirs = await t.create.agent({ slug: `${slug}-x`, organizationId: other.organizationId })
    await t.create.agent({ slug: theirs.slug, organizationId: one.organizationId })
    const idsOf = async (organizationId: string) =>
      (await activeAgents(t.db, organizationId)).filter((agent) => agent.slug === slug).map(({ id }) => id)
    expect([await idsOf(one.organizationId), await idsOf(other.organizationId)]).toEqual([[own.id], [shared.id]])
    expect([await eligible(one), await eligible(other)]).toEqual([
      expect.not.arrayContaining([shared.id]),
      expect.arrayContaining([shared.id]),
    ])
    await expect(t.create.agent({ slug, organizationId: one.organizationId })).rejects.toThrow()
    await expect(t.create.agent({ slug })).rejects.toThrow()
  })
})

describe('an enrolment token', () => {
  const enrol = async (maker: Member) => {
    const agent = await t.create.agent({ organizationId: maker.organizationId })
    const { token } = await t.db.transaction((tx) => createEnrolment(tx, agent, maker.userId, t.runtime.now()))
    const keys = createKeys()
    const message = { token, publicKey: keys.publicKey, name: 'probe-1', version: '0.4.50', protocol: PROTOCOL }
    return () => sendSigned(world.gateway, keys, 'enrol', message, { address: nextAddress() })
  }

  test.each<{ title: string; set: string }>([
    { title: 'was removed', set: 'delete from memberships where id = $1' },
    { title: 'was disabled', set: 'update memberships set is_active = false where id = $1' },
    { title: 'lost the right', set: 'update memberships set section_workspaces = 1 where id = $1' },
  ])('ends when its maker $title', async ({ set }) => {
    const organization = await t.create.organization()
    const maker = await t.create.member(organization, { sections: { workspaces: 'write' } })
    const [first, second] = [await enrol(maker), await enrol(maker)]
    expect((await first()).status).toBe(200)
    await t.db.$client.unsafe(set, [maker.membershipId])
    expect(await second()).toMatchObject({ status: 401, body: { error: 'enrolment_invalid' } })
    expect((await world.auditOf(organization.id)).map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ reason: 'ended_token' }),
    )
  })

  test('waits while its maker must set up a second factor', async () => {
    const organization = await t.create.organization()
    const maker = await t.create.member(organization, { sections: { workspaces: 'write' } })
    const use = await enrol(maker)
    await t.db.update(organizations).set({ requireTotp: true }).where(eq(organizations.id, organization.id))
    expect(await use()).toMatchObject({ status: 401, body: { error: 'enrolment_invalid' } })
    await t.db.update(users).set({ totpEnrolledAt: new Date() }).where(eq(users.id, maker.userId))
    expect((await use()).status).toBe(200)
  })

  test('of a member who has the right by a group is valid', async () => {
    const organization = await t.create.organization()
    const group = await t.create.group(organization, { sections: { workspaces: 'write' } })
    const maker = await t.create.member(organization, { groups: [group] })
    expect((await (await enrol(maker))()).status).toBe(200)
  })
})

describe('a process that starts after another one with the same key', () => {
  let target: HttpTarget | null = null

  test('gives the runs of the former one back at once, and keeps those whose results it has', async () => {
    target ??= await startHttpTarget((_request, response) => response.end('{}'))
    const script = `get("${target.url}/").expect(status: 200)`
    const services = await Promise.all([world.createService(script), world.createService(script)])
    const client = await world.enrol(null)
    await beat(client)
    for (const service of services) await world.queueRun(service, client.agent)
    const assigned = await world.poll(client)
    expect(assigned).toHaveLength(2)
    const [finished, lost] = assigned as [(typeof assigned)[number], (typeof assigned)[number]]
    const upload = await execute(finished)

    const next = { ...client, instance: randomUUID() }
    const held = [{ id: finished.id, attempt: finished.attempt }]
    expect((await beat(next, { former: client.instance, held })).body).toMatchObject({ held })
    expect(await t.db.$count(workers, eq(workers.agentId, client.agent.id))).toBe(1)
    expect(await world.poll(next)).toMatchObject([{ id: lost.id, attempt: 2 }])
    expect(await next.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    const [run] = await t.db.select().from(runs).where(eq(runs.id, lost.id))
    expect(run).toMatchObject({ state: 'running', deaths: 1 })
    await target.close()
  })

  test('does not repeat for ever a run whose processes die', async () => {
    const service = await world.createService(SCRIPT)
    const client = await world.enrol(null)
    const id = await world.queueRun(service, client.agent)
    await beat(client)
    await world.poll(client)
    await t.db
      .update(runs)
      .set({ deaths: DEATHS_MAX - 1 })
      .where(eq(runs.id, id))
    const next = { ...client, instance: randomUUID() }
    await beat(next, { former: client.instance })
    expect(await world.poll(next)).toEqual([])
    const [run] = await t.db.select().from(runs).where(eq(runs.id, id))
    expect(run).toMatchObject({ state: 'running', workerId: null })
    expect(run?.leaseUntil?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('takes nothing from a process of another key', async () => {
    const service = await world.createService(SCRIPT)
    const client = await world.enrol(null)
    const id = await world.queueRun(service, client.agent)
    await beat(client)
    await world.poll(client)
    const thief = await world.enrol(null)
    await beat(thief, { former: client.instance })
    const [run] = await t.db.select().from(runs).where(eq(runs.id, id))
    expect(run).toMatchObject({ state: 'running', attempt: 1, workerId: expect.any(String) })
  })
})
