import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { apiKeys, emailConfirmations, rateLimits } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { rateLimitKey } from '#server/http/rate-limits.ts'
import { PASSWORD, setPassword, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import { type Member, type MemberOptions, type Organization, unique } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

// An installation that sends mail: links are sent only by mail, and opening one proves the address.

const t = testDashboard({ SMTP_URL: 'smtp://mail.example.com', BASE_URL: 'http://watch.example.com' })
const NEW_PASSWORD = 'twelve copper herons'

let acme: Organization
let owner: Visitor
beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
  owner = await t.signIn(acme.owner)
})
afterEach(async () => {
  await t.db.delete(rateLimits)
  await t.db.execute(sql`delete from graphile_worker._private_jobs`)
})

type Mail = { to: string; subject: string; text: string }

async function mails(to?: string): Promise<Mail[]> {
  const jobs = await t.db.execute<{ payload: Mail }>(sql`
    select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'mail' order by j.id`)
  return jobs.map((job) => job.payload).filter((mail) => to === undefined || mail.to === to)
}

/** Returns the token of the last link to a page that was mailed to an address. */
async function tokenFor(to: string, page: string): Promise<string> {
  const text = (await mails(to)).at(-1)?.text ?? ''
  const [, token] = /http:\/\/watch\.example\.com\/([a-z/-]+#[A-Za-z0-9_-]{43})(\s|$)/.exec(text) ?? []
  expect(token?.split('#')[0]).toBe(page)
  return String(token?.split('#')[1])
}

const newEmail = () => `${unique('guest')}@example.com`

async function invite(email: string, by = owner): Promise<string> {
  const answer = await by.post('organization.members.invite', { email })
  expect(answer.data).toEqual({ id: answer.data.id, token: null, url: null })
  return tokenFor(email, 'invitation')
}

const accept = (token: string, input: object = {}, visitor = t.visitor()) =>
  visitor.post('auth.acceptInvitation', { token, displayName: 'Gus Guest', password: NEW_PASSWORD, ...input })

async function signedIn(options: MemberOptions = {}) {
  const member = await t.create.member(acme, options)
  return { member, visitor: await t.signIn(member) }
}

const change = (visitor: Visitor, email: string, password = PASSWORD) =>
  visitor.post('account.changeEmail', { email, password })

const accountOf = async (email: string) => (await t.db.select().from(users).where(eq(users.email, email)))[0]

describe('an invitation', () => {
  test('is only mailed, and accepting it verifies the address', async () => {
    const email = newEmail()
    const token = await invite(email)
    expect((await t.visitor().get('auth.invitation', { token })).data).toEqual({
      organization: 'Acme',
      email,
      isMailed: true,
    })
    const guest = t.visitor()
    expect((await accept(token, {}, guest)).status).toBe(200)
    expect((await accountOf(email))?.emailVerifiedAt).toEqual(t.clock.now)
    expect((await guest.get('auth.me')).data).toMatchObject({ user: { isEmailVerified: true }, sendsMail: true })
  })

  test('shows no link in the list or the audit log', async () => {
    const email = newEmail()
    const token = await invite(email)
    expect((await owner.get('organization.invitations.list')).text).not.toContain(token)
    expect((await owner.get('organization.audit.list')).text).not.toContain(token)
  })

  test('with the password of an account verifies its address and does not change the account otherwise', async () => {
    const member = await t.create.member(await t.create.organization(), { displayName: 'Mia' })
    await setPassword(t.db, member.userId)
    const key = await t.create.key(member)
    expect((await accept(await invite(member.email), { password: PASSWORD })).status).toBe(200)
    expect(await accountOf(member.email)).toMatchObject({ displayName: 'Mia', emailVerifiedAt: t.clock.now })
    const [kept] = await t.db.select().from(apiKeys).where(eq(apiKeys.id, key.id))
    expect(kept?.revokedAt).toBeNull()
  })

  describe('to an address that somebody made an account of', () => {
    /** Created by another organization's owner, with a second factor, a session and a key. */
    async function squatted(): Promise<{ member: Member; visitor: Visitor; keyId: string }> {
      const member = await t.create.member(await t.create.organization(), { displayName: 'Squatter' })
      const visitor = await t.signIn(member)
      const key = await t.create.key(member)
      await t.db.update(users).set({ totpEnrolledAt: new Date() }).where(eq(users.id, member.userId))
      return { member, visitor, keyId: key.id }
    }

    test('opens it to the reader of the mail, and nothing of before does', async () => {
      const { member, visitor, keyId } = await squatted()
      const token = await invite(member.email)
      expect((await accept(token)).code).toBe('invalid_credentials')
      const guest = t.visitor()
      expect((await accept(token, { takeOver: true }, guest)).status).toBe(200)
      expect((await guest.get('auth.me')).data).toMatchObject({
        user: { id: member.userId, displayName: 'Gus Guest', hasTotp: false, isEmailVerified: true },
        organization: { id: acme.id },
      })
      expect((await visitor.get('auth.me')).code).toBe('session_required')
      const signIn = (password: string) => t.visitor().post('auth.signIn', { email: member.email, password })
      expect((await signIn(PASSWORD)).code).toBe('invalid_credentials')
      expect((await signIn(NEW_PASSWORD)).status).toBe(200)
      const [key] = await t.db.select().from(apiKeys).where(eq(apiKeys.id, keyId))
      expect(key?.revokedAt).toEqual(t.clock.now)
      const entries = await auditOf(t.db, member.userId)
      expect(entries.find((entry) => entry.action === 'account.take_over')).toMatchObject({
        organizationId: member.organizationId,
        details: { by: 'invitation', keysRevoked: 1 },
      })
    })

    test('does not take over a verified or disabled account, nor any by a link that was not mailed', async () => {
      const { member } = await squatted()
      const set = (change: object) => t.db.update(users).set(change).where(eq(users.id, member.userId))
      const token = await invite(member.email)
      const before = await accountOf(member.email)
      await set({ emailVerifiedAt: new Date() })
      expect((await accept(token, { takeOver: true })).code).toBe('invalid_credentials')
      await set({ emailVerifiedAt: null, isActive: false })
      expect((await accept(token, { takeOver: true })).code).toBe('invalid_credentials')
      await set({ isActive: true })
      await t.db.execute(sql`update invitations set is_mailed = false where email = ${member.email}`)
      expect(await accept(token, { takeOver: true })).toMatchObject({ status: 400, details: { field: 'takeOver' } })
      expect(await accountOf(member.email)).toEqual(before)
      await t.db.execute(sql`update invitations set is_mailed = true where email = ${member.email}`)
      expect(await accept(token, { takeOver: true, password: 'short' })).toMatchObject({ code: 'field_invalid' })
      expect((await accept(token, { takeOver: true })).status).toBe(200)
    })
  })

  test("shows no link made of a member's name", async () => {
    const organization = await t.create.organization({ name: 'evil.example/login' })
    await t.db.update(users).set({ displayName: 'https://evil.example' }).where(eq(users.id, organization.owner.userId))
    const email = newEmail()
    await invite(email, await t.signIn(organization.owner))
    const [mail] = await mails(email)
    expect(mail?.text.match(/[a-z]+:\/\/\S+/g)).toEqual([expect.stringMatching(/^http:\/\/watch\.example\.com\/inv/)])
    expect(`${mail?.subject} ${mail?.text}`).not.toContain('evil.example')
  })

  test('is mailed to one address at most five times an hour', async () => {
    const email = newEmail()
    const others = await Promise.all([1, 2].map(async () => t.signIn((await t.create.organization()).owner)))
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => [owner, ...others][i % 3]?.post('organization.members.invite', { email })),
    )
    expect((await mails(email)).length).toBe(5)
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(5)
    const refused = answers.find((answer) => answer?.status === 429)
    expect(refused?.code).toBe('rate_limited')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    // Their limit for other addresses, and the limits of others, are not used up.
    await invite(newEmail())
  })

  test('is limited per sender and per organization', async () => {
    const { member, visitor } = await signedIn({ sections: { users: 'write' } })
    const left = async (who: string, used: number) => {
      await t.db
        .update(rateLimits)
        .set({ used })
        .where(eq(rateLimits.key, rateLimitKey('mail', `invitation ${who}`)))
    }
    const inviteBy = async (by: Visitor) => (await by.post('organization.members.invite', { email: newEmail() })).code
    await invite(newEmail(), visitor)
    await left(`member ${member.userId}`, 49)
    expect(await inviteBy(visitor)).toBeUndefined()
    expect(await inviteBy(visitor)).toBe('rate_limited')
    expect(await inviteBy(owner)).toBeUndefined()
    await left(`organization ${acme.id}`, 199)
    expect(await inviteBy(owner)).toBeUndefined()
    expect(await inviteBy(owner)).toBe('rate_limited')
  })
})

