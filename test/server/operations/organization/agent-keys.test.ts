import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditEntries } from '#db/schema/audit.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { type AgentGateway, createAgentGateway } from '#server/agents/serve.ts'
import { enrolClient } from '#test/support/agents/signed-client.ts'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Organization } from '#test/support/factories.ts'
import { createProbedService, requestRunOf } from '#test/support/runs/probed.ts'

const t = testDashboard()
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
type Key = { keyId: string; name: string; revokedAt: string | null }

async function enrol(slug: string): Promise<Enrolment> {
  const { data } = await owner.post<Enrolment>('organization.agents.enrol', { slug, label: 'Berlin' })
  return data as Enrolment
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

  test('refuses the slug of an agent that is not the own one', async () => {
    const shared = await t.create.agent()
    expect(await owner.post('organization.agents.enrol', { slug: shared.slug })).toMatchObject({
      code: 'already_exists',
    })
  })
})

describe('organization.agents.revoke', () => {
  test('ends the key at once and queues its runs again', async () => {
    const { token } = await enrol('munich')
    const client = await enrolClient(gateway, token)
    const sentAt = new Date().toISOString()
    const load = { slots: 1, busy: 0, cpu: 0, latenessMs: 0 }
    await client.send('heartbeat', { instance: client.instance, ...load, sentAt, allowedNetworks: [], held: [] })
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

  test('does not reach the agent of another organization', async () => {
    const { token } = await enrol('hamburg')
    const client = await enrolClient(gateway, token)
    const other = await t.create.organization()
    const stranger = await t.signIn(other.owner)
    const input = { slug: 'hamburg', keyId: client.keys.keyId }
    expect(await stranger.post('organization.agents.revoke', input)).toMatchObject({ code: 'not_found' })
    expect(await stranger.get('organization.agents.keys', { slug: 'hamburg' })).toMatchObject({ code: 'not_found' })
  })
})
