import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { apiKeys } from '#db/schema/credentials.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { buildRequest, readAnswer } from '#test/support/api/api.ts'
import { randomAddress, testDashboard, testOrganization, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Member, MemberOptions } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const t = testDashboard()
const acme = testOrganization(t)

const member = (options: MemberOptions = {}) => t.create.member(acme, options)
const signedIn = async (options: MemberOptions) => t.signIn(await member(options))
const REFUSED = { status: 403, code: 'insufficient_permissions' }
const ABSENT = { status: 404, code: 'not_found' }

async function callWith(token: string) {
  return readAnswer(await createFacade(t.runtime)(buildRequest(token, 'GET', '/key', {}), { address: randomAddress() }))
}

async function memberActionsOn(userId: string): Promise<string[]> {
  return (await actionsOn(t.db, userId)).filter((action) => action.startsWith('member.'))
}

describe('organization.members.list', () => {
  test('shows every member with their own levels and their groups', async () => {
    const organization = await t.create.organization()
    const crew = await t.create.group(organization, { name: 'Crew', sections: { settings: 'write' } })
    const mia = await t.create.member(organization, {
      displayName: 'Mia',
      sections: { users: 'read' },
      groups: [crew],
      isActive: false,
      hasTotp: true,
    })
    const visitor = await t.signIn(organization.owner)
    const { data } = await visitor.get<{ items: object[] }>('organization.members.list', { pageSize: 10 })
    expect(data).toMatchObject({ total: 2, page: 1, pageSize: 10 })
    expect(data.items.find((m) => (m as { userId: string }).userId === mia.userId)).toEqual({
      userId: mia.userId,
      displayName: 'Mia',
      email: mia.email,
      isActive: false,
      isOwner: false,
      hasTotp: true,
      permissions: {
        users: 'read',
        settings: 'none',
        domains: 'none',
        webhooks: 'none',
        orgAdmin: 'none',
        workspaces: 'none',
      },
      groups: [{ id: crew.id, name: 'Crew' }],
      joinedAt: expect.any(String),
    })
    expect((await visitor.get('organization.members.list', { page: 2, pageSize: 1 })).data).toMatchObject({ total: 2 })
  })

  test('needs users read', async () => {
    expect((await (await signedIn({ sections: { users: 'read' } })).get('organization.members.list')).status).toBe(200)
    expect(await (await signedIn({})).get('organization.members.list')).toMatchObject(REFUSED)
  })
})

