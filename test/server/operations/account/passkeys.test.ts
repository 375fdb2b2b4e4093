import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { passkeys } from '#db/schema/credentials.ts'
import { organizations, recoveryCodes, users } from '#db/schema/organizations.ts'
import { resetSecondFactor } from '#server/identity/accounts/second-factors.ts'
import { relyingParty } from '#server/identity/auth/passkeys.ts'
import { type Authenticator, createAuthenticator } from '#test/support/browser/authenticator.ts'
import { PASSWORD, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Member, Organization } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const ORIGIN = 'https://soundline.example'
const t = testDashboard({ BASE_URL: ORIGIN })
const REFUSED = { status: 401, code: 'invalid_passkey' }

type Options = { challenge: string; rpId: string; rp: { id: string } }
type Holder = { member: Member; visitor: Visitor; device: Authenticator; codes: string[] | null }

let acme: Organization
beforeAll(async () => {
  acme = await t.create.organization()
})

/** Adds a passkey of a new authenticator. */
async function addTo(visitor: Visitor, more: object = {}) {
  const device = createAuthenticator(ORIGIN)
  const options = await visitor.post<Options>('account.passkeys.begin', { password: PASSWORD, ...more })
  expect(options.status).toBe(200)
  const added = await visitor.post<{ recoveryCodes: string[] | null }>('account.passkeys.add', {
    name: 'Laptop',
    passkey: device.create(options.data),
  })
  t.pass(1)
  return { device, codes: added.data.recoveryCodes }
}

/** A member with one passkey. */
async function holder(organization = acme): Promise<Holder> {
  const member = await t.create.member(organization)
  const visitor = await t.signIn(member)
  return { member, visitor, ...(await addTo(visitor)) }
}

/** What a passkey is to sign. People take time before and after that. */
async function challengeFor(visitor: Visitor): Promise<Options> {
  t.pass(1)
  const { data } = await visitor.get<Options>('auth.passkeyOptions')
  t.pass(1)
  return data
}

/** What a passkey signs for a browser. */
async function proofFor(visitor: Visitor, device: Authenticator, wrong = {}) {
  const data = await challengeFor(visitor)
  return device.sign(data, wrong)
}

async function signInWith(device: Authenticator, wrong = {}, visitor = t.visitor()) {
  const passkey = await proofFor(visitor, device, wrong)
  return { visitor, passkey, answer: await visitor.post('auth.signInByPasskey', { passkey }) }
}

