import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { apiKeys, rateLimits } from '#db/schema/credentials.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createFacade, type Facade } from '#server/fronts/rest/facade.ts'
import { createHealth } from '#server/health/health.ts'
import { addressBucket, clientAddress } from '#server/http/client-address.ts'
import { createFront } from '#server/http/front.ts'
import { countRequest, deleteStaleRateLimits, rateLimitKey } from '#server/http/rate-limits.ts'
import { mintKey } from '#server/identity/auth/api-keys.ts'
import { buildRequest, type CallOptions, readAnswer, testApi, testRuntime } from '#test/support/api/api.ts'
import { type Answer, contract, wholePath } from '#test/support/api/contract.ts'
import type { Key, Member } from '#test/support/factories.ts'

const api = testApi()
let owner: Member
/** Longer than any test takes. */
const WINDOW_SECONDS = '3600'

beforeAll(async () => {
  owner = (await api.create.organization()).owner
})

/** The facade of another process on the same database, with its own pool and settings. */
async function otherProcess(settings: Record<string, string> = {}) {
  const db = openDatabase(api.databaseUrl, { max: 6, name: 'soundline-test' })
  const runtime = testRuntime(db, {
    RATE_LIMIT_API_WINDOW: WINDOW_SECONDS,
    RATE_LIMIT_API_FAILURE_WINDOW: WINDOW_SECONDS,
    RATE_LIMIT_API_MAX: '300',
    RATE_LIMIT_API_FAILURE_MAX: '30',
    ...settings,
  })
  const facade = createFacade(runtime)
  return {
    runtime,
    facade,
    call: (key: Key | string | null, options: CallOptions & { method?: string; path?: string } = {}) =>
      ask(facade, key, options),
    [Symbol.asyncDispose]: () => closeDatabase(db),
  }
}

async function ask(
  facade: Facade,
  key: Key | string | null,
  { method = 'GET', path = '/key', ...options }: CallOptions & { method?: string; path?: string },
): Promise<Answer<{ error?: string } | null>> {
  const response = await facade(buildRequest(key, method, path, options), { address: options.address ?? '127.0.0.1' })
  const answer = await readAnswer(response)
  contract().check(method, wholePath(path), answer)
  // Refused by admission control, which counts nothing.
  if (answer.status === 503) return ask(facade, key, { method, path, ...options })
  return answer as Answer<{ error?: string } | null>
}

const errorOf = ({ body }: Answer<{ error?: string } | null>) => body?.error ?? 'none'

/** Ends the windows of all rate limits. */
async function endWindows(): Promise<void> {
  await api.db.update(rateLimits).set({ windowStart: 0 })
}

