import { hash } from '@node-rs/argon2'
import { beforeAll, describe, expect, test } from 'vitest'
import { desc, eq } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { rateLimits } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { PASSWORD, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Member, Organization } from '#test/support/factories.ts'

const t = testDashboard()
const NEW_PASSWORD = 'seven brown badgers'

let acme: Organization
beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
})

async function signedIn(): Promise<{ member: Member; visitor: Visitor }> {
  const member = await t.create.member(acme, { displayName: 'Mia' })
  return { member, visitor: await t.signIn(member) }
}

/** Returns the last audit entry of a member. */
async function lastEntry(member: Member) {
  const [entry] = await t.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.actorId, member.userId))
    .orderBy(desc(auditEntries.id))
    .limit(1)
  return entry
}

describe('account.updateProfile', () => {
  test('changes the name', async () => {
    const { member, visitor } = await signedIn()
    expect((await visitor.post('account.updateProfile', { displayName: ' Mia M. ' })).data).toEqual({ ok: true })
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { displayName: 'Mia M.' } })
    expect(await lastEntry(member)).toMatchObject({
      action: 'account.update',
      entityId: member.userId,
      details: { from: 'Mia', to: 'Mia M.' },
    })
    const empty = await visitor.post('account.updateProfile', { displayName: ' ' })
    expect(empty).toMatchObject({ status: 400, details: { field: 'displayName' } })
  })
})