describe('account.changeEmail', () => {
  test('waits for the link mailed to the new address, notifies the former one, and ends other sessions', async () => {
    const { member, visitor } = await signedIn()
    const elsewhere = await t.signIn(member)
    const email = newEmail()
    expect((await change(visitor, email, 'wrong guess')).code).toBe('invalid_credentials')
    expect((await change(visitor, email)).data).toEqual({ ok: true, isPending: true })
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { email: member.email } })
    const token = await tokenFor(email, 'account/confirm-email')
    expect((await mails(member.email)).map((mail) => mail.subject)).toEqual([
      'Your email address at Soundline is about to change',
    ])
    expect(JSON.stringify(await mails(member.email))).not.toContain(token)

    // The link is refused without a session, and in another member's session.
    expect((await t.visitor().post('account.confirmEmail', { token })).code).toBe('session_required')
    expect((await owner.post('account.confirmEmail', { token })).code).toBe('confirmation_invalid')
    expect((await visitor.post('account.confirmEmail', { token })).data).toEqual({ email })
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { email, isEmailVerified: true } })
    expect((await elsewhere.get('auth.me')).code).toBe('session_required')
    expect((await mails(member.email)).at(-1)?.subject).toBe('Your email address at Soundline was changed')
    expect((await visitor.post('account.confirmEmail', { token })).code).toBe('confirmation_invalid')
    expect((await t.visitor().post('auth.signIn', { email, password: PASSWORD })).status).toBe(200)
    expect(await actionsOn(t.db, member.userId)).toEqual(
      expect.arrayContaining(['account.request_email_change', 'account.change_email']),
    )
  })

  test('responds the same and does the same work if the new address has an account', async () => {
    const [{ member, visitor }, other] = [await signedIn(), await signedIn()]
    const free = await change(visitor, newEmail())
    const left = async () => ({
      mails: (await mails()).length,
      links: await t.db.$count(emailConfirmations, eq(emailConfirmations.userId, member.userId)),
    })
    expect(await left()).toEqual({ mails: 2, links: 1 })
    const taken = await change(visitor, other.member.email)
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    expect(await left()).toEqual({ mails: 4, links: 1 })
    const [mail] = await mails(other.member.email)
    expect(mail?.subject).toBe('Confirm your email address for Soundline')
    expect(mail?.text).not.toContain('#')
  })

  test('is not confirmed by a link that is over, replaced, or spoiled by another password', async () => {
    const ways: ((visitor: Visitor) => Promise<unknown>)[] = [
      () => t.db.update(emailConfirmations).set({ expiresAt: t.clock.now }),
      (visitor) => change(visitor, newEmail()),
      (visitor) => visitor.post('account.changePassword', { password: PASSWORD, newPassword: NEW_PASSWORD }),
    ]
    for (const spoil of ways) {
      const { visitor } = await signedIn()
      const email = newEmail()
      await change(visitor, email)
      const token = await tokenFor(email, 'account/confirm-email')
      await spoil(visitor)
      expect((await visitor.post('account.confirmEmail', { token })).code).toBe('confirmation_invalid')
      expect(await accountOf(email)).toBeUndefined()
    }
  })

  test('finds an address that was taken meanwhile', async () => {
    const { visitor } = await signedIn()
    const email = newEmail()
    await change(visitor, email)
    await t.create.member(acme, { email })
    const token = await tokenFor(email, 'account/confirm-email')
    expect(await visitor.post('account.confirmEmail', { token })).toMatchObject({ status: 409, code: 'already_exists' })
  })

  test('mails to one address five times an hour, and for one member ten times', async () => {
    const email = newEmail()
    const { visitor } = await signedIn()
    for (let i = 0; i < 5; i++) expect((await change(visitor, email)).status).toBe(200)
    expect((await change(visitor, email)).code).toBe('rate_limited')
    for (let i = 0; i < 4; i++) expect((await change(visitor, newEmail())).status).toBe(200)
    expect((await change(visitor, newEmail())).code).toBe('rate_limited')
  })
})

