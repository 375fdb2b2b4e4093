import { describe, expect, test } from 'vitest'
import { and, eq, like, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { groups, memberships, organizations } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { HOUR_MS } from '#server/durations.ts'
import { PASSWORD, testDashboard, testOrganization, type Visitor } from '#test/support/browser/dashboard.ts'

const OWNED_MAX = 4
const t = testDashboard({ ORGANIZATIONS_PER_ACCOUNT_MAX: String(OWNED_MAX) })
const acme = testOrganization(t)

const REFUSED = { status: 403, code: 'insufficient_permissions' }
const ABSENT = { status: 404, code: 'not_found' }

describe('organization.create', () => {
  test('returns the organization, owned by the member, and keeps the session in its organization', async () => {
    const member = await t.create.member(acme)
    const visitor = await t.signIn(member)
    // Later than the first membership, whose time the database set.
    t.pass(HOUR_MS)
    const answer = await visitor.post<{ id: string }>('organization.create', { name: ' Second ' })
    expect(answer.data).toEqual({ id: expect.any(String), name: 'Second' })
    expect((await visitor.get('auth.me')).data).toMatchObject({
      organization: { id: acme.id },
      organizations: [{ id: acme.id }, { id: answer.data.id, name: 'Second' }],
    })
    await visitor.post('auth.switchOrganization', { organizationId: answer.data.id })
    expect((await visitor.get('auth.me')).data).toMatchObject({ isOwner: true, sections: { orgAdmin: 'write' } })
    const made = await t.db.select().from(groups).where(eq(groups.organizationId, answer.data.id))
    expect(made.map((group) => group.name).sort()).toEqual(['Admins', 'DevOps', 'Users', 'Viewers'])
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, answer.data.id))
    expect(entries).toMatchObject([{ action: 'organization.create', organizationId: answer.data.id }])
  })

  test('stops at the limit of the account, however many are created at once; memberships do not count', async () => {
    const owner = await t.create.member(acme)
    const visitor = await t.signIn(owner)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => visitor.post('organization.create', { name: `Mine ${i}` })),
    )
    const refused = answers.filter((answer) => answer.status !== 200)
    expect(refused).toHaveLength(12 - OWNED_MAX)
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 400,
        code: 'organization_limit_reached',
        details: { max: OWNED_MAX },
      })
    }
    const owned = and(eq(memberships.userId, owner.userId), eq(memberships.isOwner, true))
    expect(await t.db.$count(memberships, owned)).toBe(OWNED_MAX)
    expect(await t.db.$count(organizations, like(organizations.name, 'Mine %'))).toBe(OWNED_MAX)
  })

  test('refuses a malformed name', async () => {
    for (const name of ['', '  ', 'x'.repeat(129), 7, undefined]) {
      const answer = await acme.visitor.post('organization.create', { name })
      expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body', details: { field: 'name' } })
    }
  })
})

describe('organization.settings', () => {
  test('are read and changed one by one', async () => {
    const organization = await t.create.organization({ name: 'Before' })
    const admin = await t.signIn(
      await t.create.member(organization, { sections: { settings: 'write', orgAdmin: 'write' }, hasTotp: false }),
    )
    const settings = await admin.get('organization.settings.get')
    expect(settings.data).toEqual({
      id: organization.id,
      name: 'Before',
      timezone: 'UTC',
      requireTotp: false,
      createdAt: expect.any(String),
    })
    const update = (input: object) => admin.post('organization.settings.update', input)
    expect((await update({ name: 'After' })).data).toMatchObject({ name: 'After', timezone: 'UTC' })
    expect((await update({ timezone: 'Europe/Berlin' })).data).toMatchObject({
      name: 'After',
      timezone: 'Europe/Berlin',
    })
    expect((await update({})).data).toMatchObject({ name: 'After', timezone: 'Europe/Berlin', requireTotp: false })
    expect((await admin.get('auth.me')).data).toMatchObject({
      organization: { name: 'After', timezone: 'Europe/Berlin' },
    })
    expect((await update({ requireTotp: true })).data).toMatchObject({ requireTotp: true })
    expect((await update({ requireTotp: false })).code).toBe('totp_enrollment_required')
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, organization.id))
    expect(entries.map((e) => e.details)).toEqual([
      { name: { from: 'Before', to: 'After' } },
      { timezone: { from: 'UTC', to: 'Europe/Berlin' } },
      { changed: false },
      { requireTotp: { from: false, to: true } },
    ])
  })

  test('refuse an unknown zone and malformed input', async () => {
    const update = (input: object) => acme.visitor.post('organization.settings.update', input)
    for (const timezone of ['Mars/Olympus', '+01:00', 'x']) {
      expect(await update({ timezone })).toMatchObject({
        status: 400,
        code: 'field_invalid',
        details: { field: 'timezone' },
      })
    }
    expect(await update({ name: '' })).toMatchObject({ status: 400, details: { field: 'name' } })
    expect(await update({ requireTotp: 'yes' })).toMatchObject({ status: 400, details: { field: 'requireTotp' } })
  })

  test('need the section', async () => {
    const reader = await t.signIn(await t.create.member(acme, { sections: { settings: 'read' } }))
    expect((await reader.get('organization.settings.get')).status).toBe(200)
    expect(await reader.post('organization.settings.update', {})).toMatchObject(REFUSED)
    const nobody = await t.signIn(await t.create.member(acme, { sections: { orgAdmin: 'write' } }))
    expect(await nobody.get('organization.settings.get')).toMatchObject(REFUSED)
  })

  test('leave the second factor to administrators, whose keys it stops too', async () => {
    const writer = await t.signIn(await t.create.member(acme, { sections: { settings: 'write' } }))
    expect(await writer.post('organization.settings.update', { requireTotp: true })).toMatchObject(REFUSED)
    const unchanged = await writer.post('organization.settings.update', { requireTotp: false, name: 'Acme' })
    expect(unchanged.data).toMatchObject({ requireTotp: false })
  })
})

