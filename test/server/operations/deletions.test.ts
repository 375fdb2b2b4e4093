import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, getTableName, sql } from '#db/drizzle.cjs'
import { follows } from '#db/schema/alerts.ts'
import { deletedRows, deletions } from '#db/schema/deletions.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { grants, silences, variables } from '#db/schema/scoped.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { reseal } from '#server/commands/resealing.ts'
import { parseSettings } from '#server/process/settings.ts'
import type { Service } from '#server/schemas/services.ts'
import { KEPT_TABLES } from '#server/services/deletion-rows.ts'
import { createVault } from '#server/vault.ts'
import { testApi } from '#test/support/api/api.ts'
import { unique } from '#test/support/factories.ts'
import { createResult, setState } from '#test/support/runs/results.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn, clearJobsOf } from '#test/support/side-effects.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

const OLD = { id: 'old', secret: 'o'.repeat(32) }
const api = testApi({ settings: { SECRET_KEYS: `${OLD.id}:${OLD.secret}` } })

beforeAll(async () => {
  await api.create.agent()
})

type Caller = Awaited<ReturnType<typeof api.caller>>

/** A new organization with a service that has rows in every table that is kept. */
async function makeWorld() {
  const organization = await api.create.organization()
  const { owner } = organization
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const caller = await api.caller(owner)
  const service = await caller.services.create({ projectId: project.id, name: unique('Shop'), script: SCRIPT })
  const { db } = api
  const [organizationId, serviceId] = [organization.id, service.id]
  const member = await api.create.member(organization, { grants: [{ serviceId, level: 2 }] })
  const agent = await api.create.agent({ organizationId })
  await db.insert(serviceAgents).values({ organizationId, serviceId, agentId: agent.id })
  const secretId = uuidv7()
  const sealed = createVault([OLD]).seal('s3cret', 'variable', organizationId, secretId)
  await db.insert(variables).values({ id: secretId, organizationId, serviceId, key: 'token', type: 'secret', sealed })
  const webhookId = uuidv7()
  const config = createVault([OLD]).seal('{}', 'webhook', organizationId, webhookId)
  await db.insert(webhooks).values({ id: webhookId, organizationId, name: unique('Hook'), sealed: config })
  await db.insert(webhookBindings).values({ id: uuidv7(), organizationId, serviceId, webhookId })
  const own = { organizationId, serviceId, membershipId: member.membershipId }
  await db.insert(follows).values({ id: uuidv7(), ...own })
  await db.insert(silences).values({ id: uuidv7(), ...own, channel: 'email' })
  const held = { id: uuidv7(), organizationId, serviceId, mode: 'mute' as const, createdBy: member.membershipId }
  const at = { startsAt: new Date(), endsAt: new Date(Date.now() + 3_600_000) }
  await db.insert(maintenances).values({ ...held, ...at, createdName: 'Ada' })
  await createResult(db, { id: serviceId, organizationId })
  await setState(db, { id: serviceId, organizationId }, { lastStatus: 'failure', isAlerting: true, probesTotal: 1 })
  return { organization, owner, workspace, project, service, member, caller, secretId, webhookId }
}

/** Every row of the tables that are kept, of the service. */
async function rowsOf(serviceId: string): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {}
  for (const name of ['services', 'schedules', ...KEPT_TABLES.map(({ table }) => getTableName(table))]) {
    const key = name === 'services' ? sql`id` : sql`service_id`
    const found = await api.db.execute<{ row: Record<string, unknown> }>(sql`
      select to_jsonb(t) as row from ${sql.identifier(name)} t where ${key} = ${serviceId} order by to_jsonb(t)::text`)
    // A schedule is made again, with the next slot.
    rows[name] = name === 'schedules' ? found.length : found.map(({ row }) => row)
  }
  return rows
}

async function deleted(caller: Caller) {
  return (await caller.deletions.list({})).items
}

