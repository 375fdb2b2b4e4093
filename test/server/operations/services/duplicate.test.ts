import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { serviceAgents } from '#db/schema/resources.ts'
import { schedules } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { unique } from '#test/support/factories.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()
const tree = testTree(api)

async function makeService() {
  const caller = await api.caller(tree.organization.owner)
  const created = await caller.services.create({ projectId: tree.project.id, name: unique('Shop'), script: SCRIPT })
  const { id } = created
  await caller.services.update({
    id,
    label: 'critical',
    schedule: '*/15 * * * *',
    timezone: 'Asia/Tokyo',
    probeMode: 'random',
  })
  const agent = await api.create.agent({ organizationId: tree.organization.id })
  await caller.services.agents.set({ id, slugs: [agent.slug] })
  const key = await api.create.key(tree.organization.owner)
  for (const body of [
    { key: 'base', type: 'variable', value: 'https://shop.example' },
    { key: 'token', type: 'secret', value: 's3cret' },
    { key: 'limit', type: 'metric', value: '7' },
  ]) {
    const { status } = await api.call(key, 'POST', `/services/${id}/variables`, { body })
    expect(status).toBe(200)
  }
  await api.db.update(variables).set({ value: '3' }).where(eq(variables.key, 'confirmFailures'))
  return { caller, id, service: await caller.services.get({ id }) }
}

describe('services.duplicate', () => {
  test('copies script, settings, agents and variables, and names the secrets that it leaves out', async () => {
    const { caller, id, service } = await makeService()
    const { service: copy, omittedSecrets } = await caller.services.duplicate({ id, name: unique('Copy') })
    expect(omittedSecrets).toEqual(['token'])
    const { label, schedule, timezone, probeMode, script, projectId } = service
    expect(timezone).toBe('Asia/Tokyo')
    expect(copy).toMatchObject({ label, schedule, timezone, probeMode, script, projectId })
    expect(copy).toMatchObject({ isActive: false, lastStatus: null })
    expect(await api.db.$count(schedules, eq(schedules.serviceId, copy.id))).toBe(0)
    expect(await api.db.$count(serviceAgents, eq(serviceAgents.serviceId, copy.id))).toBe(1)
    const rows = await api.db.select().from(variables).where(eq(variables.serviceId, copy.id))
    const values = rows.map((row) => [
      row.key,
      row.sealed ? api.runtime.vault.open(row.sealed, 'variable', row.organizationId, row.id) : row.value,
    ])
    expect(Object.fromEntries(values)).toMatchObject({
      base: 'https://shop.example',
      limit: '7',
      confirmFailures: '3',
      confirmRecoveries: '1',
      recheckSeconds: '10',
      recheckWrites: 'false',
    })
    expect(rows.map(({ key }) => key)).not.toContain('token')
    expect((await auditOf(api.db, copy.id))[0]).toMatchObject({
      action: 'service.create',
      details: { copyOf: id },
    })
  })

  test('into another project, under a name that is free there', async () => {
    const { caller, id, service } = await makeService()
    const other = await api.create.project(tree.workspace)
    await expect(caller.services.duplicate({ id, name: service.name })).rejects.toThrow()
    const { service: copy } = await caller.services.duplicate({ id, name: service.name, projectId: other.id })
    expect(copy).toMatchObject({ name: service.name, projectId: other.id })
  })

  test('needs write on the service and on the project', async () => {
    const { id } = await makeService()
    const other = await api.create.project(await api.create.workspace(tree.organization))
    const callerWith = async (grants: NonNullable<Parameters<typeof api.create.member>[1]>['grants']) =>
      api.caller(await api.create.member(tree.organization, { grants: grants ?? [] }))
    const reader = await callerWith([
      { serviceId: id, level: 1 },
      { projectId: other.id, level: 2 },
    ])
    const ofService = await callerWith([{ serviceId: id, level: 2 }])
    for (const caller of [reader, ofService]) {
      const refused = caller.services.duplicate({ id, name: unique('Copy'), projectId: other.id })
      await expect(refused).rejects.toMatchObject({ api: 'not_found' })
    }
  })
})
