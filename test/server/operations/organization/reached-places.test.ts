import { beforeAll, describe, expect, test } from 'vitest'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import { type Group, type Member, type Organization, unique } from '#test/support/factories.ts'

// What a group gives, what a member reaches and why, whom to ask, and what pickers find.

const t = testDashboard()
let acme: Organization
let owner: Visitor
let crew: Group
let ada: Member
let places: Awaited<ReturnType<typeof newPlaces>>

async function newPlaces() {
  const workspace = await t.create.workspace(acme, { name: unique('Shop') })
  const project = await t.create.project(workspace, { name: unique('Checkout') })
  return { workspace, project, service: await t.create.service(project, { name: unique('API') }) }
}

beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
  owner = await t.signIn(acme.owner)
  places = await newPlaces()
  const { workspace, project, service } = places
  crew = await t.create.group(acme, {
    name: 'Crew',
    sections: { domains: 'write' },
    grants: [
      { workspaceId: workspace.id, level: 2, notify: false },
      { projectId: project.id, level: 1 },
    ],
  })
  ada = await t.create.member(acme, {
    displayName: 'Ada',
    groups: [crew],
    sections: { domains: 'read' },
    grants: [{ serviceId: service.id, level: 1 }],
  })
})

const REFUSED = { status: 403, code: 'insufficient_permissions' }
const ABSENT = { status: 404, code: 'not_found' }
const reader = async () => t.signIn(await t.create.member(acme, { sections: { users: 'read' } }))

describe('organization.groups.get and grants', () => {
  test('show a group beyond the first page, and its grants with their places', async () => {
    const { workspace, project } = places
    expect((await owner.get('organization.groups.get', { groupId: crew.id })).data).toMatchObject({
      ...{ id: crew.id, name: 'Crew', memberCount: 1, permissions: { domains: 'write' } },
    })
    expect((await owner.get('organization.groups.grants', { groupId: crew.id })).data).toMatchObject({
      total: 2,
      items: [
        {
          resourceType: 'workspace',
          resourceId: workspace.id,
          name: workspace.name,
          path: null,
          permissions: 2,
          notify: false,
          mayWrite: true,
        },
        {
          resourceType: 'project',
          resourceId: project.id,
          name: project.name,
          path: workspace.name,
          permissions: 1,
          notify: true,
          mayWrite: true,
        },
      ],
    })
  })

  test('hide the names of places that the reader does not see, and need users read', async () => {
    const answer = await (await reader()).get('organization.groups.grants', { groupId: crew.id })
    expect(answer.data).toMatchObject({
      total: 2,
      items: [
        { resourceId: null, name: null, path: null, mayWrite: false },
        { resourceId: null, name: null, path: null, mayWrite: false },
      ],
    })
    const nobody = await t.signIn(await t.create.member(acme))
    expect(await nobody.get('organization.groups.grants', { groupId: crew.id })).toMatchObject(REFUSED)
    expect(await nobody.get('organization.groups.get', { groupId: crew.id })).toMatchObject(REFUSED)
    const other = await t.signIn((await t.create.organization()).owner)
    expect(await other.get('organization.groups.get', { groupId: crew.id })).toMatchObject(ABSENT)
    expect(await other.get('organization.groups.grants', { groupId: crew.id })).toMatchObject(ABSENT)
  })
})

describe('organization.members.get and access', () => {
  test('show the effective level of each section and each place, with every reason', async () => {
    const { workspace, project, service } = places
    const { userId } = ada
    expect((await owner.get('organization.members.get', { userId })).data).toMatchObject({
      displayName: 'Ada',
      sections: [
        {
          section: 'domains',
          level: 'write',
          sources: [
            { kind: 'own', group: null, level: 'read' },
            { kind: 'group', group: { id: crew.id, name: 'Crew' }, level: 'write' },
          ],
        },
      ],
    })
    const group = { id: crew.id, name: 'Crew' }
    const onWorkspace = { resourceType: 'workspace', name: workspace.name }
    expect((await owner.get('organization.members.access', { userId })).data).toEqual({
      items: [
        {
          ...{ resourceType: 'workspace', resourceId: workspace.id, name: workspace.name, path: null },
          ...{ permissions: 2, notify: false, hasOwnGrant: false, mayWrite: true },
          reasons: [{ group, above: null, permissions: 2, notify: false }],
        },
        {
          ...{ resourceType: 'project', resourceId: project.id, name: project.name, path: workspace.name },
          ...{ permissions: 2, notify: true, hasOwnGrant: false, mayWrite: true },
          reasons: [
            { group, above: null, permissions: 1, notify: true },
            { group, above: onWorkspace, permissions: 2, notify: false },
          ],
        },
        {
          ...{ resourceType: 'service', resourceId: service.id, name: service.name },
          ...{
            path: `${workspace.name} / ${project.name}`,
            permissions: 2,
            notify: true,
            hasOwnGrant: true,
            mayWrite: true,
          },
          reasons: [
            { group: null, above: null, permissions: 1, notify: true },
            { group, above: onWorkspace, permissions: 2, notify: false },
            { group, above: { resourceType: 'project', name: project.name }, permissions: 1, notify: true },
          ],
        },
      ].map(({ notify: _, ...place }) => place),
      ...{ total: 3, page: 1, pageSize: 50 },
    })
    expect((await owner.get('organization.members.access', { userId, page: 2, pageSize: 2 })).data).toMatchObject({
      ...{ total: 3, items: [{ resourceId: service.id }] },
    })
    expect((await owner.get('organization.members.get', { userId: acme.owner.userId })).data).toMatchObject({
      sections: expect.arrayContaining([
        { section: 'users', level: 'write', sources: [{ kind: 'owner', group: null, level: 'write' }] },
      ]),
    })
  })

  test('hide what the reader does not see, and need users read', async () => {
    const { userId } = ada
    const answer = await (await reader()).get<{ items: object[] }>('organization.members.access', { userId })
    expect(answer.data.items).toHaveLength(3)
    expect(answer.text).not.toContain(places.service.name)
    const nobody = await t.signIn(await t.create.member(acme))
    const other = await t.signIn((await t.create.organization()).owner)
    for (const name of ['organization.members.get', 'organization.members.access']) {
      expect(await nobody.get(name, { userId }), name).toMatchObject(REFUSED)
      expect(await other.get(name, { userId }), name).toMatchObject(ABSENT)
    }
  })
})

