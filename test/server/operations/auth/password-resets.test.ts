import { randomUUID } from 'node:crypto'
import type { JobHelpers } from 'graphile-worker'
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq, inArray, sql } from '#db/drizzle.cjs'
import { apiKeys, passwordResets, rateLimits } from '#db/schema/credentials.ts'
import { memberships, recoveryCodes, users } from '#db/schema/organizations.ts'
import { HOUR_MS } from '#server/durations.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { parseSettings } from '#server/process/settings.ts'
import { type MailServer, startMailServer } from '#test/support/alerts/mail-server.ts'
import { PASSWORD, setPassword, testDashboard, type Visitor, visitorOf } from '#test/support/browser/dashboard.ts'
import type { Member, Organization } from '#test/support/factories.ts'
import { runCommand } from '#test/support/processes/commands.ts'
import { auditOf } from '#test/support/side-effects.ts'
import { createMailer } from '#worker/tasks/mail.ts'

const t = testDashboard()
const NEW_PASSWORD = 'twelve copper herons'
const HOST = 'watch.example.com'

let acme: Organization
let mailServer: MailServer
let settings: ReturnType<typeof parseSettings>

beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
  mailServer = await startMailServer()
  settings = parseSettings({
    BASE_URL: 'https://watch.example.com',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  })
})
afterAll(() => mailServer.close())
afterEach(async () => {
  await t.db.delete(rateLimits)
  await t.db.execute(sql`delete from graphile_worker._private_jobs`)
})

/** A member of an installation that sends mail. */
const visitor = (address?: string): Visitor =>
  visitorOf(() => createDashboard({ ...t.runtime, settings }), address ?? t.visitor().address, HOST)

const ask = (email: string, by = visitor()) => by.post('auth.requestPasswordReset', { email })
const reset = (token: string, input: object = {}, by = visitor()) =>
  by.post('auth.resetPassword', { token, password: NEW_PASSWORD, ...input })
const signIn = (email: string, password: string, code?: string) =>
  visitor().post('auth.signIn', { email, password, code })

async function person(): Promise<Member> {
  const member = await t.create.member(acme, { isEmailVerified: true })
  await setPassword(t.db, member.userId)
  return member
}

type Mail = { to: string; subject: string; text: string }

async function mails(): Promise<Mail[]> {
  const jobs = await t.db.execute<{ payload: Mail }>(sql`
    select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'mail' order by j.id`)
  return jobs.map((job) => job.payload)
}

function tokenIn(text: string): string {
  const [, token] = /https:\/\/watch\.example\.com\/reset-password#([A-Za-z0-9_-]{43})\s/.exec(text) ?? []
  if (!token) throw new Error(`There is no link in ${text}`)
  return token
}

async function tokenFor(email: string): Promise<string> {
  await ask(email)
  return tokenIn((await mails()).at(-1)?.text ?? '')
}

