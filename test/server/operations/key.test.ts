import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { apiKeys } from '#db/schema/credentials.ts'
import { groupMembers, memberships, organizations, users } from '#db/schema/organizations.ts'
import { HOUR_MS } from '#server/durations.ts'
import { digestOf, mintKey } from '#server/identity/auth/api-keys.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Member, Organization } from '#test/support/factories.ts'

const api = testApi()
let organization: Organization
let member: Member
let key: Key

beforeAll(async () => {
  organization = await api.create.organization()
  member = await api.create.member(organization)
  key = await api.create.key(member)
})

const PAST = new Date('2020-01-01T00:00:00Z')

describe('GET /key', () => {
  test('200 describes the calling key', async () => {
    const reading = await api.create.key(member, { access: 'read', expiresAt: new Date('2100-01-01T00:00:00Z') })
    const { status, body } = await api.call(reading, 'GET', '/key')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: reading.id,
      name: reading.name,
      prefix: reading.token.slice(0, 11),
      access: 'read',
      expiresAt: '2100-01-01T00:00:00.000Z',
      organization: { id: organization.id, name: organization.name },
      user: { id: member.userId, email: member.email },
    })
  })

  test('200 with null for a key that never expires', async () => {
    expect((await api.call(key, 'GET', '/key')).body).toMatchObject({ access: 'write', expiresAt: null })
  })

  test('a key acts in the organization it was made in, whatever else its member belongs to', async () => {
    const other = await api.create.organization()
    const there = await api.create.member(other, { userId: member.userId })
    const { body } = await api.call(await api.create.key(there), 'GET', '/key')
    expect(body).toMatchObject({ organization: { id: other.id }, user: { id: member.userId } })
    expect((await api.call(key, 'GET', '/key')).body).toMatchObject({ organization: { id: organization.id } })
  })

  test('has no answer in the dashboard', async () => {
    await expect((await api.caller(member)).key.get()).rejects.toMatchObject({ api: 'not_found' })
  })
})

describe('the key itself', () => {
  test('is a prefix and 43 characters of base64url, of which the digest is kept', () => {
    const made = Array.from({ length: 50 }, mintKey)
    for (const { token, prefix, digest } of made) {
      expect(token).toMatch(/^sl_[A-Za-z0-9_-]{43}$/)
      expect(prefix).toBe(token.slice(0, 11))
      expect(digest).toEqual(digestOf(token))
    }
    expect(new Set(made.map(({ token }) => token)).size).toBe(50)
  })

  test('is not found under a twin of its last character', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(key.token.at(-1) as string)
    // 43 characters hold 258 bits, so the last two of the last character say nothing.
    const twin = key.token.slice(0, -1) + alphabet[last ^ 1]
    expect((await api.call(twin, 'GET', '/key')).body).toEqual({ error: 'invalid_api_key' })
  })
})

type State = { make: () => Promise<string | null>; status: number; error: string }

/** Each state of a key with its response. Each has a new key, so that no state affects another. */
const STATES: Record<string, State> = {
  'no header': { make: async () => null, status: 401, error: 'missing_auth_header' },
  unknown: { make: async () => mintKey().token, status: 401, error: 'invalid_api_key' },
  revoked: {
    make: async () => (await api.create.key(member, { revokedAt: PAST })).token,
    status: 401,
    error: 'api_key_revoked',
  },
  'revoked and expired': {
    make: async () => (await api.create.key(member, { revokedAt: PAST, expiresAt: PAST })).token,
    status: 401,
    error: 'api_key_revoked',
  },
  expired: {
    make: async () => (await api.create.key(member, { expiresAt: PAST })).token,
    status: 401,
    error: 'api_key_expired',
  },
  'of a disabled member': {
    make: async () => (await api.create.key(await api.create.member(organization, { isActive: false }))).token,
    status: 401,
    error: 'api_key_owner_inactive',
  },
  'of a disabled account': {
    make: async () => (await api.create.key(await api.create.member(organization, { isAccountActive: false }))).token,
    status: 401,
    error: 'api_key_owner_inactive',
  },
  'of a member who is gone': {
    make: async () => {
      const gone = await api.create.member(organization)
      const { token } = await api.create.key(gone)
      await api.db.delete(memberships).where(eq(memberships.id, gone.membershipId))
      return token
    },
    status: 401,
    error: 'api_key_owner_inactive',
  },
  'of a member without the second factor the organization requires': {
    make: async () => (await api.create.key((await api.create.organization({ requireTotp: true })).owner)).token,
    status: 403,
    error: 'totp_enrollment_required',
  },
  'of a member without the second factor a group requires': {
    make: async () => {
      const strict = await api.create.group(organization, { requireTotp: true })
      return (await api.create.key(await api.create.member(organization, { groups: [strict] }))).token
    },
    status: 403,
    error: 'totp_enrollment_required',
  },
}