describe('account.changeEmail without a mail server', () => {
  test('takes the password, ends every other session, and the new address signs in', async () => {
    const { member, visitor } = await signedIn()
    const elsewhere = await t.signIn(member)
    const email = `new-${member.email}`
    const wrong = await visitor.post('account.changeEmail', { email, password: 'wrong guess' })
    expect(wrong).toMatchObject({ status: 401, code: 'invalid_credentials' })
    const changed = await visitor.post('account.changeEmail', { email: email.toUpperCase(), password: PASSWORD })
    expect(changed.data).toEqual({ ok: true, isPending: false })
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { email, isEmailVerified: false } })
    expect((await elsewhere.get('auth.me')).code).toBe('session_required')
    expect((await t.visitor().post('auth.signIn', { email, password: PASSWORD })).status).toBe(200)
    const former = await t.visitor().post('auth.signIn', { email: member.email, password: PASSWORD })
    expect(former.code).toBe('invalid_credentials')
  })

  test('refuses an address that is taken, and is no way to ask after many', async () => {
    const { visitor } = await signedIn()
    const answer = await visitor.post('account.changeEmail', { email: acme.owner.email, password: PASSWORD })
    expect(answer).toMatchObject({ status: 409, code: 'already_exists' })
    const ask = (i: number) =>
      visitor.post('account.changeEmail', { email: `asked-${i}@example.com`, password: 'wrong guess' })
    for (let i = 0; i < 9; i++) await ask(i)
    await t.db.delete(rateLimits).where(eq(rateLimits.used, 5))
    expect((await ask(10)).code).toBe('rate_limited')
  })

  test('sends no confirmation', async () => {
    const { visitor } = await signedIn()
    expect(await visitor.post('account.sendConfirmation')).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('account.changePassword', () => {
  test('ends every other session and keeps this one; the old password stops working', async () => {
    const { member, visitor } = await signedIn()
    const elsewhere = await t.signIn(member)
    const former = visitor.cookie as string
    const answer = await visitor.post('account.changePassword', { password: PASSWORD, newPassword: NEW_PASSWORD })
    expect(answer.data).toEqual({ ok: true })
    expect((await visitor.get('auth.me')).status).toBe(200)
    expect((await elsewhere.get('auth.me')).code).toBe('session_required')
    expect((await t.visitor().get('auth.me', undefined, { cookie: former })).code).toBe('session_required')
    expect((await visitor.get('account.sessions.list')).data).toMatchObject({ total: 1 })
    const attempt = (password: string) => t.visitor().post('auth.signIn', { email: member.email, password })
    expect((await attempt(PASSWORD)).code).toBe('invalid_credentials')
    expect((await attempt(NEW_PASSWORD)).status).toBe(200)
    const [row] = await t.db.select().from(users).where(eq(users.id, member.userId))
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('takes the password that counts, and a new one that is fit', async () => {
    const { visitor } = await signedIn()
    const change = (input: object) => visitor.post('account.changePassword', { password: PASSWORD, ...input })
    expect(await change({ password: 'wrong guess', newPassword: NEW_PASSWORD })).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    })
    expect(await change({ newPassword: 'short' })).toMatchObject({
      status: 400,
      code: 'invalid_request_body',
      details: { field: 'newPassword' },
    })
    expect(await change({ newPassword: 'qwertyuiop' })).toMatchObject({
      status: 400,
      code: 'field_invalid',
      details: { field: 'newPassword' },
    })
  })

  test('counts characters, whatever bytes they take', async () => {
    for (const newPassword of ['🦦'.repeat(7), 'é'.repeat(7), '🦦'.repeat(1_025)]) {
      const answer = await (await signedIn()).visitor.post('account.changePassword', {
        password: PASSWORD,
        newPassword,
      })
      expect(answer).toMatchObject({ status: 400, details: { field: 'newPassword' } })
    }
    for (const newPassword of ['🦦'.repeat(8), '🦦'.repeat(1_024)]) {
      const { member, visitor } = await signedIn()
      expect((await visitor.post('account.changePassword', { password: PASSWORD, newPassword })).status).toBe(200)
      const given = { email: member.email, password: newPassword }
      expect((await t.visitor().post('auth.signIn', given)).status).toBe(200)
    }
  })

  test('is the same however a keyboard composes its characters, and as it was typed where it is older', async () => {
    const [composed, apart] = ['Überraschung é'.normalize('NFC'), 'Überraschung é'.normalize('NFD')]
    const { member, visitor } = await signedIn()
    await visitor.post('account.changePassword', { password: PASSWORD, newPassword: apart })
    const signIn = (password: string) => t.visitor().post('auth.signIn', { email: member.email, password })
    for (const password of [composed, apart]) expect((await signIn(password)).status).toBe(200)
    const passwordHash = await hash(apart)
    await t.db.update(users).set({ passwordHash }).where(eq(users.id, member.userId))
    expect((await signIn(apart)).status).toBe(200)
  })

  test('of two at once lets one through', async () => {
    const { visitor } = await signedIn()
    const cookie = visitor.cookie as string
    const answers = await Promise.all(
      [NEW_PASSWORD, `${NEW_PASSWORD} too`].map((newPassword) =>
        t.visitor().post('account.changePassword', { password: PASSWORD, newPassword }, { cookie }),
      ),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    expect(answers.find((a) => a.status !== 200)?.code).toMatch(/^(invalid_credentials|session_required)$/)
  })
})

describe('account.sessions', () => {
  type Page = { items: { id: string; isCurrent: boolean; userAgent: string; address: string }[]; total: number }

  test("list the member's sessions, and end one or all others", async () => {
    const { member, visitor } = await signedIn()
    const [second, third, fourth] = [await t.signIn(member), await t.signIn(member), await t.signIn(member)]
    await fourth.post('auth.signOut')
    t.pass(120_000)
    expect((await visitor.get('auth.me')).status).toBe(200)
    const listed = (await visitor.get<Page>('account.sessions.list')).data
    expect(listed.total).toBe(3)
    expect(listed.items.map((s) => s.isCurrent)).toEqual([true, false, false])
    expect(listed.items[0]).toMatchObject({
      address: visitor.address,
      organization: { id: acme.id, name: 'Acme' },
      lastSeenAt: t.clock.now.toISOString(),
    })
    const other = listed.items.find((s) => s.address === second.address)
    expect((await visitor.post('account.sessions.revoke', { id: other?.id })).status).toBe(200)
    expect((await second.get('auth.me')).code).toBe('session_required')
    expect((await third.get('auth.me')).status).toBe(200)
    expect(await visitor.post('account.sessions.revoke', { id: other?.id })).toMatchObject({ status: 404 })

    expect((await visitor.post('account.sessions.revokeOthers')).status).toBe(200)
    expect((await third.get('auth.me')).code).toBe('session_required')
    expect((await visitor.get<Page>('account.sessions.list')).data).toMatchObject({ total: 1 })
  })

  test('do not reach another member’s', async () => {
    const { visitor } = await signedIn()
    const stranger = (await signedIn()).visitor
    const [session] = (await stranger.get<Page>('account.sessions.list')).data.items
    expect(await visitor.post('account.sessions.revoke', { id: session?.id })).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect((await stranger.get('auth.me')).status).toBe(200)
  })

  test('keep no more of the browser’s name than a line', async () => {
    const { member } = await signedIn()
    const visitor = t.visitor()
    const given = { email: member.email, password: PASSWORD }
    await visitor.post('auth.signIn', given, { 'user-agent': 'Browser '.repeat(100) })
    const [session] = (await visitor.get<Page>('account.sessions.list')).data.items
    expect(session?.userAgent).toHaveLength(256)
  })
})