describe('auth.requestPasswordReset', () => {
  test('mails a working link and stores only its digest', async () => {
    const { email, userId } = await person()
    expect((await ask(` ${email.toUpperCase()} `)).data).toEqual({ ok: true })
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    await createMailer(t.db, settings)(mail, {} as JobHelpers)
    expect(mailServer.mails).toMatchObject([{ to: [email], headers: { subject: 'Set a new password for Soundline' } }])
    const token = tokenIn(mailServer.mails[0]?.text ?? '')
    expect((await visitor().get('auth.passwordReset', { token })).data).toEqual({ email, takesOver: false })

    const kept = await t.db.select().from(passwordResets).where(eq(passwordResets.userId, userId))
    expect(kept).toHaveLength(1)
    const entries = await auditOf(t.db, userId)
    expect(entries).toMatchObject([
      { organizationId: acme.id, action: 'account.request_password_reset', actorId: null, entityName: email },
    ])
    const written = JSON.stringify([
      entries,
      kept.map((row) => ({ ...row, digest: row.tokenDigest.toString('latin1') })),
    ])
    expect(written).not.toContain(token)
    expect((await reset(token)).status).toBe(200)
  })

  test('responds the same, and no faster, for an unknown address', async () => {
    const disabled = await person()
    await t.db.update(users).set({ isActive: false }).where(eq(users.id, disabled.userId))
    const removed = await person()
    await t.db.update(memberships).set({ isActive: false }).where(eq(memberships.userId, removed.userId))
    const known = await ask((await person()).email)
    expect(await mails()).toHaveLength(1)
    for (const email of ['nobody@example.com', disabled.email, removed.email]) {
      const before = performance.now()
      const answer = await ask(email)
      expect(performance.now() - before).toBeGreaterThan(245)
      expect([answer.status, answer.text]).toEqual([known.status, known.text])
    }
    expect(await mails()).toHaveLength(1)
    expect(await t.db.$count(passwordResets, inArray(passwordResets.userId, [disabled.userId, removed.userId]))).toBe(0)
  })

  test('does nothing without a mail server', async () => {
    const { email, userId } = await person()
    expect((await ask(email, t.visitor())).data).toEqual({ ok: true })
    expect(await mails()).toEqual([])
    expect(await t.db.$count(passwordResets, eq(passwordResets.userId, userId))).toBe(0)
  })

  test('mails five times from one place at most, however many ask at once, for accounts that there are not as well', async () => {
    for (const email of [(await person()).email, 'nobody-at-all@example.com']) {
      const place = visitor()
      const answers = await Promise.all(Array.from({ length: 9 }, () => ask(email, place)))
      expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(5)
      const last = await ask(email, place)
      expect(last).toMatchObject({ status: 429, code: 'rate_limited' })
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect((await mails()).length).toBeLessThanOrEqual(5)
  })

  test.each([
    ['one address', ['10.7.4.1']],
    ['one subscriber', ['2001:db8:7:401::1', '2001:db8:7:401::2']],
  ])('requests of %s do not lock the account for others', async (_, places) => {
    const { email } = await person()
    const flood = await Promise.all(
      Array.from({ length: 30 }, (_, i) => ask(email, visitor(places[i % places.length]))),
    )
    expect(flood.some((answer) => answer.code === 'rate_limited')).toBe(true)
    expect((await ask(email, visitor('10.7.5.5'))).status).toBe(200)
    // Nor for a neighbour in the same /48.
    expect((await ask(email, visitor('2001:db8:7:501::1'))).status).toBe(200)
  })

  test('is bounded for an account and for a place', async () => {
    const { email } = await person()
    for (let i = 0; i < 10; i += 5) {
      const answers = await Promise.all(Array.from({ length: 5 }, (_, j) => ask(email, visitor(`10.7.0.${i + j}`))))
      expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(200))
    }
    expect((await ask(email, visitor('10.7.1.1'))).code).toBe('rate_limited')
    const many = Array.from({ length: 50 }, (_, i) => ask(`nobody-${i}@example.com`, visitor('10.7.2.2')))
    expect((await Promise.all(many)).map((answer) => answer.status)).toEqual(Array(50).fill(200))
    expect((await ask('somebody@example.com', visitor('10.7.2.2'))).code).toBe('rate_limited')
  })

  test('refuses an invalid address', async () => {
    const answer = await ask('x')
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body', details: { field: 'email' } })
  })
})