describe('account.passkeys', () => {
  test('are added with the password, named, renamed and listed; the first one brings recovery codes', async () => {
    const member = await t.create.member(acme)
    const visitor = await t.signIn(member)
    const elsewhere = await t.signIn(member)
    expect((await visitor.post('account.passkeys.begin', { password: 'wrong guess' })).code).toBe('invalid_credentials')
    const { codes } = await addTo(visitor)
    expect(codes).toHaveLength(10)
    expect((await elsewhere.get('auth.me')).code).toBe('session_required')
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { hasTotp: false, hasPasskey: true } })
    const [passkey] = (await visitor.get<{ id: string }[]>('account.passkeys.list')).data
    expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null })
    expect((await visitor.post('account.passkeys.rename', { id: passkey?.id, name: 'Old laptop' })).status).toBe(200)
    expect((await visitor.get('account.passkeys.list')).data).toMatchObject([{ name: 'Old laptop' }])
    const entries = (await auditOf(t.db, member.userId)).filter(({ action }) => action.startsWith('passkey.'))
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['passkey.begin', {}],
      ['passkey.add', { name: 'Laptop' }],
      ['passkey.rename', { from: 'Laptop', to: 'Old laptop' }],
    ])
    const stranger = await t.signIn(await t.create.member(acme))
    for (const input of [
      { id: passkey?.id, name: 'Mine' },
      { id: passkey?.id, password: PASSWORD },
    ]) {
      const name = 'name' in input ? 'account.passkeys.rename' : 'account.passkeys.remove'
      expect((await stranger.post(name, input)).status).toBe(404)
    }
  })

  test('are refused for a challenge of another session, an old one, and another origin', async () => {
    const visitor = await t.signIn(await t.create.member(acme))
    const device = createAuthenticator(ORIGIN)
    const begin = async () => (await visitor.post<Options>('account.passkeys.begin', { password: PASSWORD })).data
    const add = (passkey: object, by = visitor) => by.post('account.passkeys.add', { name: 'Phone', passkey })
    expect(await add(device.create(await begin(), { origin: 'https://soundline.example.evil.test' }))).toMatchObject(
      REFUSED,
    )
    expect(await add(device.create(await begin(), { rpId: 'evil.test' }))).toMatchObject(REFUSED)
    expect(await add(device.create(await begin(), { isVerified: false }))).toMatchObject(REFUSED)
    const other = await t.signIn(await t.create.member(acme))
    const options = await begin()
    other.challenge = visitor.challenge
    expect(await add(device.create(options), other)).toMatchObject(REFUSED)
    t.pass(7 * 60_000)
    expect(await add(device.create(options))).toMatchObject(REFUSED)
    const late = device.create(await begin())
    const before = visitor.challenge
    expect((await add(late)).status).toBe(200)
    visitor.challenge = before
    expect(await add(late)).toMatchObject(REFUSED)
  })

  test('the last one is removed with its recovery codes; an authenticator keeps them', async () => {
    const { member, visitor, device, codes } = await holder()
    const [first] = (await visitor.get<{ id: string }[]>('account.passkeys.list')).data
    expect((await visitor.post('account.passkeys.remove', { id: first?.id, password: PASSWORD })).code).toBe(
      'totp_required',
    )
    const begun = await visitor.post<{ secret: string }>('account.totp.begin', {
      password: PASSWORD,
      passkey: await proofFor(visitor, device),
    })
    const { secret } = begun.data
    const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() + steps * 30_000 })
    // Its enrolment is not finished.
    expect((await visitor.post('account.totp.renewCodes', { password: PASSWORD, code: code(0) })).code).toBe(
      'invalid_code',
    )
    await visitor.post('account.totp.confirm', { code: code(0) })
    const held = () => t.db.$count(recoveryCodes, eq(recoveryCodes.userId, member.userId))
    const passkey = await proofFor(visitor, device)
    expect((await visitor.post('account.totp.disable', { password: PASSWORD, passkey })).status).toBe(200)
    expect(await held()).toBe(10)
    const proof = { password: PASSWORD, passkey: await proofFor(visitor, device) }
    expect((await visitor.post('account.passkeys.remove', { id: first?.id, ...proof })).status).toBe(200)
    expect(await held()).toBe(0)
    expect((await signInWith(device)).answer).toMatchObject(REFUSED)
    expect(codes).toHaveLength(10)
    await t.signIn(member)
  })

  test('are at most twenty', async () => {
    const { member, visitor, device } = await holder()
    const [row] = await t.db.select().from(passkeys).where(eq(passkeys.userId, member.userId))
    const more = Array.from({ length: 19 }, (_, i) => ({
      ...row!,
      id: crypto.randomUUID(),
      credentialId: Buffer.from([i]),
    }))
    await t.db.insert(passkeys).values(more.map((one) => ({ ...one, credentialId: Buffer.from(one.id) })))
    const passkey = await proofFor(visitor, device)
    const answer = await visitor.post('account.passkeys.begin', { password: PASSWORD, passkey })
    expect(answer).toMatchObject({ code: 'passkey_limit_reached', details: { max: 20 } })
  })
})

describe('auth.signInByPasskey', () => {
  test('signs in without a password, and the audit log says so', async () => {
    const { member, device } = await holder()
    const { visitor, answer } = await signInWith(device)
    expect(answer.status).toBe(200)
    expect((await visitor.get('auth.me')).data).toMatchObject({ user: { id: member.userId } })
    expect(visitor.challenge).toBeNull()
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.actorId, member.userId))
    expect(entries.filter(({ action }) => action === 'session.create').at(-1)?.details).toEqual({ by: 'passkey' })
    const [row] = await t.db.select().from(passkeys).where(eq(passkeys.userId, member.userId))
    expect(row).toMatchObject({ counter: 2, lastUsedAt: t.clock.now })
  })

  test('refuses a signature that was used, for another origin or host, without a verified person, or late', async () => {
    const { member, device } = await holder()
    const { visitor, passkey } = await signInWith(device)
    const replay = t.visitor()
    // A thief has recorded the request with its cookies.
    const signed = device.sign(await challengeFor(replay))
    const recorded = replay.challenge
    expect((await replay.post('auth.signInByPasskey', { passkey: signed })).status).toBe(200)
    const thief = t.visitor()
    thief.challenge = recorded
    expect(await thief.post('auth.signInByPasskey', { passkey: signed })).toMatchObject(REFUSED)
    expect(await thief.post('auth.signInByPasskey', { passkey })).toMatchObject(REFUSED)
    for (const wrong of [
      { origin: 'https://evil.example' },
      { origin: 'http://soundline.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      // A copy of the passkey has counted less.
      { counter: 1 },
    ]) {
      expect((await signInWith(device, wrong)).answer, JSON.stringify(wrong)).toMatchObject(REFUSED)
    }
    const late = t.visitor()
    const proof = await proofFor(late, device)
    t.pass(7 * 60_000)
    expect(await late.post('auth.signInByPasskey', { passkey: proof })).toMatchObject(REFUSED)
    const unknown = createAuthenticator(ORIGIN)
    expect((await signInWith(unknown)).answer).toMatchObject(REFUSED)
    expect((await visitor.get('auth.me')).status).toBe(200)
    const refusals = (await auditOf(t.db, member.userId)).filter(({ action }) => action === 'session.refuse')
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals[0]?.details).toMatchObject({ reason: 'passkey' })
  })

  test('locks the account before the passkey, as a removal does', async () => {
    const { member, visitor, device } = await holder()
    const passkey = await proofFor(visitor, device)
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const { answer } = await t.db.transaction(async (tx) => {
      await tx.select().from(users).where(eq(users.id, member.userId)).for('update')
      const pending = visitor.post('auth.signInByPasskey', { passkey })
      await expect.poll(async () => (await t.db.execute(waiting)).length).toBe(1)
      await tx.update(passkeys).set({ name: 'Phone' }).where(eq(passkeys.userId, member.userId))
      return { answer: pending }
    })
    expect((await answer).status).toBe(200)
  })

  test('refuses a disabled account, and fifty failures from one address', async () => {
    const { member, device } = await holder()
    await t.db.update(users).set({ isActive: false }).where(eq(users.id, member.userId))
    const visitor = t.visitor()
    expect((await signInWith(device, {}, visitor)).answer).toMatchObject(REFUSED)
    const passkey = await proofFor(visitor, device)
    visitor.challenge = null
    for (let i = 0; i < 49; i++) await visitor.post('auth.signInByPasskey', { passkey })
    expect(await visitor.post('auth.signInByPasskey', { passkey })).toMatchObject({ status: 429, code: 'rate_limited' })
  })
})

