import { beforeAll, describe, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { grants, variables } from '#db/schema/scoped.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { unique } from '#test/support/factories.ts'
import { BROKEN_SCRIPT, SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn } from '#test/support/side-effects.ts'

const api = testApi()
const tree = testTree(api)

beforeAll(async () => {
  await api.create.agent({ organizationId: tree.organization.id })
})

type Caller = Awaited<ReturnType<typeof api.caller>>
type Input = Parameters<Caller['services']['createWhole']>[0]

const owner = () => api.caller(tree.organization.owner)
const whole = (given: Partial<Input>): Input => ({
  place: { projectId: tree.project.id },
  name: unique('Shop'),
  script: SCRIPT,
  ...given,
})

/** The numbers of everything that a creation can insert. */
async function counts() {
  const own = tree.organization.id
  return Promise.all(
    [workspaces, projects, services].map((table) => api.db.$count(table, eq(table.organizationId, own))),
  )
}

describe('services.createWhole', () => {
  test('creates a service in a project, switched on, with its first run requested', async () => {
    const created = await (await owner()).services.createWhole(whole({ label: 'critical', schedule: '*/10 * * * *' }))
    expect(created).toMatchObject({
      projectId: tree.project.id,
      label: 'critical',
      schedule: '*/10 * * * *',
      script: SCRIPT,
      isActive: true,
      version: 2,
    })
    const ofService = eq(runs.serviceId, created.id)
    expect(await api.db.$count(runs, and(ofService, eq(runs.cause, 'request')))).toBe(1)
    expect(await api.db.$count(schedules, eq(schedules.serviceId, created.id))).toBe(1)
    expect(await actionsOn(api.db, created.id)).toEqual([
      'service.create',
      'service.script',
      'service.enable',
      'service.run',
    ])
  })

  test('without a script creates a service that is off, and requests no run', async () => {
    const { script: _, ...input } = whole({})
    const created = await (await owner()).services.createWhole(input)
    expect(created).toMatchObject({ script: null, isActive: false, version: 1 })
    expect(await api.db.$count(runs, eq(runs.serviceId, created.id))).toBe(0)
    expect(await actionsOn(api.db, created.id)).toEqual(['service.create'])
  })

  test('creates the workspace and the project that it names', async () => {
    const names = { workspaceName: unique('Workspace'), projectName: unique('Project') }
    const created = await (await owner()).services.createWhole(whole({ place: names }))
    const [project] = await api.db.select().from(projects).where(eq(projects.id, created.projectId))
    expect(project).toMatchObject({ name: names.projectName })
    const workspaceId = project?.workspaceId as string
    expect(await (await owner()).workspaces.get({ id: workspaceId })).toMatchObject({ name: names.workspaceName })
    // As `workspaces.create` does: the creator hears of failures.
    expect(await api.db.$count(grants, eq(grants.workspaceId, workspaceId))).toBe(1)
    expect(await actionsOn(api.db, workspaceId)).toEqual(['workspace.create'])
    expect(await actionsOn(api.db, created.projectId)).toEqual(['project.create'])
  })

  test('schedules it at the local times of a time zone', async () => {
    const { services: operations } = await owner()
    const created = await operations.createWhole(whole({ schedule: '0 9 * * *', timezone: 'Europe/Berlin' }))
    expect(created).toMatchObject({ schedule: '0 9 * * *', timezone: 'Europe/Berlin' })
    await expect(operations.createWhole(whole({ timezone: 'Mars/Olympus' }))).rejects.toMatchObject({
      api: 'field_invalid',
      details: { field: 'timezone' },
    })
  })

  test('creates the project in a workspace', async () => {
    const place = { workspaceId: tree.workspace.id, projectName: unique('Project') }
    const created = await (await owner()).services.createWhole(whole({ place }))
    const project = await (await owner()).projects.get({ id: created.projectId })
    expect(project).toMatchObject({ name: place.projectName, workspaceId: tree.workspace.id })
  })

  test('names the field of a name that is taken, and creates nothing', async () => {
    const { services: operations } = await owner()
    const taken = await operations.createWhole(whole({}))
    const before = await counts()
    const refusals: [Partial<Input>, string][] = [
      [{ name: taken.name }, 'name'],
      [{ place: { workspaceId: tree.workspace.id, projectName: tree.project.name } }, 'projectName'],
      [{ place: { workspaceName: tree.workspace.name, projectName: 'New' } }, 'workspaceName'],
    ]
    for (const [given, field] of refusals) {
      await expect(operations.createWhole(whole(given))).rejects.toMatchObject({
        api: 'already_exists',
        details: { field },
      })
    }
    expect(await counts()).toEqual(before)
  })

  test('creates nothing when the script or the schedule is refused', async () => {
    const { services: operations } = await owner()
    const place = { workspaceName: unique('Workspace'), projectName: 'Project' }
    const before = await counts()
    await expect(operations.createWhole(whole({ place, script: BROKEN_SCRIPT }))).rejects.toMatchObject({
      api: 'field_invalid',
      details: { field: 'script' },
    })
    await expect(operations.createWhole(whole({ place, schedule: '* * * * *' }))).rejects.toMatchObject({
      api: 'unverified_domain_interval',
      details: { field: 'schedule' },
    })
    await expect(operations.createWhole(whole({ place, name: ' ' }))).rejects.toThrow()
    expect(await counts()).toEqual(before)
  })

  test('needs write where the service is to be', async () => {
    const { organization, workspace, project } = tree
    const reader = await api.caller(await api.create.member(organization, { sections: { workspaces: 'read' } }))
    const ofProject = await api.caller(
      await api.create.member(organization, { grants: [{ projectId: project.id, level: 2 }] }),
    )
    const inProject = whole({})
    const inWorkspace = whole({ place: { workspaceId: workspace.id, projectName: unique('P') } })
    const inNew = whole({ place: { workspaceName: unique('W'), projectName: 'P' } })
    await expect(reader.services.createWhole(inProject)).rejects.toMatchObject({ api: 'not_found' })
    await expect(reader.services.createWhole(inNew)).rejects.toMatchObject({ api: 'insufficient_permissions' })
    await expect(ofProject.services.createWhole(inWorkspace)).rejects.toMatchObject({ api: 'not_found' })
    await expect(ofProject.services.createWhole(inNew)).rejects.toMatchObject({ api: 'insufficient_permissions' })
    expect(await ofProject.services.createWhole(inProject)).toMatchObject({ isActive: true })
    const stranger = await api.caller((await api.create.organization()).owner)
    await expect(stranger.services.createWhole(inProject)).rejects.toMatchObject({ api: 'not_found' })
  })
})

describe('what belongs to a new service', () => {
  test('its secrets are created before the script that names them', async () => {
    const script =
      'get("https://example.com/", { headers: { Authorization: "Bearer $s.token", "X-Key": "$p.shop_key" } }).expect(status: 200)'
    const secrets = [
      { scope: 'service' as const, key: 'token', value: 'abc.def' },
      { scope: 'project' as const, key: 'shop_key', value: 'ghi' },
    ]
    const caller = await owner()
    const created = await caller.services.createWhole(whole({ script, secrets }))
    expect(created).toMatchObject({ script, isActive: true })
    const [ofService] = await api.db
      .select()
      .from(variables)
      .where(and(eq(variables.serviceId, created.id), eq(variables.key, 'token')))
    expect(ofService).toMatchObject({ type: 'secret', value: null })
    expect(
      api.runtime.vault.open(ofService?.sealed as Buffer, 'variable', tree.organization.id, ofService?.id as string),
    ).toBe('abc.def')
    expect(
      await api.db.$count(variables, and(eq(variables.projectId, tree.project.id), eq(variables.key, 'shop_key'))),
    ).toBe(1)
    expect(await actionsOn(api.db, ofService?.id as string)).toEqual(['variable.create'])
    // A second service with the same key of the project: nothing is created, and the field is named.
    const before = await counts()
    await expect(caller.services.createWhole(whole({ script, secrets }))).rejects.toMatchObject({
      api: 'already_exists',
      details: { field: 'secrets.1.key' },
    })
    expect(await counts()).toEqual(before)
  })

  test('its agents and its alert settings', async () => {
    const agent = await api.create.agent({ organizationId: tree.organization.id })
    const caller = await owner()
    const alerting = { confirmFailures: 3, recheckSeconds: 0 }
    const created = await caller.services.createWhole(whole({ agents: [agent.slug], alerting }))
    expect(await caller.services.agents.get({ id: created.id })).toEqual([agent.slug])
    expect((await caller.alerts.preview({ id: created.id })).settings).toMatchObject({
      ...alerting,
      confirmRecoveries: 1,
    })
    expect(await actionsOn(api.db, created.id)).toContain('service.agents')
    const before = await counts()
    await expect(caller.services.createWhole(whole({ agents: ['nowhere'] }))).rejects.toMatchObject({
      api: 'field_invalid',
      details: { field: 'agents', unknown: ['nowhere'] },
    })
    expect(await counts()).toEqual(before)
  })
})

describe('services.hearers', () => {
  test('counts who would hear, for members who may create the service', async () => {
    const { organization, workspace, project } = tree
    const writer = await api.caller(
      await api.create.member(organization, { grants: [{ projectId: project.id, level: 2 }] }),
    )
    const before = await (await owner()).services.hearers({ projectId: project.id })
    expect(await writer.services.hearers({ projectId: project.id })).toMatchObject({ isHeardByYou: true })
    await api.create.member(organization, { grants: [{ workspaceId: workspace.id, level: 1 }] })
    expect(await (await owner()).services.hearers({ projectId: project.id })).toMatchObject({
      others: before.others + 1,
    })
    await expect(writer.services.hearers({ workspaceId: workspace.id })).rejects.toMatchObject({ api: 'not_found' })
    const stranger = await api.caller((await api.create.organization()).owner)
    await expect(stranger.services.hearers({ projectId: project.id })).rejects.toMatchObject({ api: 'not_found' })
  })
})

describe('services.places', () => {
  test('lists what the member may write to', async () => {
    const { organization, workspace, project } = tree
    const other = await api.create.workspace(organization)
    const hidden = await api.create.project(other)
    const inside = { id: project.id, name: project.name, workspaceId: workspace.id, workspaceName: workspace.name }
    const placesOf = async (given: Parameters<typeof api.create.member>[1]) =>
      (await api.caller(await api.create.member(organization, given))).services.places()
    expect(await placesOf({ grants: [{ projectId: project.id, level: 2 }] })).toEqual({
      mayCreateWorkspaces: false,
      workspaces: [],
      projects: [inside],
    })
    expect(
      await placesOf({
        grants: [
          { workspaceId: other.id, level: 2 },
          { projectId: project.id, level: 1 },
        ],
      }),
    ).toEqual({
      mayCreateWorkspaces: false,
      workspaces: [{ id: other.id, name: other.name }],
      projects: [expect.objectContaining({ id: hidden.id })],
    })
    expect(await placesOf({ sections: { workspaces: 'read' } })).toEqual({
      mayCreateWorkspaces: false,
      workspaces: [],
      projects: [],
    })
    const all = await (await owner()).services.places()
    expect(all.mayCreateWorkspaces).toBe(true)
    expect(all.workspaces.map(({ id }) => id)).toEqual(expect.arrayContaining([workspace.id, other.id]))
  })
})