describe('auth.resetPassword', () => {
  test('sets the password once, ends every session, and does not sign in', async () => {
    const { email, userId } = await person()
    const other = await t.create.organization()
    await t.db.insert(memberships).values({ id: randomUUID(), organizationId: other.id, userId })
    const before = visitor()
    await before.post('auth.signIn', { email, password: PASSWORD })
    const [first, token] = [await tokenFor(email), await tokenFor(email)]
    const by = visitor()
    expect((await reset(token, {}, by)).data).toEqual({ ok: true })
    expect(by.cookie).toBeNull()
    expect((await before.get('auth.me')).code).toBe('session_required')
    expect((await signIn(email, PASSWORD)).code).toBe('invalid_credentials')
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
    // Both this link and the earlier one have expired.
    for (const used of [token, first]) {
      expect(await reset(used)).toMatchObject({ status: 400, code: 'reset_invalid' })
      expect(await visitor().get('auth.passwordReset', { token: used })).toMatchObject({ code: 'reset_invalid' })
    }
    const entries = (await auditOf(t.db, userId)).filter((entry) => entry.action === 'account.reset_password')
    expect(entries).toHaveLength(2)
    expect(entries.map((entry) => entry.organizationId).sort()).toEqual([acme.id, other.id].sort())
    expect(entries).toMatchObject([{ actorId: userId, actorEmail: email, address: by.address }, { actorId: userId }])
  })

  test('accepts one of many parallel attempts', async () => {
    const { email } = await person()
    const tokens = [await tokenFor(email), await tokenFor(email)]
    const answers = await Promise.all([...tokens, ...tokens].map((token) => reset(token)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    for (const answer of answers.filter((one) => one.status !== 200)) expect(answer.code).toBe('reset_invalid')
  })

  test('keeps the second factor for the next sign-in', async () => {
    const { email } = await person()
    const by = visitor()
    await by.post('auth.signIn', { email, password: PASSWORD })
    const { secret } = (await by.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() })
    await by.post('account.totp.confirm', { code: code() })
    t.pass(30_000)
    expect((await reset(await tokenFor(email))).status).toBe(200)
    expect((await signIn(email, NEW_PASSWORD)).code).toBe('totp_required')
    expect((await signIn(email, NEW_PASSWORD, code())).status).toBe(200)
  })

  test('gives an account with an unverified address to the reader of the mail; its former credentials stop working', async () => {
    const member = await person()
    await t.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, member.userId))
    const by = visitor()
    const given = { email: member.email, password: PASSWORD }
    await by.post('auth.signIn', given)
    const { secret } = (await by.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() })
    await by.post('account.totp.confirm', { code: code() })
    const key = await t.create.key(member)
    t.pass(30_000)

    const token = await tokenFor(member.email)
    expect((await visitor().get('auth.passwordReset', { token })).data).toMatchObject({ takesOver: true })
    expect((await reset(token)).status).toBe(200)
    expect((await by.get('auth.me')).code).toBe('session_required')
    expect((await by.post('auth.signIn', { ...given, code: code() })).code).toBe('invalid_credentials')
    expect((await signIn(member.email, NEW_PASSWORD)).status).toBe(200)
    const [row] = await t.db.select().from(users).where(eq(users.id, member.userId))
    expect(row).toMatchObject({ totpSecret: null, totpEnrolledAt: null, emailVerifiedAt: t.clock.now })
    expect(await t.db.$count(recoveryCodes, eq(recoveryCodes.userId, member.userId))).toBe(0)
    const [revoked] = await t.db.select().from(apiKeys).where(eq(apiKeys.id, key.id))
    expect(revoked?.revokedAt).toEqual(t.clock.now)
    const taken = (await auditOf(t.db, member.userId)).find((entry) => entry.action === 'account.take_over')
    expect(taken).toMatchObject({ details: { by: 'password reset', keysRevoked: 1 } })
    // The address is now proven: the next reset keeps the second factor.
    expect((await visitor().get('auth.passwordReset', { token: await tokenFor(member.email) })).data).toMatchObject({
      takesOver: false,
    })
  })

  test('resets the limit of failed sign-ins', async () => {
    const { email } = await person()
    const by = visitor()
    for (let i = 0; i < 6; i++) await by.post('auth.signIn', { email, password: 'wrong guess' })
    expect((await by.post('auth.signIn', { email, password: PASSWORD })).code).toBe('rate_limited')
    await reset(await tokenFor(email), {}, by)
    expect((await by.post('auth.signIn', { email, password: NEW_PASSWORD })).status).toBe(200)
  })

  test('lets someone in at once whose password others guessed at from a thousand networks', async () => {
    const { email } = await person()
    await visitor().post('auth.signIn', { email, password: 'wrong guess' })
    await t.db.update(rateLimits).set({ used: 1_000 })
    const by = visitor()
    expect((await by.post('auth.signIn', { email, password: PASSWORD })).code).toBe('rate_limited')
    await reset(await tokenFor(email), {}, by)
    expect((await by.post('auth.signIn', { email, password: NEW_PASSWORD })).status).toBe(200)
  })

  test.each([
    ['field_invalid', 'password123'],
    ['invalid_request_body', 'short'],
    ['invalid_request_body', 'x'.repeat(1_025)],
  ])('refuses a password that is not fit (%s), and the link stays good', async (code, password) => {
    const token = await tokenFor((await person()).email)
    expect(await reset(token, { password })).toMatchObject({ status: 400, code, details: { field: 'password' } })
    expect((await reset(token)).status).toBe(200)
  })

  test('refuses a link after an hour', async () => {
    const token = await tokenFor((await person()).email)
    t.pass(HOUR_MS - 1)
    expect((await visitor().get('auth.passwordReset', { token })).status).toBe(200)
    t.pass(1)
    expect(await reset(token)).toMatchObject({ status: 400, code: 'reset_invalid' })
  })

  test('refuses a link after the account was disabled, or changed its password, second factor or address', async () => {
    const changes: ((by: Visitor, member: Member) => Promise<unknown>)[] = [
      (_, { userId }) => t.db.update(users).set({ isActive: false }).where(eq(users.id, userId)),
      (by) => by.post('account.changePassword', { password: PASSWORD, newPassword: 'nine other otters' }),
      (by) => {
        // An installation without mail makes the change at once.
        const silent = parseSettings({ BASE_URL: settings.BASE_URL })
        const there = visitorOf(() => createDashboard({ ...t.runtime, settings: silent }), by.address, HOST)
        const input = { password: PASSWORD, email: `new-${randomUUID()}@example.com` }
        return there.post('account.changeEmail', input, { cookie: by.cookie as string })
      },
    ]
    for (const change of changes) {
      const member = await person()
      const by = visitor()
      await by.post('auth.signIn', { email: member.email, password: PASSWORD })
      const token = await tokenFor(member.email)
      await change(by, member)
      expect((await reset(token)).code).toBe('reset_invalid')
    }
  })

  test('limits attempts at guessing tokens', async () => {
    const stranger = visitor()
    expect((await reset('guess', {}, stranger)).code).toBe('reset_invalid')
    await t.multiplyAttempts(49)
    expect((await reset('guess', {}, stranger)).code).toBe('reset_invalid')
    const token = await tokenFor((await person()).email)
    expect(await reset(token, {}, stranger)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await reset(token)).status).toBe(200)
  })
})

