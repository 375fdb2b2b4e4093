import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { rateLimits, sessions } from '#db/schema/credentials.ts'
import { organizations, recoveryCodes, users } from '#db/schema/organizations.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { createVault } from '#server/vault.ts'
import { PASSWORD, setPassword, testDashboard, type Visitor, visitorOf } from '#test/support/browser/dashboard.ts'
import type { Member, MemberOptions, Organization } from '#test/support/factories.ts'
import { runCommand } from '#test/support/processes/commands.ts'
import { auditOf } from '#test/support/side-effects.ts'

const t = testDashboard()
const STEP = 30_000

let acme: Organization
beforeAll(async () => {
  acme = await t.create.organization()
})

type Enrolled = { member: Member; visitor: Visitor; secret: string; recoveryCodes: string[] }

/** Returns the code that an authenticator shows now, or some steps away. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() + steps * STEP })
}

/** A member with a second factor, one step after the enrolling code. */
async function enrolled(options: MemberOptions = {}): Promise<Enrolled> {
  const member = await t.create.member(acme, options)
  const visitor = await t.signIn(member)
  const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
  const confirmed = await visitor.post<{ recoveryCodes: string[] }>('account.totp.confirm', { code: codeOf(secret) })
  t.pass(STEP)
  return { member, visitor, secret, recoveryCodes: confirmed.data.recoveryCodes }
}

describe('account.totp.begin and confirm', () => {
  test('enrol with the first code, show ten recovery codes once, and end every other session', async () => {
    const member = await t.create.member(acme)
    const visitor = await t.signIn(member)
    const elsewhere = await t.signIn(member)
    const former = visitor.cookie as string
    const begun = await visitor.post<{ secret: string; uri: string }>('account.totp.begin', { password: PASSWORD })
    const { secret, uri } = begun.data
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/Soundline:${encodeURIComponent(member.email)}?issuer=Soundline&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { hasTotp: false } })

    const answer = await visitor.post<{ recoveryCodes: string[] }>('account.totp.confirm', { code: codeOf(secret) })
    expect(answer.status).toBe(200)
    expect(new Set(answer.data.recoveryCodes).size).toBe(10)
    for (const code of answer.data.recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { hasTotp: true } })
    expect((await elsewhere.get('auth.me')).code).toBe('session_required')
    expect((await t.visitor().get('auth.me', undefined, { cookie: former })).code).toBe('session_required')

    const [row] = await t.db.select().from(users).where(eq(users.id, member.userId))
    expect(row?.totpSecret?.toString('latin1')).not.toContain(secret)
    const stored = await t.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, member.userId))
    expect(stored).toHaveLength(10)
    const actions = await t.db.select().from(auditEntries).where(eq(auditEntries.actorId, member.userId))
    expect(actions.map((a) => a.action).sort()).toEqual([
      'session.create',
      'session.create',
      'totp.begin',
      'totp.enrol',
    ])
    expect(JSON.stringify(actions)).not.toContain(secret)
  })

  test('require nothing until a code is confirmed, and can start again with another secret', async () => {
    const member = await t.create.member(acme)
    const visitor = await t.signIn(member)
    const first = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data.secret
    const second = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data.secret
    expect(second).not.toBe(first)
    await t.signIn(member)
    expect(await visitor.post('account.totp.confirm', { code: codeOf(first) })).toMatchObject({
      status: 401,
      code: 'invalid_code',
    })
    expect((await visitor.post('account.totp.confirm', { code: codeOf(second) })).status).toBe(200)
  })

  test('begin with the password alone', async () => {
    const visitor = await t.signIn(await t.create.member(acme))
    expect(await visitor.post('account.totp.begin')).toMatchObject({ status: 400, code: 'invalid_request_body' })
    expect(await visitor.post('account.totp.begin', { password: 'wrong guess' })).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    })
    expect((await visitor.post('account.totp.confirm', { code: '000000' })).code).toBe('invalid_code')
    expect(await visitor.post('account.totp.confirm', {})).toMatchObject({
      status: 400,
      code: 'invalid_request_body',
      details: { field: 'code' },
    })
  })

  test('refuse to enrol twice', async () => {
    const { visitor, secret } = await enrolled()
    expect(await visitor.post('account.totp.begin', { password: PASSWORD })).toMatchObject({
      status: 409,
      code: 'already_exists',
    })
    const again = await visitor.post('account.totp.confirm', { code: codeOf(secret) })
    expect(again).toMatchObject({ status: 409, code: 'already_exists' })
  })

  test('use the enrolling code up', async () => {
    const member = await t.create.member(acme)
    const visitor = await t.signIn(member)
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const code = codeOf(secret)
    await visitor.post('account.totp.confirm', { code })
    const answer = await t.visitor().post('auth.signIn', { email: member.email, password: PASSWORD, code })
    expect(answer).toMatchObject({ status: 401, code: 'invalid_code' })
  })

  test('are throttled after five wrong codes', async () => {
    const visitor = await t.signIn(await t.create.member(acme))
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const right = codeOf(secret)
    const wrong = right === '111111' ? '222222' : '111111'
    for (let i = 0; i < 5; i++) {
      expect((await visitor.post('account.totp.confirm', { code: wrong })).code).toBe('invalid_code')
    }
    expect(await visitor.post('account.totp.confirm', { code: right })).toMatchObject({
      status: 429,
      code: 'rate_limited',
    })
    await t.db.delete(rateLimits)
    expect((await visitor.post('account.totp.confirm', { code: right })).status).toBe(200)
  })
})