describe.each(Object.entries(STATES))('a key %s', (_, { make, status, error }) => {
  test('has the same answer from operations that read and that write, before anything else is looked at', async () => {
    const token = await make()
    for (const [method, path] of [
      ['GET', '/services/not-an-id'],
      ['POST', '/workspaces'],
    ] as const) {
      const answer = await api.call(token, method, path, method === 'GET' ? {} : { rawBody: 'not json' })
      expect([path, answer.status, answer.body]).toEqual([path, status, { error }])
      expect(answer.headers.has('x-ratelimit-remaining')).toBe(token !== null)
    }
  })
})

// The last of the states that are looked at.
test('a key without the second factor has the same answer from every operation', async () => {
  const { make, status, error } = STATES['of a member without the second factor a group requires'] as State
  const token = await make()
  const operations = Object.entries(api.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
  expect(operations.length).toBeGreaterThan(10)
  for (const { method, path } of operations) {
    const to = path.replace(/\{[^}]+\}/g, 'not-an-id')
    const options = method === 'GET' || method === 'DELETE' ? {} : { rawBody: 'not json' }
    const answer = await api.call(token, method, to, options)
    expect([method, to, answer.status, answer.body]).toEqual([method, to, status, { error }])
  }
})

describe('what changes while a key lives counts from the next request on', () => {
  const answerOf = async (token: string) => (await api.call(token, 'GET', '/key')).body?.error ?? 'fine'

  test('the member is disabled and enabled again', async () => {
    const someone = await api.create.member(organization)
    const { token } = await api.create.key(someone)
    const membership = eq(memberships.id, someone.membershipId)
    expect(await answerOf(token)).toBe('fine')
    await api.db.update(memberships).set({ isActive: false }).where(membership)
    expect(await answerOf(token)).toBe('api_key_owner_inactive')
    await api.db.update(memberships).set({ isActive: true }).where(membership)
    expect(await answerOf(token)).toBe('fine')
  })

  test('the key is revoked', async () => {
    const made = await api.create.key(member)
    expect(await answerOf(made.token)).toBe('fine')
    await api.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, made.id))
    expect(await answerOf(made.token)).toBe('api_key_revoked')
  })

  test('the key expires', async () => {
    const made = await api.create.key(member, { expiresAt: new Date(Date.now() + HOUR_MS) })
    expect(await answerOf(made.token)).toBe('fine')
    await api.db
      .update(apiKeys)
      .set({ expiresAt: sql`now() - interval '1 millisecond'` })
      .where(eq(apiKeys.id, made.id))
    expect(await answerOf(made.token)).toBe('api_key_expired')
  })

  test('a second factor is required and enrolled', async () => {
    const strict = await api.create.organization()
    const { token } = await api.create.key(strict.owner)
    expect(await answerOf(token)).toBe('fine')
    await api.db.update(organizations).set({ requireTotp: true }).where(eq(organizations.id, strict.id))
    expect(await answerOf(token)).toBe('totp_enrollment_required')
    await api.db.update(users).set({ totpEnrolledAt: new Date() }).where(eq(users.id, strict.owner.userId))
    expect(await answerOf(token)).toBe('fine')
  })

  test('the member is promoted by a group and demoted again', async () => {
    const someone = await api.create.member(organization)
    const { token } = await api.create.key(someone)
    const makers = await api.create.group(organization, { sections: { workspaces: 'write' } })
    const create = async () => (await api.call(token, 'POST', '/workspaces', { body: { name: randomUUID() } })).status
    expect(await create()).toBe(403)
    const membership = { organizationId: organization.id, groupId: makers.id, membershipId: someone.membershipId }
    await api.db.insert(groupMembers).values(membership)
    expect(await create()).toBe(200)
    await api.db.delete(groupMembers).where(eq(groupMembers.membershipId, someone.membershipId))
    expect(await create()).toBe(403)
  })
})

// That no operation that changes something takes a read key is in the permission matrix.
test('a read key reads with GET and HEAD, and no other method reaches an operation', async () => {
  const reading = await api.create.key(organization.owner, { access: 'read' })
  for (const path of ['/key', '/workspaces', `/services/${randomUUID()}`]) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await api.call(reading, method, path, { rawBody: 'not json' })
      expect([answer.status, answer.body]).toEqual([403, { error: 'api_key_read_only' }])
      expect(answer.headers.has('x-ratelimit-remaining')).toBe(true)
    }
    for (const method of ['GET', 'HEAD']) expect((await api.call(reading, method, path)).status).not.toBe(403)
  }
})

test('what a key does is recorded as its member, with the key beside them', async () => {
  const acting = await api.create.key(organization.owner, { name: 'deploys' })
  const { body } = await api.call(acting, 'POST', '/workspaces', { body: { name: randomUUID() }, address: '192.0.2.7' })
  const [entry] = await api.db.execute(
    sql`select actor_id, actor_email, key_id, key_name, address from audit_entries where entity_id = ${body.id}`,
  )
  expect(entry).toEqual({
    actor_id: organization.owner.userId,
    actor_email: organization.owner.email,
    key_id: acting.id,
    key_name: 'deploys',
    address: '192.0.2.7',
  })
})
