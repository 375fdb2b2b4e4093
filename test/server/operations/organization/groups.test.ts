import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { groupMembers, groups } from '#db/schema/organizations.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { buildRequest } from '#test/support/api/api.ts'
import { randomAddress, testDashboard, testOrganization, type Visitor } from '#test/support/browser/dashboard.ts'
import { type MemberOptions, unique } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const t = testDashboard()
const acme = testOrganization(t)

const member = (options: MemberOptions = {}) => t.create.member(acme, options)
const manager = async (options: MemberOptions = {}) =>
  t.signIn(await member({ ...options, sections: { users: 'write', ...options.sections } }))
const REFUSED = { status: 403, code: 'insufficient_permissions' }
const ABSENT = { status: 404, code: 'not_found' }

describe('organization.groups.create', () => {
  test('returns the group, whose members get its levels', async () => {
    const name = unique('Crew')
    const answer = await acme.visitor.post<{ id: string }>('organization.groups.create', {
      name: ` ${name} `,
      permissions: { domains: 'write', settings: 'read' },
      requireTotp: false,
    })
    expect(answer.data).toEqual({ id: expect.any(String), name, memberCount: 0 })
    const someone = await member()
    await acme.visitor.post('organization.groups.addMember', { groupId: answer.data.id, userId: someone.userId })
    const visitor = await t.signIn(someone)
    expect((await visitor.get('auth.me')).data).toMatchObject({ sections: { domains: 'write', settings: 'read' } })
    expect(await actionsOn(t.db, answer.data.id)).toEqual(['group.create', 'group.add_member'])
  })

  test('refuses a taken name, malformed input, and more than the maker holds', async () => {
    const { name } = await t.create.group(acme)
    const post = (by: Visitor, input: object) => by.post('organization.groups.create', input)
    expect(await post(acme.visitor, { name, permissions: {} })).toMatchObject({ status: 409, code: 'already_exists' })
    expect(await post(acme.visitor, { name: ' ', permissions: {} })).toMatchObject({ details: { field: 'name' } })
    expect(await post(acme.visitor, { name: unique('g') })).toMatchObject({ details: { field: 'permissions' } })
    expect(await post(acme.visitor, { name: unique('g'), permissions: { all: 'write' } })).toMatchObject({
      status: 400,
    })
    const maker = await manager({ sections: { webhooks: 'read' } })
    expect((await post(maker, { name: unique('g'), permissions: { webhooks: 'read' } })).status).toBe(200)
    expect(await post(maker, { name: unique('g'), permissions: { webhooks: 'write' } })).toMatchObject(REFUSED)
    const reader = await t.signIn(await member({ sections: { users: 'read' } }))
    expect(await post(reader, { name: unique('g'), permissions: {} })).toMatchObject(REFUSED)
  })
})

describe('organization.groups.list and members', () => {
  test('show levels, counts and members in pages', async () => {
    const organization = await t.create.organization()
    const crew = await t.create.group(organization, { name: 'Crew', sections: { users: 'read' }, requireTotp: true })
    await t.create.group(organization, { name: 'Watch' })
    const mia = await t.create.member(organization, { displayName: 'Mia', groups: [crew], isActive: false })
    const ada = await t.create.member(organization, { displayName: 'Ada', groups: [crew] })
    const visitor = await t.signIn(organization.owner)
    expect((await visitor.get('organization.groups.list')).data).toMatchObject({
      total: 2,
      items: [
        {
          id: crew.id,
          name: 'Crew',
          memberCount: 2,
          requireTotp: true,
          permissions: { users: 'read', orgAdmin: 'none' },
        },
        { name: 'Watch', memberCount: 0, requireTotp: false },
      ],
    })
    expect((await visitor.get('organization.groups.members', { groupId: crew.id })).data).toEqual({
      items: [
        { userId: ada.userId, displayName: 'Ada', email: ada.email, isActive: true },
        { userId: mia.userId, displayName: 'Mia', email: mia.email, isActive: false },
      ],
      total: 2,
      page: 1,
      pageSize: 50,
    })
    expect(await acme.visitor.get('organization.groups.members', { groupId: crew.id })).toMatchObject(ABSENT)
    expect(await acme.visitor.get('organization.groups.members', {})).toMatchObject({ details: { field: 'groupId' } })
  })
})

