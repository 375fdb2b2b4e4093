import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { asc, eq } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { sessions, setupLinks } from '#db/schema/credentials.ts'
import { groups, memberships, organizations, users } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { setupFromSettings } from '#server/identity/accounts/setup.ts'
import { findSetupToken } from '#server/identity/accounts/setup-links.ts'
import { SettingsError } from '#server/process/environment.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import { PASSWORD, testDashboard, visitorOf } from '#test/support/browser/dashboard.ts'

const t = testDashboard()
const GIVEN = { email: 'Owner@Example.com', password: PASSWORD, organization: 'Acme' }

beforeEach(async () => {
  await t.db.delete(organizations)
  await t.db.delete(users)
  await t.db.delete(agents)
})

/** The request of a person with the link. */
async function given(runtime = t.runtime) {
  return { ...GIVEN, token: (await findSetupToken(runtime)) ?? 'gone' }
}

describe('setup.create', () => {
  test('creates the owner, the organization and its groups, and signs in', async () => {
    const owner = t.visitor()
    expect((await owner.get('setup.status')).data).toEqual({ isOpen: true })
    const answer = await owner.post('setup.create', { ...(await given()), displayName: 'Olga Owner' })
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

  test('does not work once an account exists', async () => {
    await t.visitor().post('setup.create', await given())
    const second = t.visitor()
    const answer = await second.post('setup.create', { ...(await given()), email: 'other@example.com' })
    expect(answer).toMatchObject({ status: 409, code: 'setup_complete' })
    expect(second.cookie).toBeNull()
    expect(await t.db.$count(users)).toBe(1)
  })

  test('succeeds for one of several at once', async () => {
    const input = await given()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => t.visitor().post('setup.create', { ...input, email: `o${i}@example.com` })),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(await t.db.$count(users)).toBe(1)
    expect(await t.db.$count(organizations)).toBe(1)
    expect(await t.db.$count(sessions)).toBe(1)
  })

  test.each([
    ['email', { email: 'nobody' }],
    ['password', { password: 'short' }],
    ['password', { password: 'é'.repeat(1_025) }],
    ['organization', { organization: '  ' }],
    ['organization', { organization: 'x'.repeat(129) }],
    ['displayName', { displayName: '' }],
  ])('refuses a malformed %s', async (field, input) => {
    const answer = await t.visitor().post('setup.create', { ...(await given()), ...input })
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body', details: { field } })
    expect(await t.db.$count(users)).toBe(0)
  })

  test('refuses one of the most common passwords, in any case', async () => {
    const answer = await t.visitor().post('setup.create', { ...(await given()), password: 'PassWord123' })
    expect(answer).toMatchObject({ status: 400, code: 'field_invalid', details: { field: 'password' } })
  })

  test('names the owner after the address when there is no name', async () => {
    await t.visitor().post('setup.create', await given())
    expect(await t.db.select().from(users)).toMatchObject([{ displayName: 'owner' }])
  })
})

describe('the link', () => {
  const link = async (token: string, runtime = t.runtime) =>
    visitorOf(() => createDashboard(runtime)).post('setup.link', { token })
  const keyed = (...ids: string[]) => ({
    ...t.runtime,
    vault: createVault(ids.map((id) => ({ id, secret: id.repeat(32) }))),
  })

  test.each([
    ['none', undefined, 400, 'invalid_request_body'],
    ['an empty token', '', 400, 'invalid_request_body'],
    ['another token', 'x'.repeat(43), 403, 'setup_link_invalid'],
    ['the digest of nothing', createHash('sha256').digest('base64url'), 403, 'setup_link_invalid'],
  ])('is needed: with %s the installation stays without an account', async (_, token, status, code) => {
    await findSetupToken(t.runtime)
    expect(await t.visitor().post('setup.create', { ...GIVEN, token })).toMatchObject({ status, code })
    expect(await t.db.$count(users)).toBe(0)
  })

  test('does not work before a start has printed one', async () => {
    await t.db.delete(setupLinks)
    expect(await link('x'.repeat(43))).toMatchObject({ status: 403, code: 'setup_link_invalid' })
  })

  test('is the same after a restart, and stays valid over a key rotation until the old key is removed', async () => {
    const printed = (await given(keyed('a'))).token
    expect((await given(keyed('a'))).token).toBe(printed)
    expect((await given(keyed('b'))).token).not.toBe(printed)
    expect((await link(printed, keyed('b', 'a'))).status).toBe(200)
    expect((await link(printed, keyed('b'))).code).toBe('setup_link_invalid')
  })

  test('works once, even when the account is deleted later', async () => {
    const input = await given()
    expect((await t.visitor().post('setup.create', input)).status).toBe(200)
    expect(await findSetupToken(t.runtime)).toBeNull()
    expect((await link(input.token)).code).toBe('setup_complete')
    await t.db.delete(organizations)
    await t.db.delete(users)
    expect((await given()).token).not.toBe(input.token)
    expect((await link(input.token)).code).toBe('setup_link_invalid')
  })

  // DNS rebinding: a page's own name resolves to our address, so host and origin agree.
  test.each([
    [
      'a host that is not ours, without the link',
      { host: 'evil.test', origin: 'http://evil.test' },
      'setup_link_invalid',
    ],
    ['another origin, even with the link', { origin: 'http://evil.test' }, 'cross_site_request'],
  ])('refuses %s', async (_, headers, code) => {
    const { token, ...input } = await given()
    const body = JSON.stringify({ ...input, token: code === 'cross_site_request' ? token : 'x'.repeat(43) })
    const answer = await t.visitor().send('/api/trpc/setup.create', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    expect(answer).toMatchObject({ status: 403, code })
    expect(await t.db.$count(users)).toBe(0)
  })
})

describe('setup from settings', () => {
  const SETTINGS = { SETUP_EMAIL: 'Start@Example.com', SETUP_PASSWORD: PASSWORD, SETUP_ORGANIZATION: 'Acme' }
  const start = (settings: Record<string, string>) =>
    setupFromSettings({ ...t.runtime, settings: parseSettings(settings) })

  test('creates the owner, who can sign in; a later start changes nothing', async () => {
    expect(await start({ ...SETTINGS, AGENT_SLUG: 'eu-west' })).toBe(true)
    expect(await start({ ...SETTINGS, SETUP_EMAIL: 'other@example.com' })).toBe(false)
    expect(await t.db.select().from(users)).toMatchObject([{ email: 'start@example.com' }])
    expect(await t.db.select().from(memberships)).toMatchObject([{ isOwner: true, isActive: true }])
    expect(await t.db.select().from(agents)).toMatchObject([{ slug: 'eu-west' }])
    const owner = t.visitor()
    expect((await owner.post('auth.signIn', { email: 'start@example.com', password: PASSWORD })).status).toBe(200)
    expect(await t.visitor().post('setup.create', await given())).toMatchObject({ status: 409, code: 'setup_complete' })
  })

  test('does nothing when none of the three is set', async () => {
    expect(await start({})).toBe(false)
    expect(await t.db.$count(users)).toBe(0)
  })

  test('keeps an existing agent', async () => {
    await t.db.insert(agents).values({ id: crypto.randomUUID(), slug: 'local', label: 'Cellar' })
    expect(await start(SETTINGS)).toBe(true)
    expect(await t.db.select().from(agents)).toMatchObject([{ label: 'Cellar' }])
  })

  test('names what is missing', async () => {
    const failure = start({ SETUP_EMAIL: 'start@example.com' })
    await expect(failure).rejects.toThrow(SettingsError)
    await expect(failure).rejects.toThrow(/SETUP_PASSWORD.*SETUP_ORGANIZATION/)
  })

  test('happens once when processes start together', async () => {
    const done = await Promise.all(Array.from({ length: 5 }, () => start(SETTINGS)))
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await t.db.$count(users)).toBe(1)
  })
})