describe("the key's rate limit", () => {
  test('admits exactly its maximum, whatever the number of processes and connections', async () => {
    await using one = await otherProcess({ RATE_LIMIT_API_MAX: '70' })
    await using two = await otherProcess({ RATE_LIMIT_API_MAX: '70' })
    const key = await api.create.key(owner)
    // A hundred at once: admission control would refuse many more.
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 ? one : two).call(key)))
    const admitted = answers.filter(({ status }) => status === 200)
    expect(admitted).toHaveLength(70)
    const remaining = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 70 }, (_, i) => 69 - i))
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect([refused.status, errorOf(refused)]).toEqual([429, 'rate_limited'])
      expect(refused.headers.get('x-ratelimit-limit')).toBe('70')
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    }
  })

  test('is separate for each key', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_MAX: '2' })
    const keys = await Promise.all(Array.from({ length: 5 }, () => api.create.key(owner)))
    for (const key of keys) {
      const statuses = [await process.call(key), await process.call(key), await process.call(key)]
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    }
  })

  test('counts every request that reaches it, refused ones too', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_MAX: '5' })
    const key = await api.create.key(owner, { access: 'read' })
    const requests = [
      { path: '/nothing' },
      { method: 'POST', path: '/workspaces' },
      { path: '/workspaces/x' },
      { method: 'HEAD' },
      {},
      {},
    ]
    const answers = []
    for (const request of requests) answers.push(await process.call(key, request))
    expect(answers.map(({ status }) => status)).toEqual([404, 403, 400, 200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0'])
  })

  test.each(['revoked', 'expired'] as const)('counts a key that is %s', async (state) => {
    await using process = await otherProcess({ RATE_LIMIT_API_MAX: '1' })
    const past = new Date('2020-01-01T00:00:00Z')
    const key = await api.create.key(owner, state === 'revoked' ? { revokedAt: past } : { expiresAt: past })
    expect(errorOf(await process.call(key))).toBe(`api_key_${state}`)
    expect(errorOf(await process.call(key))).toBe('rate_limited')
  })

  test('admits a request after Retry-After has passed', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_MAX: '1', RATE_LIMIT_API_WINDOW: '2' })
    const key = await api.create.key(owner)
    for (let round = 0; round < 2; round++) {
      let refused = await process.call(key)
      // The first request may fall in one window and the second in the next.
      while (refused.status === 200) refused = await process.call(key)
      const seconds = Number(refused.headers.get('retry-after'))
      expect([1, 2]).toContain(seconds)
      await sleep(seconds * 1_000)
      expect((await process.call(key)).status).toBe(200)
    }
  })

  test('does not exist while rate limiting is switched off', async () => {
    await using process = await otherProcess({
      RATE_LIMIT_ENABLED: 'false',
      RATE_LIMIT_API_MAX: '1',
      RATE_LIMIT_API_FAILURE_MAX: '1',
    })
    const before = await api.db.$count(rateLimits)
    const key = await api.create.key(owner)
    for (let i = 0; i < 3; i++) {
      const answer = await process.call(key)
      expect(answer.status).toBe(200)
      expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
      expect(errorOf(await process.call(null))).toBe('missing_auth_header')
      expect(errorOf(await process.call(mintKey().token))).toBe('invalid_api_key')
    }
    expect(await api.db.$count(rateLimits)).toBe(before)
  })
})

