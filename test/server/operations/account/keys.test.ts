import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { DAY_MS } from '#server/durations.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { digestOf } from '#server/identity/auth/api-keys.ts'
import { buildRequest, readAnswer } from '#test/support/api/api.ts'
import { PASSWORD, randomAddress, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Member, Organization } from '#test/support/factories.ts'

const t = testDashboard({ KEYS_PER_MEMBER_MAX: '3' })

let acme: Organization
beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
})

const KEY = { name: 'Pipeline', access: 'read', expiresInDays: null, password: PASSWORD }
type Created = { key: string; info: { id: string } }

async function signedIn(): Promise<{ member: Member; visitor: Visitor }> {
  const member = await t.create.member(acme)
  return { member, visitor: await t.signIn(member) }
}

/** Returns the public API's response to a key. */
async function callWith(token: string) {
  return readAnswer(await createFacade(t.runtime)(buildRequest(token, 'GET', '/key', {}), { address: randomAddress() }))
}

describe('account.keys.create', () => {
  test('shows a key once, which works at once and is kept as a digest', async () => {
    const { member, visitor } = await signedIn()
    const answer = await visitor.post<Created>('account.keys.create', {
      ...KEY,
      name: '  Pipeline ',
      expiresInDays: 30,
    })
    expect(answer.status).toBe(200)
    const { key, info } = answer.data
    expect(key).toMatch(/^sl_[A-Za-z0-9_-]{43}$/)
    const expiresAt = new Date(t.clock.now.getTime() + 30 * DAY_MS).toISOString()
    expect(info).toEqual({
      id: expect.any(String),
      name: 'Pipeline',
      prefix: key.slice(0, 11),
      access: 'read',
      expiresAt,
      organization: { id: acme.id, name: 'Acme' },
      user: { id: member.userId, email: member.email },
      revokedAt: null,
      lastUsedAt: null,
      createdAt: t.clock.now.toISOString(),
    })
    expect(await callWith(key)).toMatchObject({
      status: 200,
      body: { id: info.id, name: 'Pipeline', access: 'read', expiresAt, user: { id: member.userId } },
    })
    const [row] = await t.db.select().from(apiKeys).where(eq(apiKeys.id, info.id))
    expect(row?.digest).toEqual(digestOf(key))
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, info.id))
    expect(entries).toMatchObject([{ action: 'api_key.create', entityName: 'Pipeline', actorId: member.userId }])
    expect(JSON.stringify(entries)).not.toContain(key)
    expect((await visitor.get('account.keys.list')).text).not.toContain(key)
  })

  test('without days it never expires', async () => {
    const { visitor } = await signedIn()
    expect((await visitor.post<Created>('account.keys.create', KEY)).data.info).toMatchObject({ expiresAt: null })
  })

  test('acts in the organization the session is in', async () => {
    const { member, visitor } = await signedIn()
    const other = await t.create.organization({ name: 'Other' })
    await t.create.member(other, { userId: member.userId })
    await visitor.post('auth.switchOrganization', { organizationId: other.id })
    const { key } = (await visitor.post<Created>('account.keys.create', KEY)).data
    expect((await callWith(key)).body).toMatchObject({ organization: { id: other.id, name: 'Other' } })
  })

  test('takes the password again, and counts wrong ones', async () => {
    const { visitor } = await signedIn()
    const wrong = { ...KEY, password: 'wrong guess' }
    for (let i = 0; i < 5; i++) {
      expect(await visitor.post('account.keys.create', wrong)).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
      })
    }
    expect(await visitor.post('account.keys.create', KEY)).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  test('requires a code if a second factor is enrolled, and accepts each code once', async () => {
    const { visitor } = await signedIn()
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() })
    await visitor.post('account.totp.confirm', { code: code() })
    expect(await visitor.post('account.keys.create', KEY)).toMatchObject({ status: 401, code: 'totp_required' })
    expect(await visitor.post('account.keys.create', { ...KEY, code: code() })).toMatchObject({
      status: 401,
      code: 'invalid_code',
    })
    t.pass(30_000)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => visitor.post('account.keys.create', { ...KEY, code: code() })),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
  })

  test('leaves the code good when nothing came of it', async () => {
    const { visitor } = await signedIn()
    for (let i = 0; i < 3; i++) await visitor.post('account.keys.create', KEY)
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() })
    await visitor.post('account.totp.confirm', { code: code() })
    t.pass(30_000)
    const refused = await visitor.post('account.keys.create', { ...KEY, code: code() })
    expect(refused).toMatchObject({ status: 400, code: 'key_limit_reached', details: { max: 3 } })
    expect((await visitor.post('account.totp.disable', { password: PASSWORD, code: code() })).status).toBe(200)
  })

  test('stops at the limit across organizations; revoked and expired keys do not count', async () => {
    const { member, visitor } = await signedIn()
    const other = await t.create.organization()
    const there = await t.create.member(other, { userId: member.userId })
    await t.create.key(there)
    await t.create.key(member, { revokedAt: new Date() })
    await t.create.key(member, { expiresAt: new Date(t.clock.now.getTime() - 1) })
    const answers = await Promise.all(Array.from({ length: 6 }, () => visitor.post('account.keys.create', KEY)))
    expect(answers.map((a) => a.status).sort()).toEqual([200, 200, 400, 400, 400, 400])
    expect(answers.find((a) => a.status === 400)).toMatchObject({ code: 'key_limit_reached', details: { max: 3 } })
  })

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(129) }],
    ['access', { access: 'admin' }],
    ['expiresInDays', { expiresInDays: 0 }],
    ['expiresInDays', { expiresInDays: 3_651 }],
    ['expiresInDays', { expiresInDays: 1.5 }],
    ['expiresInDays', { expiresInDays: '30' }],
    ['expiresInDays', { expiresInDays: undefined }],
    ['password', { password: undefined }],
  ])('refuses a malformed %s: %j', async (field, change) => {
    const { visitor } = await signedIn()
    const answer = await visitor.post('account.keys.create', { ...KEY, ...change })
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body', details: { field } })
  })

  test('takes the bounds of the days themselves', async () => {
    const { visitor } = await signedIn()
    for (const expiresInDays of [1, 3_650]) {
      expect((await visitor.post('account.keys.create', { ...KEY, expiresInDays })).status).toBe(200)
    }
  })
})