describe('auth.signIn with a second factor', () => {
  const signIn = (member: Member, code?: string) =>
    t.visitor().post('auth.signIn', { email: member.email, password: PASSWORD, code })

  test('asks for a code only after the right password', async () => {
    const { member } = await enrolled()
    expect(await signIn(member)).toMatchObject({ status: 401, code: 'totp_required' })
    const wrong = await t
      .visitor()
      .post('auth.signIn', { email: member.email, password: 'wrong guess', code: '123456' })
    expect(wrong).toMatchObject({ status: 401, code: 'invalid_credentials' })
  })

  test('accepts the current code and those one step before and after', async () => {
    const { member, secret } = await enrolled()
    t.pass(10 * STEP)
    for (const steps of [-2, 2]) expect((await signIn(member, codeOf(secret, steps))).code).toBe('invalid_code')
    for (const steps of [-1, 0, 1]) expect((await signIn(member, codeOf(secret, steps))).status).toBe(200)
  })

  test('takes no code of a step before one already used', async () => {
    const { member, secret } = await enrolled()
    expect((await signIn(member, codeOf(secret, 1))).status).toBe(200)
    for (const steps of [1, 0, -1]) expect((await signIn(member, codeOf(secret, steps))).code).toBe('invalid_code')
  })

  test('opens one door with one code, however many try at once', async () => {
    const { member, secret } = await enrolled()
    const code = codeOf(secret)
    const before = await t.db.$count(sessions, eq(sessions.userId, member.userId))
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(member, code)))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    for (const answer of answers.filter((a) => a.status !== 200)) {
      // A busy machine refuses sign-ins that would wait too long for their turn to hash.
      expect(['invalid_code', 'rate_limited', 'busy']).toContain(answer.code)
    }
    expect(await t.db.$count(sessions, eq(sessions.userId, member.userId))).toBe(before + 1)
  })

  test('takes each recovery code once, however it is written, and however many try at once', async () => {
    const { member, recoveryCodes: codes } = await enrolled()
    const [first, second, third] = codes as [string, string, string]
    expect((await signIn(member, first)).status).toBe(200)
    expect((await signIn(member, first)).code).toBe('invalid_code')
    expect((await signIn(member, ` ${second.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(member, third)))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    const other = await enrolled()
    expect((await signIn(other.member, codes[4] as string)).code).toBe('invalid_code')
  })

  test('seals the secret with the newest key', async () => {
    const { member, secret } = await enrolled()
    const [old] = t.runtime.settings.SECRET_KEYS as [{ id: string; secret: string }]
    const vault = createVault([{ id: 'newer', secret: 'n'.repeat(32) }, old])
    const rotated = visitorOf(() => createDashboard({ ...t.runtime, vault }))
    const given = { email: member.email, password: PASSWORD }
    expect((await rotated.post('auth.signIn', { ...given, code: codeOf(secret) })).status).toBe(200)
    const [row] = await t.db.select().from(users).where(eq(users.id, member.userId))
    expect(vault.keyOf(row?.totpSecret as Buffer)).toBe('newer')
    t.pass(STEP)
    const without = visitorOf(() =>
      createDashboard({ ...t.runtime, vault: createVault([{ id: 'newer', secret: 'n'.repeat(32) }]) }),
    )
    expect((await without.post('auth.signIn', { ...given, code: codeOf(secret) })).status).toBe(200)
  })

  test('is throttled after five wrong codes, wherever they come from, except for a browser that has signed in before', async () => {
    const { member, visitor, secret } = await enrolled()
    for (let i = 0; i < 5; i++) expect((await signIn(member, 'AAAA-AAAA-AAAA-AAAA')).code).toBe('invalid_code')
    expect((await signIn(member, codeOf(secret))).code).toBe('rate_limited')
    expect((await auditOf(t.db, member.userId)).filter((entry) => entry.action === 'session.refuse')).toHaveLength(5)
    const given = { email: member.email, password: PASSWORD, code: codeOf(secret) }
    expect((await visitor.post('auth.signIn', given)).status).toBe(200)
    await t.db.delete(rateLimits)
    t.pass(STEP)
    expect((await signIn(member, codeOf(secret))).status).toBe(200)
  })
})

describe('account.totp.disable and renewCodes', () => {
  test('take the password and a code; the account is without a second factor afterwards', async () => {
    const { member, visitor, secret } = await enrolled()
    const refused = await visitor.post('account.totp.disable', { password: PASSWORD })
    expect(refused).toMatchObject({ status: 401, code: 'totp_required' })
    expect((await visitor.post('account.totp.disable', { password: 'wrong guess', code: codeOf(secret) })).code).toBe(
      'invalid_credentials',
    )
    expect((await visitor.post('account.totp.disable', { password: PASSWORD, code: codeOf(secret) })).status).toBe(200)
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { hasTotp: false } })
    expect(await t.db.$count(recoveryCodes, eq(recoveryCodes.userId, member.userId))).toBe(0)
    await t.signIn(member)
  })

  test('renewed recovery codes replace all former ones', async () => {
    const { member, visitor, secret, recoveryCodes: former } = await enrolled()
    const answer = await visitor.post<{ recoveryCodes: string[] }>('account.totp.renewCodes', {
      password: PASSWORD,
      code: codeOf(secret),
    })
    expect(answer.data.recoveryCodes).toHaveLength(10)
    const signIn = (code: string | undefined) =>
      t.visitor().post('auth.signIn', { email: member.email, password: PASSWORD, code })
    expect((await signIn(former[0])).code).toBe('invalid_code')
    expect((await signIn(answer.data.recoveryCodes[0])).status).toBe(200)
    const without = await t.signIn(await t.create.member(acme))
    expect(await without.post('account.totp.renewCodes', { password: PASSWORD })).toMatchObject({ status: 404 })
  })
})

describe('npm run reset-second-factor', () => {
  const run = (...email: string[]) =>
    runCommand('server/commands/reset-second-factor.ts', email, { DATABASE_URL: t.databaseUrl })

  test("removes a lost second factor, ends the member's sessions, and writes an audit entry", async () => {
    const { member, visitor, recoveryCodes: codes } = await enrolled()
    expect(await run(member.email.toUpperCase())).toMatchObject({ code: 0, stderr: '' })
    expect((await visitor.get('auth.me')).code).toBe('session_required')
    const given = { email: member.email, password: PASSWORD }
    expect((await t.visitor().post('auth.signIn', given)).status).toBe(200)
    expect(await t.db.$count(recoveryCodes, eq(recoveryCodes.userId, member.userId))).toBe(0)
    expect((await auditOf(t.db, member.userId)).find((entry) => entry.action === 'totp.reset')).toMatchObject({
      organizationId: acme.id,
      actorId: null,
      entityName: member.email,
      details: { by: 'operator' },
    })
    expect(JSON.stringify(await auditOf(t.db, member.userId))).not.toContain(codes[0])
    const none = await run(member.email)
    expect(none).toMatchObject({ code: 1, stderr: `${member.email} has no second factor\n` })
  })

  test('ends with 1 and a reason without an address or an account', async () => {
    expect(await run()).toMatchObject({ code: 1, stderr: 'Usage: npm run reset-second-factor -- EMAIL\n' })
    expect(await run('nobody@example.com')).toMatchObject({
      code: 1,
      stderr: 'No account has the address nobody@example.com\n',
    })
  })
})

describe('when a second factor is required', () => {
  async function demanding(): Promise<Organization> {
    const organization = await t.create.organization()
    await t.db.update(organizations).set({ requireTotp: true }).where(eq(organizations.id, organization.id))
    return organization
  }

  test('a member without one reaches their account’s second factor and the way out, and nothing else', async () => {
    const organization = await demanding()
    const member = await t.create.member(organization, { sections: { users: 'write', settings: 'write' } })
    const visitor = await t.signIn(member)
    expect((await visitor.get('auth.me')).data).toMatchObject({ totpEnrollmentRequired: true })
    const closed: [string, 'get' | 'post', unknown][] = [
      ['workspaces.list', 'get', {}],
      ['members.list', 'get', {}],
      ['account.keys.list', 'get', {}],
      ['account.keys.create', 'post', { name: 'k', access: 'read', expiresInDays: null, password: PASSWORD }],
      ['account.sessions.list', 'get', {}],
      ['account.updateProfile', 'post', { displayName: 'X' }],
      ['organization.settings.update', 'post', { requireTotp: false }],
      ['organization.create', 'post', { name: 'Elsewhere' }],
    ]
    for (const [name, method, input] of closed) {
      expect(await visitor[method](name, input)).toMatchObject({ status: 403, code: 'totp_enrollment_required' })
    }
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    await visitor.post('account.totp.confirm', { code: codeOf(secret) })
    expect((await visitor.get('auth.me')).data).toMatchObject({ totpEnrollmentRequired: false })
    expect((await visitor.get('workspaces.list', {})).status).toBe(200)
    expect((await visitor.post('auth.signOut')).status).toBe(200)
  })

  test('by a group, its members alone are held', async () => {
    const group = await t.create.group(acme, { requireTotp: true })
    const held = await t.signIn(await t.create.member(acme, { groups: [group] }))
    expect((await held.get('workspaces.list', {})).code).toBe('totp_enrollment_required')
    const free = await t.signIn(await t.create.member(acme))
    expect((await free.get('workspaces.list', {})).status).toBe(200)
  })

  test('the member can sign out, or switch to an organization that does not require it', async () => {
    const organization = await demanding()
    const member = await t.create.member(organization)
    await t.create.member(acme, { userId: member.userId })
    const visitor = await t.signIn(member)
    expect((await visitor.get('workspaces.list', {})).code).toBe('totp_enrollment_required')
    expect((await visitor.post('auth.switchOrganization', { organizationId: acme.id })).status).toBe(200)
    expect((await visitor.get('workspaces.list', {})).status).toBe(200)
  })

  test('enrolling and then disabling leads back', async () => {
    const organization = await demanding()
    const member = await t.create.member(organization)
    await setPassword(t.db, member.userId)
    const visitor = await t.signIn(member)
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    await visitor.post('account.totp.confirm', { code: codeOf(secret) })
    t.pass(STEP)
    await visitor.post('account.totp.disable', { password: PASSWORD, code: codeOf(secret) })
    expect((await visitor.get('workspaces.list', {})).code).toBe('totp_enrollment_required')
  })
})