describe('a passkey as second factor', () => {
  const signIn = (member: Member, visitor: Visitor, more: object = {}) =>
    visitor.post('auth.signIn', { email: member.email, password: PASSWORD, ...more })

  test('is asked for after the password; a recovery code does instead, once', async () => {
    const { member, device, codes } = await holder()
    const visitor = t.visitor()
    expect(await signIn(member, visitor)).toMatchObject({
      code: 'totp_required',
      details: { hasTotp: false, hasPasskey: true },
    })
    const other = await holder()
    expect(await signIn(member, visitor, { passkey: await proofFor(visitor, other.device) })).toMatchObject(REFUSED)
    expect((await signIn(member, visitor, { passkey: await proofFor(visitor, device) })).status).toBe(200)
    expect((await signIn(member, t.visitor(), { code: codes?.[0] })).status).toBe(200)
    expect((await signIn(member, t.visitor(), { code: codes?.[0] })).code).toBe('invalid_code')
    const wrong = t.visitor()
    const answers: (string | undefined)[] = []
    for (let i = 0; i < 6; i++) {
      answers.push((await signIn(member, wrong, { passkey: await proofFor(wrong, other.device) })).code)
    }
    expect(answers.at(-1)).toBe('rate_limited')
  })

  test('is one where the organization requires it', async () => {
    const strict = await t.create.organization()
    await t.db.update(organizations).set({ requireTotp: true }).where(eq(organizations.id, strict.id))
    const member = await t.create.member(strict, { sections: { users: 'read' } })
    const visitor = await t.signIn(member)
    expect((await visitor.get('members.list', {})).code).toBe('totp_enrollment_required')
    await addTo(visitor)
    expect((await visitor.get('members.list', {})).status).toBe(200)
    const members = await visitor.get<{ items: { userId: string; hasTotp: boolean }[] }>(
      'organization.members.list',
      {},
    )
    expect(members.data.items.find(({ userId }) => userId === member.userId)).toMatchObject({ hasTotp: true })
  })

  test('is removed with the second factor by an operator', async () => {
    const { member, device } = await holder()
    const remove = () => t.db.transaction((tx) => resetSecondFactor(tx, member.email, t.clock.now))
    expect(await remove()).toBe('done')
    expect((await signInWith(device)).answer).toMatchObject(REFUSED)
    expect((await signIn(member, t.visitor())).status).toBe(200)
    expect(await remove()).toBe('none')
  })
})

test('passkeys are bound to the one address of the dashboard, if browsers allow them there', async () => {
  expect(relyingParty('https://soundline.example')).toEqual({ id: 'soundline.example', origin: ORIGIN })
  expect(relyingParty('http://localhost:3000')).toEqual({ id: 'localhost', origin: 'http://localhost:3000' })
  for (const address of ['http://soundline.example', 'http://127.0.0.1:3000', 'https://10.0.0.1', 'https://[::1]']) {
    expect(relyingParty(address), address).toBeNull()
  }
})