describe("the address's limit of unknown tokens", () => {
  test('admits its maximum of unknown, missing and empty tokens, and no more', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '12' })
    const address = '198.51.100.1'
    const headers: Record<string, string>[] = [{}, { authorization: '' }, { authorization: 'Bearer ' }]
    for (let i = 0; i < 12; i++) {
      const answer =
        i % 2
          ? await process.call(mintKey().token, { address })
          : await process.call(null, { address, headers: headers[i % 3] ?? {} })
      expect(answer.status).toBe(401)
    }
    for (const token of [null, mintKey().token]) {
      const refused = await process.call(token, { address })
      expect([refused.status, errorOf(refused)]).toEqual([429, 'too_many_unknown_keys'])
      expect([...refused.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    }
  })

  test('admits exactly its maximum under concurrency', async () => {
    await using one = await otherProcess()
    await using two = await otherProcess()
    const address = '198.51.100.2'
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? one : two).call(i % 4 < 2 ? mintKey().token : null, { address })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30)
    expect(answers.filter((answer) => errorOf(answer) === 'too_many_unknown_keys')).toHaveLength(30)
  })

  test('does not count keys that are revoked or expired', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '2' })
    const address = '198.51.100.3'
    const past = new Date('2020-01-01T00:00:00Z')
    const keys = [await api.create.key(owner, { revokedAt: past }), await api.create.key(owner, { expiresAt: past })]
    for (let i = 0; i < 4; i++) for (const key of keys) await process.call(key, { address })
    expect(errorOf(await process.call(null, { address }))).toBe('missing_auth_header')
  })

  test('once reached, refuses every token without checking it, except keys that were accepted within five minutes', async () => {
    await using one = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '3' })
    await using two = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '3' })
    const address = '198.51.100.4'
    const warm = await api.create.key(owner)
    const cold = await api.create.key(owner)
    expect((await one.call(warm, { address })).status).toBe(200)
    for (let i = 0; i < 3; i++) await one.call(null, { address })

    // The exemption began in one process and holds in the other.
    expect((await two.call(warm, { address })).status).toBe(200)
    expect(errorOf(await two.call(cold, { address }))).toBe('too_many_unknown_keys')
    expect((await two.call(cold, { address: '198.51.100.5' })).status).toBe(200)
    // That was the key's first success, from another address: now it is exempt.
    expect((await one.call(cold, { address })).status).toBe(200)

    const setLastUse = (interval: string) =>
      api.db
        .update(apiKeys)
        .set({ lastOkAt: sql`now() - ${interval}::interval` })
        .where(eq(apiKeys.id, warm.id))
    // The exemption ends after five minutes.
    await setLastUse('295 seconds')
    expect((await one.call(warm, { address })).status).toBe(200)
    await setLastUse('301 seconds')
    expect(errorOf(await one.call(warm, { address }))).toBe('too_many_unknown_keys')
    await endWindows()
    expect((await one.call(warm, { address })).status).toBe(200)
    for (let i = 0; i < 3; i++) await one.call(null, { address })
    expect((await two.call(warm, { address })).status).toBe(200)
  })

  test('refuses without counting the token or touching a row', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '1' })
    const address = '198.51.100.6'
    await process.call(null, { address })
    const before = await api.db.execute(sql`select count(*)::int as rows, sum(used)::int as used from rate_limits`)
    for (let i = 0; i < 5; i++) await process.call(mintKey().token, { address })
    const after = await api.db.execute(sql`select count(*)::int as rows, sum(used)::int as used from rate_limits`)
    expect(after[0]).toEqual(before[0])
  })

  test('admits a key that was not used lately once Retry-After has passed', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '1', RATE_LIMIT_API_FAILURE_WINDOW: '2' })
    const address = '198.51.100.7'
    const key = await api.create.key(owner)
    let refused = await process.call(null, { address })
    while (refused.status === 401) refused = await process.call(null, { address })
    await sleep(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await process.call(key, { address })).status).toBe(200)
  })

  test('counts an IPv6 subscriber, not each of their addresses', async () => {
    await using process = await otherProcess({ RATE_LIMIT_API_FAILURE_MAX: '4' })
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await process.call(null, { address: `2001:db8:1:2:${i}::${i}` }))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429, 429])
    expect((await process.call(null, { address: '2001:db8:1:3::1' })).status).toBe(401)
  })

  test("a key's use is recorded at most once per second", async () => {
    const key = await api.create.key(owner)
    const lastOk = async () =>
      (await api.db.select({ at: apiKeys.lastOkAt }).from(apiKeys).where(eq(apiKeys.id, key.id)))[0]?.at?.getTime()
    await api.call(key, 'GET', '/key')
    expect(await lastOk()).toBeTypeOf('number')
    // In the future, so that a slow machine does not reach it.
    await api.db.update(apiKeys).set({ lastOkAt: sql`now() + interval '1 hour'` }).where(eq(apiKeys.id, key.id))
    const noted = await lastOk()
    await api.call(key, 'GET', '/key')
    expect(await lastOk()).toBe(noted)
    await api.db.update(apiKeys).set({ lastOkAt: sql`now() - interval '10 seconds'` }).where(eq(apiKeys.id, key.id))
    const stale = await lastOk()
    await api.call(key, 'GET', '/key')
    expect(await lastOk()).toBeGreaterThan(stale as number)
  })
})