describe('account.sendConfirmation', () => {
  test('mails a link that proves the address the account has', async () => {
    const { member, visitor } = await signedIn()
    const elsewhere = await t.signIn(member)
    expect((await visitor.post('account.sendConfirmation')).data).toEqual({ ok: true })
    const token = await tokenFor(member.email, 'account/confirm-email')
    expect((await visitor.post('account.confirmEmail', { token })).data).toEqual({ email: member.email })
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { isEmailVerified: true } })
    expect((await elsewhere.get('auth.me')).status).toBe(200)
    expect(await actionsOn(t.db, member.userId)).toEqual(['account.request_confirmation', 'account.confirm_email'])
    expect((await visitor.post('account.sendConfirmation')).code).toBe('not_found')
  })

  test('is not used up by a member who asks for the address as theirs, and has its own limit', async () => {
    const { member, visitor } = await signedIn()
    const { visitor: stranger } = await signedIn()
    for (let i = 0; i < 6; i++) await change(stranger, member.email)
    expect((await change(stranger, member.email)).code).toBe('rate_limited')
    for (let i = 0; i < 5; i++) expect((await visitor.post('account.sendConfirmation')).status).toBe(200)
    expect((await visitor.post('account.sendConfirmation')).code).toBe('rate_limited')
  })
})