describe('the searches of pickers', () => {
  test('find members, groups and places beyond the first hundred by every word', async () => {
    await Promise.all(Array.from({ length: 101 }, () => t.create.group(acme, { name: unique('A group') })))
    await t.create.group(acme, { name: 'Zebra night shift' })
    await t.create.member(acme, { displayName: 'Zoe Zebra', email: 'zoe@zoo.example' })
    const found = (name: string, q: string) =>
      owner.get<{ items: { name?: string; displayName?: string }[] }>(name, { q })
    expect((await found('organization.groups.list', 'zebra shift')).data).toMatchObject({
      ...{ total: 1, items: [{ name: 'Zebra night shift' }] },
    })
    expect((await found('organization.groups.list', 'zebra day')).data).toMatchObject({ total: 0 })
    for (const q of ['zebra', 'ZOO.example']) {
      expect((await found('organization.members.list', q)).data).toMatchObject({
        ...{ total: 1, items: [{ displayName: 'Zoe Zebra' }] },
      })
    }
    const { workspace, project, service } = places
    const answer = await owner.get('access.places', { q: `${workspace.name} ${service.name}` })
    expect(answer.data).toEqual([
      {
        ...{ resourceType: 'service', resourceId: service.id, name: service.name },
        path: `${workspace.name} / ${project.name}`,
      },
    ])
    expect(await owner.get('access.places', { q: workspace.name })).toMatchObject({
      data: [{ resourceType: 'workspace', path: null }, { resourceType: 'project' }, { resourceType: 'service' }],
    })
  })

  test('find only places on which the member may write, or read', async () => {
    const { project, service } = places
    const someone = await t.signIn(
      await t.create.member(acme, {
        grants: [
          { serviceId: service.id, level: 2 },
          { projectId: project.id, level: 1 },
        ],
      }),
    )
    expect((await someone.get('access.places', {})).data).toMatchObject([{ resourceId: service.id }])
    expect((await someone.get('access.places', { level: 'read' })).data).toMatchObject([
      { resourceId: project.id },
      { resourceId: service.id },
    ])
  })
})

describe('organization.contacts and auth.me', () => {
  test('name the owner and who may write on all workspaces, also to members without any access', async () => {
    const organization = await t.create.organization()
    const admins = await t.create.group(organization, { sections: { workspaces: 'write' } })
    const ben = await t.create.member(organization, { displayName: 'Ben', groups: [admins] })
    await t.create.member(organization, { sections: { workspaces: 'write' }, isActive: false })
    await t.create.member(organization, { sections: { workspaces: 'read' } })
    const viewer = await t.signIn(await t.create.member(organization))
    expect((await viewer.get('organization.contacts')).data).toEqual([
      { name: expect.any(String), email: organization.owner.email, isOwner: true },
      { name: 'Ben', email: ben.email, isOwner: false },
    ])
    expect((await viewer.get('auth.me')).data).toMatchObject({ mayCreateServices: false, mayGrant: false })
  })

  test('say what a member may create and give', async () => {
    const { project, service } = places
    const rightsOf = async (level: 1 | 2, on: object) => {
      const visitor = await t.signIn(await t.create.member(acme, { grants: [{ ...on, level }] }))
      const { mayCreateServices, mayGrant } = (await visitor.get('auth.me')).data
      return { mayCreateServices, mayGrant }
    }
    expect(await rightsOf(2, { serviceId: service.id })).toEqual({ mayCreateServices: false, mayGrant: true })
    expect(await rightsOf(2, { projectId: project.id })).toEqual({ mayCreateServices: true, mayGrant: true })
    expect(await rightsOf(1, { projectId: project.id })).toEqual({ mayCreateServices: false, mayGrant: false })
    expect((await owner.get('auth.me')).data).toMatchObject({ mayCreateServices: true, mayGrant: true })
  })
})
