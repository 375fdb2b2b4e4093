import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { webhooks } from '#db/schema/webhooks.ts'
import { testApi } from '#test/support/api/api.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createResult } from '#test/support/runs/results.ts'
import { statementsOf } from '#test/support/statements.ts'

const api = testApi()

/** Admission, the counts of API calls, and the settings of a new connection. */
const NOT_OF_OPERATIONS = /api_keys|key_usage|rate_limits|set_config/

async function newWorld() {
  const organization = await api.create.organization()
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const service = await api.create.service(project)
  return { organization, workspace, project, service, key: await api.create.key(organization.owner) }
}
type World = Awaited<ReturnType<typeof newWorld>>

async function addWebhook({ organization }: World): Promise<string> {
  const id = uuidv7()
  const row = { id, organizationId: organization.id, name: id, method: 'POST', sealed: Buffer.from('-') }
  await api.db.insert(webhooks).values(row)
  return id
}

async function addServiceThatRan({ project }: Pick<World, 'project'>): Promise<void> {
  await createResult(api.db, await api.create.service(project))
}

async function post({ key }: World, path: string, body: object, query: Record<string, string> = {}): Promise<void> {
  expect((await api.call(key, 'POST', path, { body, query })).status).toBeLessThan(300)
}

type List = [path: string, query: (world: World) => Record<string, string>, add: (world: World) => Promise<unknown>]
const ofWorkspace = ({ workspace }: World) => ({ resourceType: 'workspace', resourceId: workspace.id })
const ofProject = ({ project }: World) => ({ projectId: project.id })
const nothing = () => ({})

const LISTS: List[] = [
  ['/workspaces', nothing, ({ organization }) => api.create.workspace(organization)],
  [
    '/projects',
    ({ workspace }) => ({ workspaceId: workspace.id }),
    async ({ workspace }) => addServiceThatRan({ project: await api.create.project(workspace) }),
  ],
  ['/services', ({ project }) => ({ projectId: project.id }), addServiceThatRan],
  ['/services/{service}/results', nothing, ({ service }) => createResult(api.db, service)],
  [
    '/services/{service}/runs',
    nothing,
    ({ service }) => createResult(api.db, service, { runId: uuidv7(), cause: 'schedule' }),
  ],
  [
    '/services/{service}/variables',
    nothing,
    (world) => post(world, `/services/${world.service.id}/variables`, { key: `k${uuidv7().slice(-8)}`, value: 'x' }),
  ],
  ['/incidents', nothing, async ({ project }) => createIncident(api.db, await api.create.service(project))],
  ['/members', nothing, ({ organization }) => api.create.member(organization)],
  ['/groups', nothing, ({ organization }) => api.create.group(organization)],
  ['/webhooks', nothing, addWebhook],
  [
    '/webhooks/bindings',
    ofWorkspace,
    async (world) => post(world, '/webhooks/bindings', { webhookId: await addWebhook(world) }, ofWorkspace(world)),
  ],
  ['/maintenances', ofProject, (world) => post(world, '/maintenances', { projectId: world.project.id, minutes: 20 })],
  [
    '/silences',
    nothing,
    async (world) => {
      const { id } = await api.create.service(world.project)
      await post(world, '/silences', { channel: 'all', serviceId: id })
    },
  ],
]

async function statementsFor(key: World['key'], path: string, query: Record<string, string> = {}): Promise<number> {
  const sent = await statementsOf(async () => {
    expect((await api.call(key, 'GET', path, { query })).status).toBe(200)
  })
  return sent.filter((text) => text !== '' && !NOT_OF_OPERATIONS.test(text)).length
}

describe('a list sends as many statements for six rows as for two, at most four', () => {
  test.each(LISTS)('GET %s', async (path, query, add) => {
    const world = await newWorld()
    const at = path.replace('{service}', world.service.id)
    const read = () => statementsFor(world.key, at, query(world))
    for (let rows = 0; rows < 2; rows++) await add(world)
    // From the first read on, the process knows the key.
    await read()
    const few = await read()
    for (let rows = 0; rows < 4; rows++) await add(world)
    expect(await read()).toBeLessThanOrEqual(few)
    expect(few).toBeLessThanOrEqual(4)
  })
})

test('a service is one statement, and a page of services two', async () => {
  const { key, project, service } = await newWorld()
  await addServiceThatRan({ project })
  // From the first read on, the process knows the key.
  await statementsFor(key, `/services/${service.id}`)
  expect(await statementsFor(key, `/services/${service.id}`)).toBe(1)
  expect(await statementsFor(key, '/services', { projectId: project.id })).toBe(2)
})