describe('organization.transferOwnership', () => {
  const transfer = (by: Visitor, userId: string, password = PASSWORD) =>
    by.post('organization.transferOwnership', { userId, password })

  test('makes another member the owner; the former owner keeps every section', async () => {
    const organization = await t.create.organization()
    const former = await t.signIn(organization.owner)
    const heir = await t.create.member(organization)
    const visitor = await t.signIn(heir)
    expect((await transfer(former, heir.userId)).data).toEqual({ ok: true })
    expect((await visitor.get('auth.me')).data).toMatchObject({ isOwner: true, sections: { settings: 'write' } })
    expect((await former.get('auth.me')).data).toMatchObject({ isOwner: false, sections: { orgAdmin: 'write' } })
    expect(await transfer(former, organization.owner.userId)).toMatchObject(REFUSED)
    const removed = await visitor.post('organization.members.remove', { userId: organization.owner.userId })
    expect(removed.status).toBe(200)
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, heir.userId))
    expect(entries).toMatchObject([{ action: 'organization.transfer_ownership', details: { to: heir.email } }])
  })

  test('is refused for a member who owns as many organizations as an account may', async () => {
    const organization = await t.create.organization()
    const visitor = await t.signIn(organization.owner)
    const heir = await t.create.member(organization)
    const owned = await Promise.all(Array.from({ length: OWNED_MAX }, () => t.create.organization()))
    for (const own of owned) {
      await t.db.update(memberships).set({ userId: heir.userId }).where(eq(memberships.id, own.owner.membershipId))
    }
    expect(await transfer(visitor, heir.userId)).toMatchObject({
      status: 400,
      code: 'organization_limit_reached',
      details: { max: OWNED_MAX },
    })
    expect((await visitor.get('auth.me')).data).toMatchObject({ isOwner: true })
  })

  test('requires the owner, their password, and an active member who is not the owner', async () => {
    const organization = await t.create.organization()
    const visitor = await t.signIn(organization.owner)
    const heir = await t.create.member(organization, { sections: { orgAdmin: 'write' } })
    expect(await transfer(visitor, heir.userId, 'wrong guess')).toMatchObject({ code: 'invalid_credentials' })
    expect(await transfer(await t.signIn(heir), heir.userId)).toMatchObject(REFUSED)
    const disabled = await t.create.member(organization, { isActive: false })
    for (const userId of [disabled.userId, organization.owner.userId]) {
      expect(await transfer(visitor, userId)).toMatchObject({ code: 'field_invalid', details: { field: 'userId' } })
    }
    expect(await transfer(visitor, acme.owner.userId)).toMatchObject(ABSENT)
  })

  test('of two at once makes one', async () => {
    const organization = await t.create.organization()
    const visitor = await t.signIn(organization.owner)
    const heirs = [await t.create.member(organization), await t.create.member(organization)]
    const answers = await Promise.all(heirs.map((heir) => transfer(visitor, heir.userId)))
    expect(answers.map((a) => a.status).sort()).toEqual([200, 403])
    const rows = await t.db.select().from(memberships).where(eq(memberships.organizationId, organization.id))
    expect(rows.filter((row) => row.isOwner)).toHaveLength(1)
  })
})