describe('organization.groups.update', () => {
  const update = (by: Visitor, groupId: string, input: object) =>
    by.post('organization.groups.update', { groupId, ...input })

  test('changes the given fields and keeps the others', async () => {
    const group = await t.create.group(acme, { sections: { users: 'read', domains: 'read' } })
    const name = unique('Renamed')
    const changed = await update(acme.visitor, group.id, { name, permissions: { domains: 'none', webhooks: 'write' } })
    expect(changed.data).toMatchObject({
      id: group.id,
      name,
      requireTotp: false,
      permissions: { users: 'read', domains: 'none', webhooks: 'write' },
    })
    expect((await update(acme.visitor, group.id, { requireTotp: true })).data).toMatchObject({
      name,
      requireTotp: true,
    })
    expect((await update(acme.visitor, group.id, {})).data).toMatchObject({ name, requireTotp: true })
    expect(await auditOf(t.db, group.id)).toMatchObject([
      {
        action: 'group.update',
        details: {
          name: { from: group.name, to: name },
          permissions: { from: { domains: 'read', webhooks: 'none' }, to: { domains: 'none', webhooks: 'write' } },
        },
      },
      { action: 'group.update', details: { requireTotp: { from: false, to: true } } },
      { action: 'group.update', details: { changed: false } },
    ])
  })

  test('raises nothing above the changer, and leaves groups of administrators to administrators', async () => {
    const group = await t.create.group(acme, { sections: { settings: 'write' } })
    const changer = await manager({ groups: [group], sections: { webhooks: 'read' } })
    expect(await update(changer, group.id, { permissions: { webhooks: 'write' } })).toMatchObject(REFUSED)
    expect(await update(changer, group.id, { permissions: { orgAdmin: 'read' } })).toMatchObject(REFUSED)
    expect((await update(changer, group.id, { permissions: { webhooks: 'read' } })).status).toBe(200)
    const admins = await t.create.group(acme, { sections: { orgAdmin: 'write' } })
    expect(await update(changer, admins.id, { permissions: { orgAdmin: 'none' } })).toMatchObject(REFUSED)
  })

  test('refuses a taken name', async () => {
    const [first, second] = [await t.create.group(acme), await t.create.group(acme)]
    expect(await update(acme.visitor, first.id, { name: second.name })).toMatchObject({
      status: 409,
      code: 'already_exists',
    })
  })
})

describe('organization.groups.remove', () => {
  const remove = (by: Visitor, groupId: string) => by.post('organization.groups.remove', { groupId })

  test('takes from its members what it gave', async () => {
    const group = await t.create.group(acme, { sections: { settings: 'read' } })
    const visitor = await t.signIn(await member({ groups: [group] }))
    expect((await visitor.get('organization.settings.get')).status).toBe(200)
    expect((await remove(acme.visitor, group.id)).data).toEqual({ ok: true })
    expect((await visitor.get('organization.settings.get')).code).toBe('insufficient_permissions')
    expect(await remove(acme.visitor, group.id)).toMatchObject(ABSENT)
    expect(await actionsOn(t.db, group.id)).toEqual(['group.remove'])
  })

  test('leaves groups of administrators to administrators', async () => {
    const admins = await t.create.group(acme, { sections: { orgAdmin: 'read' } })
    expect(await remove(await manager(), admins.id)).toMatchObject(REFUSED)
    expect(await t.db.$count(groups, eq(groups.id, admins.id))).toBe(1)
  })
})

describe('organization.groups.addMember and removeMember', () => {
  const add = (by: Visitor, groupId: string, userId: string) =>
    by.post('organization.groups.addMember', { groupId, userId })
  const remove = (by: Visitor, groupId: string, userId: string) =>
    by.post('organization.groups.removeMember', { groupId, userId })

  test('add once, and take out', async () => {
    const group = await t.create.group(acme)
    const { userId, membershipId } = await member()
    for (let i = 0; i < 2; i++) expect((await add(acme.visitor, group.id, userId)).data).toEqual({ ok: true })
    expect(await t.db.$count(groupMembers, eq(groupMembers.membershipId, membershipId))).toBe(1)
    expect((await remove(acme.visitor, group.id, userId)).data).toEqual({ ok: true })
    expect(await remove(acme.visitor, group.id, userId)).toMatchObject(ABSENT)
    expect(await actionsOn(t.db, group.id)).toEqual(['group.add_member', 'group.remove_member'])
  })

  test("add nobody to a group with more than the actor's own levels, not even the actor", async () => {
    const me = await member({ sections: { users: 'write', settings: 'read' } })
    const adder = await t.signIn(me)
    const workspace = await t.create.workspace(acme)
    const project = await t.create.project(workspace)
    const service = await t.create.service(project)
    const beyond = [
      await t.create.group(acme, { sections: { settings: 'write' } }),
      await t.create.group(acme, { sections: { orgAdmin: 'read' } }),
      await t.create.group(acme, { grants: [{ workspaceId: workspace.id, level: 1 }] }),
      await t.create.group(acme, { grants: [{ projectId: project.id, level: 2 }] }),
      await t.create.group(acme, { grants: [{ serviceId: service.id, level: 1 }] }),
    ]
    for (const group of beyond) expect(await add(adder, group.id, me.userId)).toMatchObject(REFUSED)
    const within = await t.create.group(acme, { sections: { settings: 'read' } })
    expect((await add(adder, within.id, me.userId)).status).toBe(200)
    for (const group of beyond) expect((await add(acme.visitor, group.id, me.userId)).status).toBe(200)
  })

  test('add to groups whose grants the actor has too', async () => {
    const workspace = await t.create.workspace(acme)
    const project = await t.create.project(workspace)
    const service = await t.create.service(project)
    const { userId } = await member()
    const adder = await manager({ grants: [{ workspaceId: workspace.id, level: 2 }] })
    for (const grant of [{ workspaceId: workspace.id }, { projectId: project.id }, { serviceId: service.id }]) {
      const group = await t.create.group(acme, { grants: [{ ...grant, level: 2 }] })
      expect((await add(adder, group.id, userId)).status).toBe(200)
    }
    const reader = await manager({ sections: { workspaces: 'read' } })
    const reading = await t.create.group(acme, { grants: [{ serviceId: service.id, level: 1 }] })
    expect((await add(reader, reading.id, userId)).status).toBe(200)
    const writing = await t.create.group(acme, { grants: [{ serviceId: service.id, level: 2 }] })
    expect(await add(reader, writing.id, userId)).toMatchObject(REFUSED)
  })

  test('take no one out of a group of administrators without being one', async () => {
    const admins = await t.create.group(acme, { sections: { orgAdmin: 'write' } })
    const { userId } = await member({ groups: [admins] })
    expect(await remove(await manager(), admins.id, userId)).toMatchObject(REFUSED)
    expect((await remove(acme.visitor, admins.id, userId)).status).toBe(200)
  })
})

