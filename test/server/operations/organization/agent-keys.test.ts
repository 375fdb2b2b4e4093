import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { agentEnrolments, agentNonces } from '#db/schema/agents.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { agents } from '#db/schema/resources.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { type AgentGateway, createAgentGateway } from '#server/fronts/agents/gateway.ts'
import { PROTOCOL } from '#server/schemas/agents/protocol.ts'
import type { AgentKey } from '#server/schemas/organization/agent-keys.ts'
import {
  createKeys,
  enrolClient,
  nextAddress,
  type SignedClient,
  sendSigned,
} from '#test/support/agents/signed-client.ts'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Organization } from '#test/support/factories.ts'
import { createProbedService, requestRunOf } from '#test/support/runs/probed.ts'

const t = testDashboard({ SMTP_URL: 'smtp://127.0.0.1:1', BASE_URL: 'http://watch.example.com' })
let acme: Organization
let owner: Visitor
let gateway: AgentGateway
beforeAll(async () => {
  acme = await t.create.organization()
  owner = await t.signIn(acme.owner)
  gateway = createAgentGateway(t.runtime)
  return () => gateway.close()
})

type Enrolment = { token: string; expiresAt: string; command: string }
type Key = Pick<AgentKey, 'keyId' | 'name' | 'revokedAt' | 'createdBy'>

async function enrol(slug: string): Promise<Enrolment> {
  const { data } = await owner.post<Enrolment>('organization.agents.enrol', { slug, label: 'Berlin' })
  return data as Enrolment
}

async function beat({ send, instance }: SignedClient): Promise<void> {
  const sentAt = new Date().toISOString()
  const load = { slots: 1, busy: 0, cpu: 0, latenessMs: 0 }
  await send('heartbeat', { instance, ...load, sentAt, allowedNetworks: [], held: [] })
}

/** Queues a run of the organization on an agent. */
async function queueRun(slug: string): Promise<string> {
  const project = await t.create.project(await t.create.workspace(acme))
  const service = await t.create.service(project, { script: 'get("https://example.com/")', isActive: true })
  const { runId } = await requestRunOf(t.db, service)
  const [agent] = await t.db.select().from(agents).where(eq(agents.slug, slug))
  await t.db.update(runs).set({ agentId: agent!.id, state: 'queued' }).where(eq(runs.id, runId))
  return runId
}

describe('organization.agents.enrol', () => {
  test('creates the agent and shows a token once, which enrols one process', async () => {
    const { token, expiresAt, command } = await enrol('berlin')
    expect(command).toContain(`AGENT_TOKEN=${token}`)
    expect(Date.parse(expiresAt) - t.runtime.now().getTime()).toBeLessThanOrEqual(15 * 60_000)
    const client = await enrolClient(gateway, token)
    const { data } = await owner.get<Key[]>('organization.agents.keys', { slug: 'berlin' })
    expect(data).toMatchObject([{ keyId: client.keys.keyId, name: 'probe-1', revokedAt: null }])
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.organizationId, acme.id))
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['agent.create', 'agent.invite', 'agent.enrol']),
    )
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  test('answers an agent again that did not get the answer, also with a newer token, until its key is revoked', async () => {
    const { token } = await enrol('cologne')
    const keys = createKeys()
    const send = (token: string) => {
      const message = { token, publicKey: keys.publicKey, name: 'probe-1', version: '0.4.50', protocol: PROTOCOL }
      return sendSigned<{ keyId: string }>(gateway, keys, 'enrol', message, { address: nextAddress() })
    }
    const [first, atOnce] = await Promise.all([send(token), send(token)])
    expect(first).toMatchObject({
      status: 200,
      body: { agent: { slug: 'cologne' }, organization: { name: acme.name } },
    })
    expect(atOnce.body).toEqual(first.body)
    const newer = (await enrol('cologne')).token
    for (const again of [token, newer]) expect((await send(again)).body).toEqual(first.body)
    expect((await owner.get<Key[]>('organization.agents.keys', { slug: 'cologne' })).data).toHaveLength(1)
    const other = (await enrol('stuttgart')).token
    expect(await send(other)).toMatchObject({ status: 409, body: { error: 'already_exists' } })
    await owner.post('organization.agents.revoke', { slug: 'cologne', keyId: first.body.keyId })
    expect(await send(token)).toMatchObject({ status: 401, body: { error: 'enrolment_invalid' } })
  })

  test('an agent is remote from its enrolment on', async () => {
    const kindOf = async (slug: string) =>
      (await owner.get<{ kind: string }>('organization.agents.get', { slug })).data?.kind
    const { slug } = await t.create.agent({ organizationId: acme.id })
    const { token } = await enrol(slug)
    expect(await kindOf(slug)).toBe('in-house')
    await enrolClient(gateway, token)
    expect(await kindOf(slug)).toBe('remote')
    await enrol('bonn')
    // As upkeep does a day later.
    await t.db.delete(agentEnrolments)
    expect(await kindOf('bonn')).toBe('remote')
  })

  test('refuses the slug of an agent that is not the own one', async () => {
    const shared = await t.create.agent()
    expect(await owner.post('organization.agents.enrol', { slug: shared.slug })).toMatchObject({
      code: 'already_exists',
    })
  })
})