describe('organization.members.setPermissions', () => {
  const set = (by: Visitor, userId: string, permissions: object) =>
    by.post('organization.members.setPermissions', { userId, permissions })

  test('sets the sections named and leaves the others', async () => {
    const { userId } = await member({ sections: { users: 'read', domains: 'write' } })
    const answer = await set(acme.visitor, userId, { users: 'write', domains: 'none', webhooks: 'read' })
    expect(answer.data).toMatchObject({
      userId,
      permissions: { users: 'write', settings: 'none', domains: 'none', webhooks: 'read' },
    })
    expect((await set(acme.visitor, userId, {})).data).toMatchObject({ permissions: { users: 'write' } })
    expect(await auditOf(t.db, userId)).toMatchObject([
      {
        action: 'member.set_permissions',
        details: {
          permissions: {
            from: { users: 'read', domains: 'write', webhooks: 'none' },
            to: { users: 'write', domains: 'none', webhooks: 'read' },
          },
        },
      },
      { action: 'member.set_permissions', details: { changed: false } },
    ])
  })

  test('needs orgAdmin write', async () => {
    const { userId } = await member()
    const weak = await signedIn({ sections: { users: 'write', orgAdmin: 'read' } })
    expect(await set(weak, userId, { users: 'none' })).toMatchObject(REFUSED)
  })

  test('gives no more than the giver holds, to themself neither', async () => {
    const me = await member({ sections: { orgAdmin: 'write', settings: 'read' } })
    const admin = await t.signIn(me)
    const { userId } = await member()
    expect((await set(admin, userId, { settings: 'read', orgAdmin: 'write' })).status).toBe(200)
    expect(await set(admin, userId, { settings: 'write' })).toMatchObject(REFUSED)
    expect(await set(admin, me.userId, { workspaces: 'read' })).toMatchObject(REFUSED)
    expect((await set(admin, me.userId, { settings: 'none' })).status).toBe(200)
  })

  test('counts what groups give the giver', async () => {
    const group = await t.create.group(acme, { sections: { orgAdmin: 'write', webhooks: 'write' } })
    const admin = await signedIn({ groups: [group] })
    const { userId } = await member()
    expect((await set(admin, userId, { webhooks: 'write' })).status).toBe(200)
    expect(await set(admin, userId, { domains: 'read' })).toMatchObject(REFUSED)
  })

  test('leaves the owner to the owner, and finds no one of another organization', async () => {
    const admin = await signedIn({ sections: { orgAdmin: 'write' } })
    expect(await set(admin, acme.owner.userId, {})).toMatchObject(REFUSED)
    const foreign = await t.create.organization()
    for (const userId of [foreign.owner.userId, crypto.randomUUID()]) {
      expect(await set(acme.visitor, userId, {})).toMatchObject(ABSENT)
    }
    expect(await set(acme.visitor, 'x', {})).toMatchObject({
      status: 400,
      code: 'invalid_uuid',
      details: { field: 'userId' },
    })
    expect(await set(acme.visitor, acme.owner.userId, { users: 'all' })).toMatchObject({ code: 'invalid_request_body' })
  })
})

describe('organization.members.setActive', () => {
  const set = (by: Visitor, userId: string, isActive: unknown) =>
    by.post('organization.members.setActive', { userId, isActive })

  test('ends the sessions here and rests the keys, and enabling wakes the keys', async () => {
    const someone = await member()
    const visitor = await t.signIn(someone)
    const key = await t.create.key(someone)
    expect((await set(acme.visitor, someone.userId, false)).data).toMatchObject({
      userId: someone.userId,
      isActive: false,
    })
    expect((await visitor.get('auth.me')).code).toBe('session_required')
    expect(await callWith(key.token)).toMatchObject({ status: 401, body: { error: 'api_key_owner_inactive' } })
    expect((await set(acme.visitor, someone.userId, true)).data).toMatchObject({ isActive: true })
    expect((await callWith(key.token)).status).toBe(200)
    expect((await visitor.get('auth.me')).code).toBe('session_required')
    expect(await memberActionsOn(someone.userId)).toEqual(['member.deactivate', 'member.activate'])
  })

  test('leaves sessions in other organizations alone', async () => {
    const someone = await member()
    const other = await t.create.organization()
    await t.create.member(other, { userId: someone.userId })
    const visitor = await t.signIn(someone)
    await visitor.post('auth.switchOrganization', { organizationId: other.id })
    await set(acme.visitor, someone.userId, false)
    expect((await visitor.get('auth.me')).data).toMatchObject({ organization: { id: other.id } })
    expect(await visitor.post('auth.switchOrganization', { organizationId: acme.id })).toMatchObject(ABSENT)
  })

  test('needs users write, and spares the owner', async () => {
    const { userId } = await member()
    expect(await set(await signedIn({ sections: { users: 'read' } }), userId, false)).toMatchObject(REFUSED)
    const manager = await signedIn({ sections: { users: 'write' } })
    for (const by of [acme.visitor, manager]) {
      expect(await set(by, acme.owner.userId, false)).toMatchObject({ status: 409, code: 'last_owner' })
    }
    expect((await set(manager, userId, false)).status).toBe(200)
    expect(await set(manager, crypto.randomUUID(), false)).toMatchObject(ABSENT)
    expect(await set(manager, userId, 'false')).toMatchObject({ status: 400, details: { field: 'isActive' } })
  })

  test('reaches administrators only from their own rank', async () => {
    const group = await t.create.group(acme, { sections: { orgAdmin: 'write' } })
    const admin = await member({ groups: [group] })
    const manager = await signedIn({ sections: { users: 'write', orgAdmin: 'read' } })
    expect(await set(manager, admin.userId, false)).toMatchObject(REFUSED)
    const peer = await signedIn({ sections: { users: 'write', orgAdmin: 'write' } })
    expect((await set(peer, admin.userId, false)).status).toBe(200)
  })
})