describe('administrators in a group', () => {
  const post = (by: Visitor, operation: string, input: object) => by.post(`organization.groups.${operation}`, input)
  const enrolled = async (sections: MemberOptions['sections']) =>
    t.signIn(await member({ sections: { users: 'write', ...sections } }))

  /** The owner, one by own levels, and one through another group, each in a group that gives nothing of that. */
  async function mixedGroups() {
    const admins = await t.create.group(acme, { sections: { orgAdmin: 'write' } })
    const owner = await t.create.group(acme, { sections: { webhooks: 'read' } })
    await post(acme.visitor, 'addMember', { groupId: owner.id, userId: acme.owner.userId })
    const byLevels = await t.create.group(acme, { sections: { webhooks: 'read' } })
    const admin = await member({ sections: { orgAdmin: 'write' }, groups: [byLevels] })
    const byGroup = await t.create.group(acme, { sections: { webhooks: 'read' } })
    const other = await member({ groups: [admins, byGroup] })
    return [
      { group: owner, userId: acme.owner.userId },
      { group: byLevels, userId: admin.userId },
      { group: byGroup, userId: other.userId },
    ]
  }

  test('are beyond members who are none: their group is not changed, deleted or left for them', async () => {
    const visitor = await enrolled({ webhooks: 'write' })
    const ordinary = await member()
    for (const { group, userId } of await mixedGroups()) {
      const groupId = group.id
      for (const [operation, input] of [
        ['update', { requireTotp: true }],
        ['update', { permissions: { webhooks: 'none' } }],
        ['update', { permissions: { webhooks: 'write' } }],
        ['removeMember', { userId }],
        ['remove', {}],
      ] as const) {
        expect(await post(visitor, operation, { groupId, ...input })).toMatchObject(REFUSED)
      }
      // What does not act on them is allowed.
      expect((await post(visitor, 'update', { groupId, name: unique('g'), requireTotp: false })).status).toBe(200)
      for (const operation of ['addMember', 'removeMember']) {
        expect((await post(visitor, operation, { groupId, userId: ordinary.userId })).status).toBe(200)
      }
    }
  })

  test('keep their keys: members who are none add them to no group', async () => {
    const visitor = await enrolled({})
    const strict = await t.create.group(acme, { requireTotp: true })
    for (const { userId } of await mixedGroups()) {
      expect(await post(visitor, 'addMember', { groupId: strict.id, userId })).toMatchObject(REFUSED)
    }
    const key = await t.create.key(acme.owner)
    expect(
      (await createFacade(t.runtime)(buildRequest(key, 'GET', '/key', {}), { address: randomAddress() })).status,
    ).toBe(200)
  })

  test('may be acted on by administrators', async () => {
    const visitor = await enrolled({ orgAdmin: 'write', webhooks: 'write' })
    for (const { group, userId } of await mixedGroups()) {
      const groupId = group.id
      expect((await post(visitor, 'update', { groupId, permissions: { webhooks: 'write' } })).status).toBe(200)
      expect((await post(visitor, 'removeMember', { groupId, userId })).status).toBe(200)
      expect((await post(visitor, 'addMember', { groupId, userId })).status).toBe(200)
      expect((await post(visitor, 'remove', { groupId })).status).toBe(200)
    }
  })
})