describe('keys of a member who may not enrol agents any more', () => {
  const mailsTo = async (to: string) => {
    const rows = await t.db.execute<{ payload: { subject: string; text: string } }>(sql`
      select j.payload from graphile_worker._private_jobs j where j.payload::jsonb ->> 'to' = ${to} order by j.id`)
    return rows.map(({ payload }) => payload)
  }
  const enrolAs = async (maker: Visitor, slug: string) => {
    const { data } = await maker.post<Enrolment>('organization.agents.enrol', { slug, label: slug })
    return enrolClient(gateway, data.token)
  }

  test.each([
    { event: 'removed', end: (userId: string) => owner.post('organization.members.remove', { userId }) },
    {
      event: 'disabled',
      end: (userId: string) => owner.post('organization.members.setActive', { userId, isActive: false }),
    },
  ])('are marked when the member is $event, counted on the page of agents, and told to the owner', async (given) => {
    const maker = await t.create.member(acme, { sections: { workspaces: 'write' } })
    const slug = `of-${given.event}`
    const { keys } = await enrolAs(await t.signIn(maker), slug)
    await enrolAs(owner, slug)
    const read = async () => {
      const { data } = await owner.get<Key[]>('organization.agents.keys', { slug })
      const agent = await owner.get<{ keysToRevoke: number }>('organization.agents.get', { slug })
      return { maker: data.find(({ keyId }) => keyId === keys.keyId)?.createdBy, count: agent.data.keysToRevoke }
    }
    const { userId, email } = maker
    expect(await read()).toEqual({ maker: { userId, email, isMember: true, mayEnrol: true }, count: 0 })
    const before = (await mailsTo(acme.owner.email)).length
    expect((await given.end(userId)).code).toBeUndefined()
    expect(await read()).toEqual({ maker: { userId, email, isMember: false, mayEnrol: false }, count: 1 })
    const [mail, ...others] = (await mailsTo(acme.owner.email)).slice(before)
    expect(others).toEqual([])
    expect(mail?.subject).toContain(`Agent keys of a ${given.event} member`)
    expect(mail?.text).toContain(`probe-1 (agent ${slug})`)
    expect(mail?.text).toContain('http://watch.example.com/agents')
    await owner.post('organization.agents.revoke', { slug, keyId: keys.keyId })
    expect((await read()).count).toBe(0)
  })

  test('are marked when the member loses the right, and the owner gets no mail without such keys', async () => {
    const maker = await t.create.member(acme, { sections: { workspaces: 'write' } })
    const { keys } = await enrolAs(await t.signIn(maker), 'lost-right')
    const before = (await mailsTo(acme.owner.email)).length
    const permissions = { workspaces: 'read' }
    await owner.post('organization.members.setPermissions', { userId: maker.userId, permissions })
    const { data } = await owner.get<Key[]>('organization.agents.keys', { slug: 'lost-right' })
    expect(data).toMatchObject([{ keyId: keys.keyId, createdBy: { isMember: true, mayEnrol: false } }])
    const other = await t.create.member(acme)
    expect((await owner.post('organization.members.remove', { userId: other.userId })).code).toBeUndefined()
    expect(await mailsTo(acme.owner.email)).toHaveLength(before)
  })
})

describe('organization.agents.revoke', () => {
  test('ends the key at once and queues its runs again', async () => {
    const { token } = await enrol('munich')
    const client = await enrolClient(gateway, token)
    await beat(client)
    const [worker] = await t.db.select().from(workers).where(eq(workers.keyId, client.keys.keyId))
    const service = await createProbedService(t.db, 'get("https://example.com/")')
    const { runId } = await requestRunOf(t.db, service)
    await t.db.update(runs).set({ state: 'running', workerId: worker!.id }).where(eq(runs.id, runId))
    const { keyId } = client.keys
    expect(await owner.post('organization.agents.revoke', { slug: 'munich', keyId })).toMatchObject({
      data: { ok: true },
    })
    const [run] = await t.db.select().from(runs).where(eq(runs.id, runId))
    expect(run).toMatchObject({ state: 'queued', workerId: null })
    const polled = await client.send('poll', { instance: client.instance, free: 1, waitSeconds: 0 })
    expect(polled).toMatchObject({ status: 403, body: { error: 'agent_revoked' } })
    expect(await owner.post('organization.agents.revoke', { slug: 'munich', keyId })).toMatchObject({
      code: 'not_found',
    })
  })

  test.each<{
    name: string
    slug: string
    end: (slug: string, keyId: string) => Promise<{ code: string | undefined }>
  }>([
    {
      name: 'is revoked',
      slug: 'bremen',
      end: (slug, keyId) => owner.post('organization.agents.revoke', { slug, keyId }),
    },
    {
      name: 'is switched off',
      slug: 'leipzig',
      end: (slug) => owner.post('organization.agents.setActive', { slug, isActive: false }),
    },
    { name: 'is removed', slug: 'dresden', end: (slug) => owner.post('organization.agents.remove', { slug }) },
  ])('a poll that waits while the agent $name gets none of its runs again', async ({ slug, end }) => {
    const client = await enrolClient(gateway, (await enrol(slug)).token)
    const { keyId } = client.keys
    await beat(client)
    const runId = await queueRun(slug)
    const [worker] = await t.db.select().from(workers).where(eq(workers.keyId, keyId))
    await t.db.update(runs).set({ state: 'running', workerId: worker!.id }).where(eq(runs.id, runId))
    const requests = () => t.db.$count(agentNonces, eq(agentNonces.keyId, keyId))
    const before = await requests()
    const polled = client.send('poll', { instance: client.instance, free: 1, waitSeconds: 20 })
    await expect.poll(requests, { timeout: 20_000 }).toBe(before + 1)
    expect((await end(slug, keyId)).code).toBeUndefined()
    expect(await polled).toMatchObject({ status: 403, body: { error: 'agent_revoked' } })
    const [run] = await t.db.select().from(runs).where(eq(runs.id, runId))
    expect(run).toMatchObject({ state: 'queued', workerId: null })
  })
})
