import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { projects, services } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { createAgentGateway } from '#server/fronts/agents/gateway.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import { returnLeasesOfKey } from '#server/identity/auth/agent-leases.ts'
import { enrolClient } from '#test/support/agents/signed-client.ts'
import { testApi } from '#test/support/api/api.ts'
import { auditOf } from '#test/support/side-effects.ts'
import { deleteWorkers } from '#worker/heartbeat.ts'

// A deletion and the deletion of the workspace around it lock from the top, so that neither fails with a deadlock. The
// removal of an agent locks the agent before what belongs to it.

const api = testApi()

async function makeWorld() {
  const organization = await api.create.organization()
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const service = await api.create.service(project)
  const key = await api.create.key(organization.owner)
  const agent = await api.create.agent({ organizationId: organization.id })
  const setAgents = () => api.call(key, 'PUT', `/services/${service.id}/agents`, { body: { slugs: [agent.slug] } })
  const remove = (path: string) => api.call(key, 'DELETE', path)
  const caller = await api.caller(organization.owner)
  const removeAgent = () => caller.organization.agents.remove({ slug: agent.slug, replaceWith: null })
  return { workspace, project, service, key, agent, remove, setAgents, removeAgent, caller }
}

const lockService = (tx: Tx, id: string) =>
  tx.select({ id: services.id }).from(services).where(eq(services.id, id)).for('update')
const lockProject = (tx: Tx, id: string) =>
  tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for('update')

/** Starts the requests one after the other, each when the former waits for a lock, while `lock` is held. */
async function queueBehind<T>(lock: (tx: Tx) => Promise<unknown>, requests: (() => Promise<T>)[]) {
  const started = await api.db.transaction(async (tx) => {
    await lock(tx)
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const pending: Promise<PromiseSettledResult<T>>[] = []
    // Not by `tx`: a transaction does not see connections that open after its first look.
    for (const request of requests) {
      pending.push(Promise.allSettled([request()]).then(([outcome]) => outcome))
      await expect.poll(async () => (await api.db.execute(waiting)).length, { timeout: 20_000 }).toBe(pending.length)
    }
    return { pending }
  })
  return Promise.all(started.pending)
}

test('of a service', async () => {
  const { workspace, service, remove } = await makeWorld()
  const outcomes = await queueBehind(
    (tx) => lockService(tx, service.id),
    [() => remove(`/services/${service.id}`), () => remove(`/workspaces/${workspace.id}`)],
  )
  expect(outcomes).toMatchObject([{ value: { status: 200 } }, { value: { status: 200 } }])
})

test('of a project', async () => {
  const { workspace, project, service, remove } = await makeWorld()
  const outcomes = await queueBehind(
    (tx) => lockService(tx, service.id),
    [() => remove(`/projects/${project.id}`), () => remove(`/workspaces/${workspace.id}`)],
  )
  expect(outcomes).toMatchObject([{ value: { status: 200 } }, { value: { status: 200 } }])
})

test('of several services', async () => {
  const { workspace, service, remove, caller } = await makeWorld()
  const outcomes = await queueBehind<unknown>(
    (tx) => lockService(tx, service.id),
    [() => caller.services.bulk.remove({ ids: [service.id] }), () => remove(`/workspaces/${workspace.id}`)],
  )
  expect(outcomes).toMatchObject([
    { value: { services: [{ serviceId: service.id, outcome: 'changed' }] } },
    { value: { status: 200 } },
  ])
})

test('of a service that two members delete at once: one of them has deleted it', async () => {
  const { service, caller } = await makeWorld()
  const remove = () => caller.services.bulk.remove({ ids: [service.id] })
  const outcomes = await queueBehind((tx) => lockService(tx, service.id), [remove, remove])
  expect(outcomes).toMatchObject([
    { value: { services: [{ outcome: 'changed' }] } },
    { value: { services: [{ outcome: 'skipped', reason: 'not_found' }] } },
  ])
  expect((await auditOf(api.db, service.id)).map(({ action }) => action)).toEqual(['service.delete'])
})

test('of the project to which an undo would move a service back', async () => {
  const { workspace, project, service, remove, caller } = await makeWorld()
  const other = await api.create.project(workspace)
  const { services: moved } = await caller.services.bulk.move({ ids: [service.id], projectId: other.id })
  const changes = moved.flatMap(({ serviceId, undo }) => (undo ? [{ serviceId, ...undo }] : []))
  const outcomes = await queueBehind<unknown>(
    (tx) => lockProject(tx, project.id),
    [() => remove(`/projects/${project.id}`), () => caller.services.bulk.undo({ changes })],
  )
  expect(outcomes).toMatchObject([
    { value: { status: 200 } },
    { value: { services: [{ serviceId: service.id, outcome: 'skipped', reason: 'not_found' }] } },
  ])
})

test('while a service moves to another project of the workspace', async () => {
  const { workspace, service, remove, caller } = await makeWorld()
  const other = await api.create.project(workspace)
  const outcomes = await queueBehind<unknown>(
    (tx) => lockService(tx, service.id),
    [
      () => caller.services.bulk.move({ ids: [service.id], projectId: other.id }),
      () => remove(`/workspaces/${workspace.id}`),
    ],
  )
  expect(outcomes).toMatchObject([
    { value: { services: [{ serviceId: service.id, outcome: 'changed' }] } },
    { value: { status: 200 } },
  ])
})