describe('npm run reset-password', () => {
  const run = (email: string[], environment: Record<string, string>) =>
    runCommand('server/commands/reset-password.ts', email, environment)

  test('prints a link that works, and says so in the audit log', async () => {
    const { email, userId } = await person()
    // A link that the operator passes on by hand does not prove the address.
    await t.db.update(users).set({ emailVerifiedAt: null, totpEnrolledAt: new Date() }).where(eq(users.id, userId))
    const env = { DATABASE_URL: t.databaseUrl, BASE_URL: 'https://watch.example.com' }
    const { code, stdout } = await run([email], env)
    expect(code).toBe(0)
    // The command uses the machine's clock, not the test's.
    t.clock.now = new Date()
    expect((await reset(tokenIn(stdout))).status).toBe(200)
    expect((await signIn(email, NEW_PASSWORD)).code).toBe('totp_required')
    expect(await auditOf(t.db, userId)).toMatchObject([
      { action: 'account.request_password_reset', actorId: null, details: { by: 'operator' } },
      { action: 'account.reset_password', actorId: userId },
    ])
  })

  test('ends with 1 and a reason without an address or an account', async () => {
    const env = { DATABASE_URL: t.databaseUrl }
    expect(await run([], env)).toMatchObject({ code: 1, stderr: 'Usage: npm run reset-password -- EMAIL\n' })
    expect(await run(['nobody@example.com'], env)).toMatchObject({
      code: 1,
      stderr: 'No one can sign in with nobody@example.com\n',
    })
  })
})