describe('organization.remove', () => {
  const remove = (by: Visitor, input: object) => by.post('organization.remove', { password: PASSWORD, ...input })

  test('deletes it with everything in it; the session continues in another organization', async () => {
    const organization = await t.create.organization({ name: 'Doomed' })
    const other = await t.create.organization({ name: 'Harbour' })
    await t.create.member(other, { userId: organization.owner.userId })
    const visitor = await t.signIn(organization.owner)
    const guest = await t.create.member(organization)
    const guestVisitor = await t.signIn(guest)
    const key = await t.create.key(organization.owner)
    const workspace = await t.create.workspace(organization)
    const service = await t.create.service(await t.create.project(workspace))

    expect(await remove(visitor, { name: 'doomed' })).toMatchObject({ status: 400, details: { field: 'name' } })
    expect(await remove(visitor, { name: 'Doomed', password: 'wrong guess' })).toMatchObject({
      code: 'invalid_credentials',
    })
    expect((await remove(visitor, { name: 'Doomed' })).data).toEqual({ id: other.id, name: 'Harbour' })
    expect(await t.db.$count(organizations, eq(organizations.id, organization.id))).toBe(0)
    expect(await t.db.$count(services, eq(services.organizationId, organization.id))).toBe(0)
    expect(await t.db.$count(apiKeys, eq(apiKeys.id, key.id))).toBe(0)
    expect((await visitor.get('auth.me')).data).toMatchObject({
      organization: { id: other.id },
      organizations: [{ id: other.id }],
    })
    expect((await guestVisitor.get('auth.me')).code).toBe('session_required')
    const cleared = await t.db.execute<{ payload: object }>(sql`
      select payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'clear'`)
    expect(cleared.map((job) => job.payload)).toEqual([{ organizationId: organization.id, serviceIds: [service.id] }])
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, organization.id))
    expect(entries).toMatchObject([{ action: 'organization.remove', organizationId: other.id }])
  })

  test('spares the owner’s only organization', async () => {
    const organization = await t.create.organization({ name: 'Only' })
    const visitor = await t.signIn(organization.owner)
    expect(await remove(visitor, { name: 'Only' })).toMatchObject({ status: 409, code: 'last_organization' })
    expect(await t.db.$count(organizations, eq(organizations.id, organization.id))).toBe(1)
  })

  test('is the owner’s alone', async () => {
    const admin = await t.signIn(await t.create.member(acme, { sections: { orgAdmin: 'write' } }))
    expect(await remove(admin, { name: 'Acme' })).toMatchObject(REFUSED)
  })
})

describe('organization.audit.list', () => {
  type Page = { items: { id: string; action: string }[]; total: number }

  test('lists entries newest first, in pages, with actor and key', async () => {
    const organization = await t.create.organization()
    const visitor = await t.signIn(organization.owner)
    await visitor.post('organization.groups.create', { name: 'One', permissions: {} })
    await visitor.post('organization.groups.create', { name: 'Two', permissions: { users: 'read' } })
    const list = async (input?: object) => (await visitor.get<Page>('organization.audit.list', input)).data
    const all = await list()
    expect(all.items.map((e) => e.action)).toEqual(['group.create', 'group.create', 'session.create'])
    expect(all.items[0]).toEqual({
      id: expect.any(String),
      action: 'group.create',
      entityType: 'group',
      entityId: expect.any(String),
      entityName: 'Two',
      actor: { id: organization.owner.userId, email: organization.owner.email, name: expect.any(String) },
      key: null,
      details: { permissions: { users: 'read' }, requireTotp: false },
      address: visitor.address,
      createdAt: expect.any(String),
    })
    expect(await list({ page: 2, pageSize: 1 })).toMatchObject({ items: [all.items[1]], total: 3 })
    expect(await list({ action: 'session.create' })).toMatchObject({ items: [all.items[2]], total: 1 })
    expect((await list({ entityType: 'group' })).total).toBe(2)
    expect((await list({ actorId: organization.owner.userId })).total).toBe(3)
    expect((await list({ actorId: crypto.randomUUID() })).total).toBe(0)
    expect((await list({ entityId: (all.items[0] as unknown as { entityId: string }).entityId })).total).toBe(1)
    expect((await list({ until: '2000-01-01T00:00:00.000Z' })).total).toBe(0)
    expect((await list({ since: '2000-01-01T00:00:00.000Z' })).total).toBe(3)
    expect(await visitor.get('organization.audit.list', { page: 2_001 })).toMatchObject({
      status: 400,
      code: 'field_invalid',
      details: { field: 'page', max: 2_000 },
    })
  })

  test('names the members for the filter, and former members by their address only', async () => {
    const organization = await t.create.organization()
    const visitor = await t.signIn(organization.owner)
    const other = await t.create.member(organization)
    await t.signIn(other)
    const people = async () => (await visitor.get<{ id: string; name: string }[]>('organization.audit.people')).data
    expect((await people()).map(({ id }) => id).sort()).toEqual([organization.owner.userId, other.userId].sort())
    await visitor.post('organization.members.remove', { userId: other.userId })
    expect((await people()).map(({ id }) => id)).toEqual([organization.owner.userId])
    const left = await visitor.get<Page>('organization.audit.list', { actorId: other.userId })
    expect(left.data.items).toMatchObject([{ actor: { email: other.email, name: null } }])
    const nobody = await t.signIn(await t.create.member(organization))
    expect(await nobody.get('organization.audit.people')).toMatchObject(REFUSED)
  })

  test('needs settings read and shows no other organization', async () => {
    const nobody = await t.signIn(await t.create.member(acme, { sections: { users: 'write', orgAdmin: 'write' } }))
    expect(await nobody.get('organization.audit.list')).toMatchObject(REFUSED)
    const organization = await t.create.organization()
    const reader = await t.signIn(await t.create.member(organization, { sections: { settings: 'read' } }))
    expect((await reader.get<Page>('organization.audit.list')).data.total).toBe(1)
  })
})