describe.each([
  ['project', '$p'],
  ['service', '$s'],
] as const)('of a %s', (scope, prefix) => {
  test.each(['PATCH', 'DELETE'] as const)('while a variable of it that a script names has a %s', async (method) => {
    const world = await makeWorld()
    const { service, remove, key } = world
    const resource = `/${scope}s/${world[scope].id}`
    await api.db
      .update(services)
      .set({ script: `get("${prefix}.host")` })
      .where(eq(services.id, service.id))
    const variable = { key: 'host', type: 'variable', value: 'https://shop.example' }
    const { body } = await api.call(key, 'POST', `${resource}/variables`, { body: variable })
    const change = () =>
      api.call(key, method, `${resource}/variables/${body.id}`, {
        ...(method === 'PATCH' && { body: { value: 'https://cart.example' } }),
      })
    const outcomes = await queueBehind((tx) => lockService(tx, service.id), [() => remove(resource), change])
    expect(outcomes).toMatchObject([{ value: { status: 200 } }, { value: { status: 404 } }])
  })
})

test('of a service while its settings of alerts change, of which one is stored', async () => {
  const { service, remove, caller } = await makeWorld()
  const rechecks = { confirmRecoveries: 1, recheckSeconds: 10, recheckWrites: false }
  const settings = { id: service.id, ...rechecks, confirmFailures: 3, alertOnRecovery: false, remindMinutes: 0 }
  await caller.alerts.configure(settings)
  await api.db.delete(variables).where(and(eq(variables.serviceId, service.id), eq(variables.key, 'alertOnRecovery')))
  const outcomes = await queueBehind<unknown>(
    (tx) => lockService(tx, service.id),
    [() => remove(`/services/${service.id}`), () => caller.alerts.configure(settings)],
  )
  expect(outcomes).toMatchObject([{ value: { status: 200 } }, { reason: { api: 'not_found' } }])
})

test('while the service is restored', async () => {
  const { workspace, project, service, remove, caller } = await makeWorld()
  await caller.services.remove({ id: service.id })
  const outcomes = await queueBehind<unknown>(
    (tx) => lockProject(tx, project.id),
    [() => remove(`/workspaces/${workspace.id}`), () => caller.deletions.restore({ id: service.id })],
  )
  expect(outcomes).toMatchObject([{ value: { status: 200 } }, { reason: { api: 'not_found' } }])
})

test('of an agent that a service is set to', async () => {
  const { service, setAgents, removeAgent } = await makeWorld()
  expect(await setAgents()).toMatchObject({ status: 200 })
  const outcomes = await queueBehind<unknown>((tx) => lockService(tx, service.id), [setAgents, removeAgent])
  expect(outcomes).toMatchObject([{ value: { status: 200 } }, { value: { switchedOffTotal: 0 } }])
})

test('of an agent whose process ends', async () => {
  const { agent, removeAgent } = await makeWorld()
  const id = uuidv7()
  await api.db.insert(workers).values({ id, agentId: agent.id, poolId: '', host: 'h', pid: 0, kind: 'agent' })
  const outcomes = await queueBehind<unknown>(
    (tx) => tx.select().from(workers).where(eq(workers.id, id)).for('update'),
    [() => deleteWorkers(api.db, sql`w.id = ${id}`), removeAgent],
  )
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
})

test('of a remote agent that sends heartbeats', async () => {
  const { agent, removeAgent } = await makeWorld()
  const gateway = createAgentGateway(api.runtime)
  onTestFinished(gateway.close)
  const { token } = await api.db.transaction((tx) => createEnrolment(tx, agent, null, new Date()))
  const client = await enrolClient(gateway, token)
  const beat = (allowedNetworks: string[]) => {
    const sentAt = new Date().toISOString()
    const load = { slots: 8, busy: 0, cpu: 0, latenessMs: 0 }
    return client.send('heartbeat', { instance: client.instance, ...load, sentAt, allowedNetworks, held: [] })
  }
  expect(await beat(['10.0.0.0/8'])).toMatchObject({ status: 200 })
  const ofKey = eq(workers.keyId, client.keys.keyId)
  const outcomes = await queueBehind<unknown>(
    (tx) => tx.select().from(workers).where(ofKey).for('update'),
    [() => beat(['192.168.0.0/16']), removeAgent],
  )
  expect(outcomes).toMatchObject([{ value: { status: 200 } }, { status: 'fulfilled' }])
})

test('of a remote agent whose former processes are forgotten', async () => {
  const { agent, removeAgent } = await makeWorld()
  const key = { id: uuidv7(), agentId: agent.id, publicKey: randomBytes(32), name: 'h', createdAt: new Date() }
  await api.db.insert(agentKeys).values(key)
  const row = { agentId: agent.id, keyId: key.id, poolId: '', host: 'h', pid: 0, kind: 'agent' as const }
  await api.db.insert(workers).values({ id: uuidv7(), ...row })
  const outcomes = await queueBehind<unknown>(
    (tx) => tx.select().from(workers).where(eq(workers.keyId, key.id)).for('update'),
    [() => returnLeasesOfKey(api.db, key.id), removeAgent],
  )
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
})
