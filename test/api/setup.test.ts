import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntries } from '#db/schema/audit.ts'
import { sessions } from '#db/schema/credentials.ts'
import { groups, memberships, organizations, users } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { parseSettings, SettingsError } from '#server/settings.ts'
import { setupFromSettings } from '#server/setup.ts'
import { PASSWORD, testDashboard } from '#test/support/dashboard.ts'

const t = testDashboard()
const GIVEN = { email: 'Owner@Example.com', password: PASSWORD, organization: 'Acme' }

beforeEach(async () => {
  await t.db.delete(organizations)
  await t.db.delete(users)
  await t.db.delete(agents)
})

describe('setup.create', () => {
  test('makes the owner, the organization and its groups, and signs in', async () => {
    const owner = t.visitor()
    expect((await owner.get('setup.status')).data).toEqual({ isOpen: true })
    const answer = await owner.post('setup.create', { ...GIVEN, displayName: 'Olga Owner' })
    expect(answer).toMatchObject({ status: 200, data: { ok: true } })
    expect((await owner.get('auth.me')).data).toMatchObject({
      user: { email: 'owner@example.com', displayName: 'Olga Owner', hasTotp: false },
      organization: { name: 'Acme', timezone: 'UTC' },
      isOwner: true,
      totpEnrollmentRequired: false,
    })
    expect((await owner.get('setup.status')).data).toEqual({ isOpen: false })

    const made = await t.db.select().from(groups).orderBy(asc(groups.name))
    const nothing = { users: 0, settings: 0, domains: 0, webhooks: 0, orgAdmin: 0, workspaces: 0 }
    expect(made).toMatchObject([
      { name: 'Admins', users: 2, settings: 2, domains: 2, webhooks: 2, orgAdmin: 2, workspaces: 2 },
      { ...nothing, name: 'DevOps', domains: 2, webhooks: 2, workspaces: 1 },
      { ...nothing, name: 'Users', users: 1, settings: 1, workspaces: 1 },
      { ...nothing, name: 'Viewers' },
    ])
    expect(await t.db.select().from(agents)).toMatchObject([
      { slug: 'local', label: 'Local', isActive: true, organizationId: null },
    ])
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.action, 'organization.create'))
    expect(entries).toMatchObject([{ actorEmail: 'owner@example.com', entityName: 'Acme', address: owner.address }])
  })

  test('is gone once there is an account', async () => {
    await t.visitor().post('setup.create', GIVEN)
    const second = t.visitor()
    const answer = await second.post('setup.create', { ...GIVEN, email: 'other@example.com' })
    expect(answer).toMatchObject({ status: 409, code: 'setup_complete' })
    expect(second.cookie).toBeNull()
    expect(await t.db.$count(users)).toBe(1)
  })

  test('of several at once lets one succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => t.visitor().post('setup.create', { ...GIVEN, email: `o${i}@example.com` })),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(await t.db.$count(users)).toBe(1)
    expect(await t.db.$count(organizations)).toBe(1)
    expect(await t.db.$count(sessions)).toBe(1)
  })

  test.each([
    ['email', { ...GIVEN, email: 'nobody' }],
    ['password', { ...GIVEN, password: 'short' }],
    ['password', { ...GIVEN, password: 'é'.repeat(513) }],
    ['organization', { ...GIVEN, organization: '  ' }],
    ['organization', { ...GIVEN, organization: 'x'.repeat(129) }],
    ['displayName', { ...GIVEN, displayName: '' }],
  ])('refuses a malformed %s', async (field, input) => {
    const answer = await t.visitor().post('setup.create', input)
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body', details: { field } })
    expect(await t.db.$count(users)).toBe(0)
  })

  test('refuses a password that everybody tries first, in any case', async () => {
    const answer = await t.visitor().post('setup.create', { ...GIVEN, password: 'PassWord123' })
    expect(answer).toMatchObject({ status: 400, code: 'field_invalid', details: { field: 'password' } })
  })

  test('names the owner after the address when no name is given', async () => {
    await t.visitor().post('setup.create', GIVEN)
    expect(await t.db.select().from(users)).toMatchObject([{ displayName: 'owner' }])
  })
})

describe('set-up from settings', () => {
  const SETTINGS = { SETUP_EMAIL: 'Start@Example.com', SETUP_PASSWORD: PASSWORD, SETUP_ORGANIZATION: 'Acme' }
  const start = (settings: Record<string, string>) =>
    setupFromSettings({ ...t.services, settings: parseSettings(settings) })

  test('makes the owner, who can sign in; a later start changes nothing', async () => {
    expect(await start({ ...SETTINGS, AGENT_SLUG: 'eu-west' })).toBe(true)
    expect(await start({ ...SETTINGS, SETUP_EMAIL: 'other@example.com' })).toBe(false)
    expect(await t.db.select().from(users)).toMatchObject([{ email: 'start@example.com' }])
    expect(await t.db.select().from(memberships)).toMatchObject([{ isOwner: true, isActive: true }])
    expect(await t.db.select().from(agents)).toMatchObject([{ slug: 'eu-west' }])
    const owner = t.visitor()
    expect((await owner.post('auth.signIn', { email: 'start@example.com', password: PASSWORD })).status).toBe(200)
    expect(await t.visitor().post('setup.create', GIVEN)).toMatchObject({ status: 409, code: 'setup_complete' })
  })

  test('does nothing when none of the three is set', async () => {
    expect(await start({})).toBe(false)
    expect(await t.db.$count(users)).toBe(0)
  })

  test('keeps an agent that is there already', async () => {
    await t.db.insert(agents).values({ id: crypto.randomUUID(), slug: 'local', label: 'Cellar' })
    expect(await start(SETTINGS)).toBe(true)
    expect(await t.db.select().from(agents)).toMatchObject([{ label: 'Cellar' }])
  })

  test('names what is missing', async () => {
    const failure = start({ SETUP_EMAIL: 'start@example.com' })
    await expect(failure).rejects.toThrow(SettingsError)
    await expect(failure).rejects.toThrow(/SETUP_PASSWORD.*SETUP_ORGANIZATION/)
  })

  test('of processes that start together lets one do it', async () => {
    const done = await Promise.all(Array.from({ length: 5 }, () => start(SETTINGS)))
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await t.db.$count(users)).toBe(1)
  })
})