test('every table that a deletion empties is kept, or is none of the configuration', async () => {
  const rows = await api.db.execute<{ name: string }>(sql`
    select distinct c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.confdeltype = 'c' and c.confrelid in ('services'::regclass, 'projects'::regclass)`)
  const kept = KEPT_TABLES.map(({ table }) => getTableName(table))
  const expected = [...kept, 'services', 'draft_runs', 'project_tokens']
  expect(rows.map(({ name }) => name).sort()).toEqual(expected.sort())
  // The only other thing that a deletion sets off empties `schedules` and `runs`.
  const triggers = await api.db.execute<{ name: string }>(sql`
    select tgname as name from pg_trigger
    where not tgisinternal and tgtype & 8 = 8 and tgrelid in ('services'::regclass, 'projects'::regclass)`)
  expect(triggers.map(({ name }) => name)).toEqual(['services_delete_schedule_and_runs'])
})

describe('a deleted service', () => {
  test('comes back with everything that it had', async () => {
    const { service, caller } = await makeWorld()
    const [before, shown] = [await rowsOf(service.id), await caller.services.get({ id: service.id })]
    for (const rows of Object.values(before)) expect(rows).not.toEqual([])
    await caller.services.remove({ id: service.id })
    for (const rows of Object.values(await rowsOf(service.id))) expect([0, []]).toContainEqual(rows)
    // Scripts stay where they are, like results: they can be many.
    expect(await api.db.$count(scriptVersions, eq(scriptVersions.serviceId, service.id))).toBe(1)
    expect(await api.db.$count(deletedRows, eq(deletedRows.table, 'script_versions'))).toBe(0)
    expect(await caller.deletions.restore({ id: service.id })).toEqual({
      type: 'service',
      id: service.id,
      name: service.name,
      isRenamed: false,
    })
    expect(await rowsOf(service.id)).toEqual(before)
    expect(await caller.services.get({ id: service.id })).toEqual(shown)
    expect((await caller.results.list({ id: service.id })).total).toBe(1)
    expect(await clearJobsOf(api.db, service.id)).toBe(0)
    expect((await actionsOn(api.db, service.id)).slice(-2)).toEqual(['service.delete', 'service.restore'])
    expect(await api.db.$count(deletions)).toBe(0)
    expect(await api.db.$count(deletedRows)).toBe(0)
    await expect(caller.deletions.restore({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
  })

  test('is gone for the API at once, and its name is free', async () => {
    const { organization, project, service, caller } = await makeWorld()
    const key = await api.create.key(organization.owner)
    expect((await api.call(key, 'DELETE', `/services/${service.id}`)).status).toBe(200)
    expect((await api.call(key, 'GET', `/services/${service.id}`)).status).toBe(404)
    const { body: list } = await api.call<{ total: number }>(key, 'GET', '/services', {
      query: { projectId: project.id },
    })
    expect(list.total).toBe(0)
    const { body: metrics } = await api.call<{ counters: { probesTotal: number } }>(
      key,
      'GET',
      `/metrics/projects/${project.id}`,
    )
    expect(metrics.counters?.probesTotal ?? 0).toBe(0)
    const again = { projectId: project.id, name: service.name }
    const { body: taken } = await api.call<Service>(key, 'POST', '/services', { body: again })
    expect(await caller.deletions.restore({ id: service.id })).toMatchObject({
      name: `${service.name} (restored)`,
      isRenamed: true,
    })
    expect(await caller.services.get({ id: service.id })).toMatchObject({ name: `${service.name} (restored)` })
    expect(await caller.services.get({ id: taken.id })).toMatchObject({ name: service.name })
  })

  test('leaves out what refers to members, groups, webhooks and agents that are gone', async () => {
    const { owner, service, member, caller, webhookId } = await makeWorld()
    await caller.services.remove({ id: service.id })
    await caller.organization.members.remove({ userId: member.userId })
    await api.db.execute(sql`delete from webhooks where id = ${webhookId}`)
    await api.db.execute(sql`delete from agents where organization_id = ${owner.organizationId}`)
    await caller.deletions.restore({ id: service.id })
    for (const table of [grants, follows, silences, webhookBindings, serviceAgents]) {
      expect(await api.db.$count(table, sql`service_id = ${service.id}`)).toBe(0)
    }
    expect(await caller.services.get({ id: service.id })).toMatchObject({ isActive: true })
  })

  test('keeps its secrets when the keys are rotated meanwhile', async () => {
    const { organization, service, caller, secretId } = await makeWorld()
    await caller.services.remove({ id: service.id })
    const next = { id: 'next', secret: 'n'.repeat(32) }
    const done = await reseal(api.db, createVault([next, OLD]))
    expect(done.flatMap(({ failed }) => failed)).not.toContain(secretId)
    await caller.deletions.restore({ id: service.id })
    const [row] = await api.db.select().from(variables).where(sql`id = ${secretId}`)
    const opened = createVault([next]).open(row?.sealed as Buffer, 'variable', organization.id, secretId)
    expect(opened).toBe('s3cret')
  })

  test('ends after seven days, or when a member deletes it for good', async () => {
    const [old, young, purged] = [await makeWorld(), await makeWorld(), await makeWorld()]
    for (const { caller, service } of [old, young, purged]) await caller.services.remove({ id: service.id })
    await api.db.execute(sql`update deletions set created_at = now() - interval '7 days 1 minute'
      where service_id = ${old.service.id}`)
    await api.db.execute(sql`update deletions set created_at = now() - interval '6 days 23 hours'
      where service_id = ${young.service.id}`)
    await upkeep(api.db, parseSettings({}))
    await purged.caller.deletions.purge({ id: purged.service.id })
    const jobs = await Promise.all([old, young, purged].map(({ service }) => clearJobsOf(api.db, service.id)))
    expect(jobs).toEqual([1, 0, 1])
    for (const { caller, service } of [old, purged]) {
      expect(await deleted(caller)).toEqual([])
      await expect(caller.deletions.restore({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
    }
    await young.caller.deletions.restore({ id: young.service.id })
  })

  test('is listed and restored by those who may write to its project', async () => {
    const { organization, owner, workspace, project, service, member } = await makeWorld()
    await (await api.caller(owner)).services.remove({ id: service.id })
    // A grant on the service itself is deleted with it.
    const granted = await api.caller(member)
    expect(await deleted(granted)).toEqual([])
    await expect(granted.deletions.restore({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
    const can = async (given: Parameters<typeof api.create.member>[1]) => {
      const caller = await api.caller(await api.create.member(organization, given))
      const listed = (await deleted(caller)).length === 1
      const restored = await caller.deletions.purge({ id: uuidv7() }).catch(() => null)
      expect(restored).toBeNull()
      return { caller, listed }
    }
    const refused = [
      { sections: { workspaces: 'read' as const } },
      { grants: [{ workspaceId: workspace.id, level: 1 as const }] },
      { grants: [{ projectId: project.id, level: 1 as const }] },
      {},
    ]
    for (const given of refused) {
      const { caller, listed } = await can(given)
      expect(listed).toBe(false)
      await expect(caller.deletions.restore({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
      await expect(caller.deletions.purge({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
    }
    const stranger = await api.caller((await api.create.organization()).owner)
    await expect(stranger.deletions.restore({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
    expect((await can({ grants: [{ workspaceId: workspace.id, level: 2 }] })).listed).toBe(true)
    const { caller, listed } = await can({ grants: [{ projectId: project.id, level: 2 }] })
    expect(listed).toBe(true)
    expect(await caller.deletions.restore({ id: service.id })).toMatchObject({ type: 'service' })
  })

  test('is restored by the member who deleted it by a grant on the service', async () => {
    const { organization, service, member } = await makeWorld()
    const granted = await api.caller(member)
    await granted.services.remove({ id: service.id })
    const other = await api.caller(await api.create.member(organization, {}))
    expect(await deleted(other)).toEqual([])
    await expect(other.deletions.restore({ id: service.id })).rejects.toMatchObject({ api: 'not_found' })
    expect(await deleted(granted)).toMatchObject([{ resourceId: service.id, isRestorable: true }])
    await granted.deletions.restore({ id: service.id })
    expect(await granted.services.get({ id: service.id })).toMatchObject({ name: service.name })
  })

  test('is restored once, by one of many requests', async () => {
    const { service, caller } = await makeWorld()
    await caller.services.remove({ id: service.id })
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, () => caller.deletions.restore({ id: service.id })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a deleted project', () => {
  test('is restored by the member who deleted it by a grant on the project, not by one on a service', async () => {
    const { organization, project, service, member } = await makeWorld()
    const manager = await api.create.member(organization, { grants: [{ projectId: project.id, level: 2 }] })
    const granted = await api.caller(manager)
    await granted.projects.remove({ id: project.id })
    expect(await deleted(await api.caller(member))).toEqual([])
    expect(await deleted(granted)).toMatchObject([{ resourceId: project.id }])
    await granted.deletions.restore({ id: project.id })
    expect(await granted.services.get({ id: service.id })).toMatchObject({ name: service.name })
  })

  test('comes back with its services, after which services deleted before can come back too', async () => {
    const { project, workspace, service, caller } = await makeWorld()
    const other = await caller.services.create({ projectId: project.id, name: 'Other', script: SCRIPT })
    const before = await rowsOf(service.id)
    await caller.services.remove({ id: other.id })
    await caller.projects.remove({ id: project.id })
    expect((await deleted(caller)).map(({ type, name, isRestorable }) => [type, name, isRestorable])).toEqual([
      ['project', project.name, true],
      ['service', 'Other', false],
    ])
    await expect(caller.deletions.restore({ id: other.id })).rejects.toMatchObject({ api: 'not_found' })
    const taken = await caller.projects.create({ workspaceId: workspace.id, name: project.name })
    expect(await caller.deletions.restore({ id: project.id })).toMatchObject({
      type: 'project',
      name: `${project.name} (restored)`,
    })
    expect(await rowsOf(service.id)).toEqual(before)
    await caller.deletions.restore({ id: other.id })
    expect((await caller.services.list({ projectId: project.id })).total).toBe(2)
    expect((await caller.services.list({ projectId: taken.id })).total).toBe(0)
    expect((await actionsOn(api.db, project.id)).slice(-2)).toEqual(['project.delete', 'project.restore'])
  })

  test('leaves services deleted before, which can be deleted for good', async () => {
    const { project, service, caller } = await makeWorld()
    await caller.services.remove({ id: service.id })
    await caller.projects.remove({ id: project.id })
    await caller.deletions.purge({ id: service.id })
    expect((await deleted(caller)).map(({ resourceId }) => resourceId)).toEqual([project.id])
  })

  test('ends with its workspace, and so do the services deleted before', async () => {
    const { project, workspace, service, caller } = await makeWorld()
    const other = await caller.services.create({ projectId: project.id, name: 'Other', script: SCRIPT })
    await caller.services.remove({ id: other.id })
    await caller.projects.remove({ id: project.id })
    await caller.workspaces.remove({ id: workspace.id })
    expect(await deleted(caller)).toEqual([])
    expect([await clearJobsOf(api.db, service.id), await clearJobsOf(api.db, other.id)]).toEqual([1, 1])
  })
})

test('services deleted together come back one by one', async () => {
  const { project, service, caller } = await makeWorld()
  const other = await caller.services.create({ projectId: project.id, name: 'Other', script: SCRIPT })
  await caller.services.bulk.remove({ ids: [service.id, other.id] })
  expect((await deleted(caller)).map(({ resourceId }) => resourceId).sort()).toEqual([service.id, other.id].sort())
  await caller.deletions.restore({ id: other.id })
  expect((await caller.services.list({ projectId: project.id })).items.map(({ id }) => id)).toEqual([other.id])
})
