import { defaults, seal } from 'iron-webcrypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { sessions } from '#db/schema/credentials.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { HOUR_MS } from '#server/durations.ts'
import { PASSWORD, setPassword, testDashboard } from '#test/support/browser/dashboard.ts'
import type { Member, MemberOptions, Organization } from '#test/support/factories.ts'

const t = testDashboard()

let acme: Organization
beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
})

/** A member who has a password. */
async function person(options: MemberOptions = {}): Promise<Member> {
  const member = await t.create.member(acme, options)
  await setPassword(t.db, member.userId)
  return member
}

describe('auth.signIn', () => {
  test('sets an encrypted cookie with the session only, and auth.me works', async () => {
    const member = await person({ displayName: 'Mia', sections: { webhooks: 'write', users: 'read' } })
    const visitor = t.visitor()
    const answer = await visitor.post('auth.signIn', { email: ` ${member.email.toUpperCase()} `, password: PASSWORD })
    expect(answer).toMatchObject({ status: 200, data: { ok: true } })
    const [cookie, device] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^soundline=Fe26\.2\*[\w*.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    expect(device).toMatch(/^soundline-device=Fe26\.2\*[\w*.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/)
    expect((await visitor.get('auth.me')).data).toEqual({
      user: {
        id: member.userId,
        email: member.email,
        displayName: 'Mia',
        hasTotp: false,
        hasPasskey: false,
        isEmailVerified: false,
      },
      organization: { id: acme.id, name: 'Acme', timezone: 'UTC' },
      organizations: [{ id: acme.id, name: 'Acme' }],
      isOwner: false,
      isOperator: false,
      sections: {
        users: 'read',
        settings: 'none',
        domains: 'none',
        webhooks: 'write',
        orgAdmin: 'none',
        workspaces: 'none',
      },
      mayCreateServices: false,
      mayGrant: false,
      sendsMail: false,
      canUsePasskeys: false,
      totpEnrollmentRequired: false,
    })
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.actorId, member.userId))
    expect(entries).toMatchObject([{ action: 'session.create', organizationId: acme.id, address: visitor.address }])
  })

  test.each([
    ['a wrong password', async () => ({ email: (await person()).email, password: 'something else' })],
    ['an unknown address', async () => ({ email: 'nobody@example.com', password: PASSWORD })],
    [
      'a disabled account',
      async () => ({ email: (await person({ isAccountActive: false })).email, password: PASSWORD }),
    ],
    ['a disabled membership', async () => ({ email: (await person({ isActive: false })).email, password: PASSWORD })],
  ])('refuses %s with the same answer', async (_, given) => {
    const visitor = t.visitor()
    const answer = await visitor.post('auth.signIn', await given())
    expect(answer).toMatchObject({ status: 401, code: 'invalid_credentials', details: null })
    expect(visitor.cookie).toBeNull()
  })

  test('refuses a removed member', async () => {
    const member = await person()
    await t.db.delete(memberships).where(eq(memberships.id, member.membershipId))
    const answer = await t.visitor().post('auth.signIn', { email: member.email, password: PASSWORD })
    expect(answer).toMatchObject({ status: 401, code: 'invalid_credentials' })
  })

  test('skips a disabled membership and signs in to the next organization', async () => {
    const member = await person({ isActive: false })
    const other = await t.create.organization()
    await t.create.member(other, { userId: member.userId })
    const visitor = t.visitor()
    await visitor.post('auth.signIn', { email: member.email, password: PASSWORD })
    expect((await visitor.get('auth.me')).data).toMatchObject({
      organization: { id: other.id },
      organizations: [{ id: other.id }],
    })
  })

  test.each([
    ['email', { password: PASSWORD }],
    ['email', { email: 'x', password: PASSWORD }],
    ['password', { email: 'a@example.com' }],
    ['password', { email: 'a@example.com', password: 'x'.repeat(1_025) }],
    ['password', { email: 'a@example.com', password: 'with \u0000 inside' }],
    ['password', { email: 'a@example.com', password: 12345678 }],
  ])('refuses a malformed %s', async (field, input) => {
    const answer = await t.visitor().post('auth.signIn', input)
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body', details: { field } })
  })

  test('ends the session the visitor came with', async () => {
    const member = await person()
    const visitor = await t.signIn(member)
    const former = visitor.cookie as string
    await visitor.post('auth.signIn', { email: member.email, password: PASSWORD })
    expect(visitor.cookie).not.toBe(former)
    expect((await visitor.get('auth.me')).status).toBe(200)
    expect((await t.visitor().get('auth.me', undefined, { cookie: former })).code).toBe('session_required')
  })
})