describe('account.keys.list', () => {
  test('lists the member’s keys in every organization, newest first, in pages', async () => {
    const { member, visitor } = await signedIn()
    const { info: older } = (await visitor.post<Created>('account.keys.create', { ...KEY, name: 'older' })).data
    t.pass(1_000)
    const { info: newer } = (await visitor.post<Created>('account.keys.create', { ...KEY, name: 'newer' })).data
    await t.create.key(await t.create.member(acme))
    expect((await visitor.get('account.keys.list')).data).toEqual({
      items: [newer, older],
      total: 2,
      page: 1,
      pageSize: 50,
    })
    expect((await visitor.get('account.keys.list', { page: 2, pageSize: 1 })).data).toMatchObject({
      items: [older],
      total: 2,
    })
    await visitor.post('account.keys.revoke', { id: older.id })
    await t.db.update(apiKeys).set({ lastOkAt: t.clock.now }).where(eq(apiKeys.id, newer.id))
    expect((await visitor.get('account.keys.list')).data).toMatchObject({
      items: [
        { name: 'newer', lastUsedAt: t.clock.now.toISOString(), revokedAt: null },
        { name: 'older', revokedAt: t.clock.now.toISOString(), user: { id: member.userId } },
      ],
    })
  })
})

describe('account.keys.revoke', () => {
  test('ends the key from its next request on, and once only', async () => {
    const { visitor } = await signedIn()
    const { key, info } = (await visitor.post<Created>('account.keys.create', KEY)).data
    expect((await callWith(key)).status).toBe(200)
    for (let i = 0; i < 2; i++) {
      expect((await visitor.post('account.keys.revoke', { id: info.id })).data).toEqual({ ok: true })
      expect(await callWith(key)).toMatchObject({ status: 401, body: { error: 'api_key_revoked' } })
    }
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, info.id))
    expect(entries.map((e) => e.action).sort()).toEqual(['api_key.create', 'api_key.revoke'])
  })

  test('reaches the member’s key in another organization, and is recorded there', async () => {
    const { member, visitor } = await signedIn()
    const other = await t.create.organization()
    const key = await t.create.key(await t.create.member(other, { userId: member.userId }))
    expect((await visitor.post('account.keys.revoke', { id: key.id })).status).toBe(200)
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, key.id))
    expect(entries).toMatchObject([{ organizationId: other.id, action: 'api_key.revoke' }])
  })

  test('does not find another member’s key', async () => {
    const { visitor } = await signedIn()
    const key = await t.create.key(await t.create.member(acme))
    for (const id of [key.id, crypto.randomUUID()]) {
      expect(await visitor.post('account.keys.revoke', { id })).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect((await callWith(key.token)).status).toBe(200)
    const malformed = await visitor.post('account.keys.revoke', { id: 'x' })
    expect(malformed).toMatchObject({ status: 400, code: 'invalid_uuid', details: { field: 'id' } })
  })
})