describe('organization.members.remove', () => {
  const remove = (by: Visitor, userId: string) => by.post('organization.members.remove', { userId })

  test('takes the membership with its grants, ends sessions and revokes the keys here for good', async () => {
    const workspace = await t.create.workspace(acme)
    const someone = await member({ grants: [{ workspaceId: workspace.id, level: 2 }] })
    const visitor = await t.signIn(someone)
    const key = await t.create.key(someone)
    const other = await t.create.organization()
    const there = await t.create.member(other, { userId: someone.userId })
    const kept = await t.create.key(there)

    expect((await remove(acme.visitor, someone.userId)).data).toEqual({ ok: true })
    expect((await visitor.get('auth.me')).code).toBe('session_required')
    expect(await callWith(key.token)).toMatchObject({ status: 401, body: { error: 'api_key_revoked' } })
    expect((await callWith(kept.token)).status).toBe(200)
    expect(await t.db.$count(grants, eq(grants.membershipId, someone.membershipId))).toBe(0)
    expect(await memberActionsOn(someone.userId)).toEqual(['member.remove'])
    expect(await remove(acme.visitor, someone.userId)).toMatchObject(ABSENT)

    // A reactivated member has neither the keys nor the session.
    await member({ userId: someone.userId })
    expect((await visitor.get('auth.me')).code).toBe('session_required')
    expect((await callWith(key.token)).body).toEqual({ error: 'api_key_revoked' })
    const [row] = await t.db.select().from(apiKeys).where(eq(apiKeys.id, key.id))
    expect(row?.revokedAt).toEqual(t.clock.now)
  })

  test('needs users write, and spares the owner and whoever ranks higher', async () => {
    const { userId } = await member()
    expect(await remove(await signedIn({ sections: { users: 'read' } }), userId)).toMatchObject(REFUSED)
    const manager = await signedIn({ sections: { users: 'write' } })
    expect(await remove(manager, acme.owner.userId)).toMatchObject({ status: 409, code: 'last_owner' })
    expect(await remove(acme.visitor, acme.owner.userId)).toMatchObject({ status: 409, code: 'last_owner' })
    const admin = await member({ sections: { orgAdmin: 'read' } })
    expect(await remove(manager, admin.userId)).toMatchObject(REFUSED)
    expect((await remove(manager, userId)).status).toBe(200)
    const foreign = await t.create.organization()
    expect(await remove(acme.visitor, foreign.owner.userId)).toMatchObject(ABSENT)
  })
})

describe('ownership', () => {
  test('of members removed and made owner at once leaves an owner who is a member', async () => {
    for (let i = 0; i < 5; i++) {
      const organization = await t.create.organization()
      const heir: Member = await t.create.member(organization, { sections: { users: 'write', orgAdmin: 'write' } })
      const [first, second] = [await t.signIn(organization.owner), await t.signIn(organization.owner)]
      await Promise.all([
        first.post('organization.transferOwnership', { userId: heir.userId, password: 'nine purple otters' }),
        second.post('organization.members.remove', { userId: heir.userId }),
      ])
      const owners = await t.db.select().from(memberships).where(eq(memberships.organizationId, organization.id))
      expect(owners.filter((m) => m.isOwner && m.isActive)).toHaveLength(1)
    }
  })
})