describe('the client', () => {
  async function listening(
    settings: Record<string, string>,
  ): Promise<{ server: Server; ask: (headers: Record<string, string>) => Promise<number> }> {
    const runtime = testRuntime(api.db, {
      RATE_LIMIT_API_FAILURE_MAX: '30',
      RATE_LIMIT_API_FAILURE_WINDOW: WINDOW_SECONDS,
      ...settings,
    })
    const facade = createFacade(runtime)
    const server = createFront({
      runtime,
      api: facade,
      document: createDocument(runtime),
      health: createHealth(runtime),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/public/v1/key`
    return { server, ask: async (headers) => (await fetch(url, { headers })).status }
  }

  test("is the socket's address, whatever the headers contain", async () => {
    await endWindows()
    const { server, ask } = await listening({ RATE_LIMIT_API_FAILURE_MAX: '5' })
    const statuses = []
    for (let i = 0; i < 7; i++) {
      const spoofed = `203.0.113.${i}`
      statuses.push(
        await ask({
          'X-Forwarded-For': spoofed,
          'X-Real-IP': spoofed,
          Forwarded: `for=${spoofed}`,
          'X-Client-Address': spoofed,
        }),
      )
    }
    expect(statuses).toEqual([...Array(5).fill(401), 429, 429])
    await new Promise((resolve) => server.close(resolve))
  })

  test('is the address that the outermost trusted proxy saw, whatever entries the client added', async () => {
    const { server, ask } = await listening({ TRUSTED_PROXY_HOPS: '2', RATE_LIMIT_API_FAILURE_MAX: '5' })
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push(await ask({ 'X-Forwarded-For': `192.0.2.${i}, 203.0.113.77, 10.0.0.1` }))
    expect(statuses).toEqual([...Array(5).fill(401), 429, 429])
    expect(await ask({ 'X-Forwarded-For': '203.0.113.77, 203.0.113.78, 10.0.0.1' })).toBe(401)
    await new Promise((resolve) => server.close(resolve))
  })

  test.each([
    ['192.0.2.1', null, 0, '192.0.2.1'],
    ['192.0.2.1', '6.6.6.6', 0, '192.0.2.1'],
    ['192.0.2.1', '6.6.6.6', 1, '6.6.6.6'],
    ['192.0.2.1', '6.6.6.6, 7.7.7.7', 1, '7.7.7.7'],
    ['192.0.2.1', '6.6.6.6,7.7.7.7', 2, '6.6.6.6'],
    ['192.0.2.1', '7.7.7.7', 2, '192.0.2.1'],
    ['192.0.2.1', 'nonsense', 1, '192.0.2.1'],
    ['192.0.2.1', '1', 1, '192.0.2.1'],
    ['192.0.2.1', '6.6.6.6:4711', 1, '6.6.6.6'],
    ['192.0.2.1', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['::ffff:192.0.2.1', null, 0, '192.0.2.1'],
    ['fe80::1%eth0', null, 0, 'fe80::1'],
    [undefined, null, 0, 'unknown'],
  ])('socket %s, forwarded %s, %d hops: %s', (socket, forwarded, hops, expected) => {
    expect(clientAddress(socket, forwarded, hops)).toBe(expected)
  })

  test('counts by its address, or by its /64', () => {
    expect(addressBucket('192.0.2.1')).toBe('192.0.2.1')
    expect(addressBucket('2001:db8:1:2:3:4:5:6')).toBe(addressBucket('2001:db8:1:2::1'))
    expect(addressBucket('2001:db8:1:2::1')).not.toBe(addressBucket('2001:db8:1:3::1'))
    expect(addressBucket('unknown')).toBe('unknown')
  })
})

describe('windows', () => {
  test('last from their first request on, start from zero, and a statement that started in an older window never sets a newer one back', async () => {
    const key = rateLimitKey('document', 'windows')
    const limit = { max: 5, windowSeconds: Number(WINDOW_SECONDS) }
    expect((await countRequest(api.db, key, limit)).used).toBe(1)
    expect((await countRequest(api.db, key, limit)).used).toBe(2)
    const age = (seconds: number) =>
      api.db
        .update(rateLimits)
        .set({ windowStart: sql`window_start - ${seconds}` })
        .where(eq(rateLimits.key, key))
    await age(limit.windowSeconds / 2)
    expect((await countRequest(api.db, key, limit)).used).toBe(3)
    await age(limit.windowSeconds / 2)
    expect((await countRequest(api.db, key, limit)).used).toBe(1)
    const ahead = sql`(extract(epoch from now()) + 100000)::bigint`
    await api.db.update(rateLimits).set({ windowStart: ahead }).where(eq(rateLimits.key, key))
    expect((await countRequest(api.db, key, limit)).used).toBe(2)
  })

  test('that ended long ago are deleted; those in use stay', async () => {
    const [old, live] = [rateLimitKey('address', 'old'), rateLimitKey('address', 'live')]
    const limit = { max: 5, windowSeconds: 60 }
    await countRequest(api.db, old, limit)
    await countRequest(api.db, live, limit)
    await api.db.update(rateLimits).set({ windowStart: sql`window_start - 10000` }).where(eq(rateLimits.key, old))
    await deleteStaleRateLimits(api.db)
    expect(await api.db.$count(rateLimits, eq(rateLimits.key, old))).toBe(0)
    expect(await api.db.$count(rateLimits, eq(rateLimits.key, live))).toBe(1)
  })

  test('store no readable address', async () => {
    await api.call(null, 'GET', '/key', { address: '198.51.100.200' })
    const rows = await api.db.select({ key: rateLimits.key }).from(rateLimits)
    for (const { key } of rows) expect(key).toHaveLength(32)
  })
})