describe('a session', () => {
  /** A signed-in member, with the cookie copied for a replay. */
  async function signedIn() {
    const member = await person()
    const visitor = await t.signIn(member)
    const cookie = visitor.cookie as string
    return { member, visitor, replay: () => t.visitor().get('auth.me', undefined, { cookie }) }
  }

  test('is dead after signing out', async () => {
    const { visitor, replay } = await signedIn()
    expect((await replay()).status).toBe(200)
    const answer = await visitor.post('auth.signOut')
    expect(answer.headers.get('set-cookie')).toBe('soundline=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(await replay()).toMatchObject({ status: 401, code: 'session_required' })
    expect(await t.visitor().post('auth.signOut')).toMatchObject({ status: 401, code: 'session_required' })
  })

  test('is dead while the account is disabled, the membership is, or it is gone', async () => {
    const { member, replay } = await signedIn()
    const account = eq(users.id, member.userId)
    const membership = eq(memberships.id, member.membershipId)
    await t.db.update(users).set({ isActive: false }).where(account)
    expect((await replay()).code).toBe('session_required')
    await t.db.update(users).set({ isActive: true }).where(account)
    expect((await replay()).status).toBe(200)
    await t.db.update(memberships).set({ isActive: false }).where(membership)
    expect((await replay()).code).toBe('session_required')
    await t.db.delete(memberships).where(membership)
    expect((await replay()).code).toBe('session_required')
  })

  test('is over after twelve hours unused, and lives on while used', async () => {
    const { replay } = await signedIn()
    for (let i = 0; i < 4; i++) {
      t.pass(11 * HOUR_MS)
      expect((await replay()).status).toBe(200)
    }
    t.pass(12 * HOUR_MS + 1)
    expect((await replay()).code).toBe('session_required')
  })

  test('is over after thirty days, however much it is used', async () => {
    const { replay } = await signedIn()
    for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
      t.pass(10 * HOUR_MS)
      expect((await replay()).status).toBe(200)
    }
    t.pass(10 * HOUR_MS)
    expect((await replay()).code).toBe('session_required')
  })

  test('of an older epoch is dead', async () => {
    const { member, replay } = await signedIn()
    await t.db.update(users).set({ sessionEpoch: 1 }).where(eq(users.id, member.userId))
    expect((await replay()).code).toBe('session_required')
  })

  test('is not found under a cookie that was altered, or that we did not seal', async () => {
    const { visitor } = await signedIn()
    const cookie = visitor.cookie as string
    const altered = [
      // Not the last character: some of its bits are padding.
      cookie.slice(0, -6) + (cookie.at(-6) === 'A' ? 'B' : 'A') + cookie.slice(-5),
      cookie.replace('Fe26.2*', 'Fe26.2*constructor'),
      cookie.replace('Fe26.2', 'Fe26.1'),
      'soundline=',
      `soundline=${(await t.db.select().from(sessions))[0]?.id}`,
      `soundline=${'x'.repeat(5_000)}`,
      'other=1; soundline',
    ]
    for (const value of altered) {
      expect(await t.visitor().get('auth.me', undefined, { cookie: value })).toMatchObject({ code: 'session_required' })
    }
    const among = await t.visitor().get('auth.me', undefined, { cookie: `a=b; ${cookie}; c=d` })
    expect(among.status).toBe(200)
  })

  test('is not found under a value we sealed for something else', async () => {
    const { member } = await signedIn()
    const [session] = await t.db.select().from(sessions).where(eq(sessions.userId, member.userId))
    const [{ id, key }] = t.runtime.vault.derive('session') as [{ id: string; key: Buffer }]
    const secret = { id: Buffer.from(id).toString('hex'), secret: key.toString('base64url') }
    const sealed = (typ: string) => seal({ typ, id: session?.id }, secret, defaults)
    const ask = (value: string) => t.visitor().get('auth.me', undefined, { cookie: `soundline=${value}` })
    expect((await ask(await sealed('invitation'))).code).toBe('session_required')
    expect((await ask(await sealed('session'))).status).toBe(200)
  })

  test('that could not be recorded does not exist, and no cookie says so', async () => {
    const member = await person()
    await t.db.execute(
      sql`alter table audit_entries add constraint refused check (action <> 'session.create') not valid`,
    )
    const visitor = t.visitor()
    const answer = visitor.post('auth.signIn', { email: member.email, password: PASSWORD })
    await expect(answer).rejects.toThrow('internal_error')
    await t.db.execute(sql`alter table audit_entries drop constraint refused`)
    expect(await t.db.$count(sessions, eq(sessions.userId, member.userId))).toBe(0)
    expect(visitor.cookie).toBeNull()
  })

  test('sees a change of permissions on its next request', async () => {
    const { member, replay } = await signedIn()
    await t.db.update(memberships).set({ settings: 2 }).where(eq(memberships.id, member.membershipId))
    expect((await replay()).data).toMatchObject({ sections: { settings: 'write' } })
    await t.db.update(memberships).set({ settings: 0 }).where(eq(memberships.id, member.membershipId))
    expect((await replay()).data).toMatchObject({ sections: { settings: 'none' } })
  })
})

describe('auth.switchOrganization', () => {
  test('takes the session to another organization of the member', async () => {
    const member = await person()
    const other = await t.create.organization({ name: 'Other', timezone: 'Europe/Berlin' })
    await t.create.member(other, { userId: member.userId, sections: { settings: 'read' } })
    const visitor = await t.signIn(member)
    expect((await visitor.post('auth.switchOrganization', { organizationId: other.id })).status).toBe(200)
    expect((await visitor.get('auth.me')).data).toMatchObject({
      organization: { id: other.id, name: 'Other', timezone: 'Europe/Berlin' },
      organizations: [{ id: acme.id }, { id: other.id }],
      sections: { settings: 'read' },
    })
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.organizationId, other.id))
    expect(entries).toMatchObject([{ action: 'session.enter', actorId: member.userId }])
  })

  test('does not find an organization without an active membership', async () => {
    const member = await person()
    const visitor = await t.signIn(member)
    const foreign = await t.create.organization()
    const closed = await t.create.organization()
    await t.create.member(closed, { userId: member.userId, isActive: false })
    for (const organizationId of [foreign.id, closed.id, crypto.randomUUID()]) {
      const answer = await visitor.post('auth.switchOrganization', { organizationId })
      expect(answer).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect(await visitor.post('auth.switchOrganization', { organizationId: 'x' })).toMatchObject({
      status: 400,
      code: 'invalid_uuid',
      details: { field: 'organizationId' },
    })
    expect((await visitor.get('auth.me')).data).toMatchObject({ organization: { id: acme.id } })
  })
})
