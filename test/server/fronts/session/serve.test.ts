import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rateLimits } from '#db/schema/credentials.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { parseSettings } from '#server/process/settings.ts'
import { dashboardTextOf, type ErrorCode } from '#server/schemas/errors/error-table.ts'
import { createVault } from '#server/vault.ts'
import { PASSWORD, setPassword, testDashboard, type Visitor, visitorOf } from '#test/support/browser/dashboard.ts'
import type { Member } from '#test/support/factories.ts'

const t = testDashboard({ RATE_LIMIT_DASHBOARD_MAX: '1000', REQUEST_BODY_MAX_BYTES: '2048' })

let owner: Member
let person: Visitor
beforeAll(async () => {
  owner = (await t.create.organization({ name: 'Acme' })).owner
  person = await t.signIn(owner)
})
afterEach(() => t.db.delete(rateLimits))

const JSON_TYPE = { 'content-type': 'application/json' }

describe('credentials', () => {
  test.each([
    ['a key', async () => `Bearer ${(await t.create.key(owner)).token}`],
    ['a session', async () => `Bearer ${(person.cookie as string).split('=')[1]}`],
    ['anything', async () => 'Basic YTpi'],
    ['nothing', async () => ''],
  ])('an Authorization header with %s is refused, even with a valid cookie', async (_, value) => {
    const authorization = await value()
    for (const visitor of [person, t.visitor()]) {
      const answer = await visitor.get('auth.me', undefined, { authorization })
      expect(answer).toMatchObject({ status: 401, code: 'session_required' })
      const mutation = await visitor.post('organization.create', { name: 'x' }, { authorization })
      expect(mutation).toMatchObject({ status: 401, code: 'session_required' })
    }
    expect(await t.visitor().post('setup.create', {}, { authorization })).toMatchObject({ code: 'session_required' })
  })

  test('without a cookie, only sign-in and the like respond', async () => {
    const stranger = t.visitor()
    for (const name of ['workspaces.list', 'account.keys.list', 'members.list', 'organization.audit.list']) {
      expect(await stranger.get(name, {})).toMatchObject({ status: 401, code: 'session_required' })
    }
    expect((await stranger.get('setup.status')).status).toBe(200)
  })
})

describe('writes caused by other sites', () => {
  const change = (headers: Record<string, string>) =>
    person.send('/api/trpc/account.updateProfile', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify({ displayName: 'Changed' }),
    })

  test.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['cross-site with our origin', { 'sec-fetch-site': 'cross-site', origin: 'http://dashboard.test' }],
    ['an unknown value', { 'sec-fetch-site': 'else' }],
    ['a foreign origin', { origin: 'https://evil.test' }],
    ['a foreign origin that contains ours', { origin: 'http://dashboard.test.evil.test' }],
    ['our host with another port', { origin: 'http://dashboard.test:8080' }],
    ['an opaque origin', { origin: 'null' }],
    ['a broken origin', { origin: '://' }],
  ])('%s is refused', async (_, headers) => {
    expect(await change(headers)).toMatchObject({ status: 403, code: 'cross_site_request' })
    expect((await person.get<{ user: object }>('auth.me')).data.user).not.toMatchObject({ displayName: 'Changed' })
  })

  test.each([
    ['the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['an address that the person typed', { 'sec-fetch-site': 'none' }],
    ['our origin', { origin: 'http://dashboard.test' }],
    ['no browser', {}],
  ])('%s is accepted', async (_, headers) => {
    expect((await change(headers as Record<string, string>)).status).toBe(200)
  })

  test('BASE_URL is our only host and, behind a proxy that terminates https, our origin', async () => {
    const settings = parseSettings({ BASE_URL: 'https://watch.example.com' })
    const proxied = visitorOf(() => createDashboard({ ...t.runtime, settings }))
    const send = (origin: string, host = 'watch.example.com') =>
      proxied.send('/api/trpc/setup.create', { method: 'POST', headers: { ...JSON_TYPE, origin, host }, body: '{}' })
    expect((await send('https://watch.example.com')).code).toBe('invalid_request_body')
    expect((await send('https://watch.example.com', 'Watch.Example.com:443')).code).toBe('invalid_request_body')
    expect((await send('http://other.example.com')).code).toBe('cross_site_request')
    // For a browser, a host name that resolves to this machine makes its page and ours one site.
    for (const host of ['rebound.example', 'watch.example.com:8443', 'watch.example.com.', 'x@watch.example.com', '']) {
      const answer = await send('https://watch.example.com', host)
      expect(answer).toMatchObject({ status: 421, code: 'wrong_host' })
      expect(answer.text).toContain('BASE_URL')
      expect(answer.text).not.toContain('watch.example.com')
    }
  })

  test('16 KiB are accepted before sign-in, and the whole limit after it', async () => {
    const roomy = parseSettings({ REQUEST_BODY_MAX_BYTES: '65536', RATE_LIMIT_ENABLED: 'false' })
    const host = () => createDashboard({ ...t.runtime, settings: roomy })
    const ask = (visitor: Visitor, bytes: number) =>
      visitor.send('/api/trpc/account.updateProfile', {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ displayName: 'x'.repeat(bytes) }),
      })
    const stranger = visitorOf(host)
    expect(await ask(stranger, 16_000)).toMatchObject({ status: 401 })
    expect(await ask(stranger, 16_400)).toMatchObject({ status: 413, details: { maxBytes: 16_384 } })
    const known = visitorOf(host)
    known.cookie = person.cookie
    expect(await ask(known, 60_000)).toMatchObject({ status: 400, code: 'invalid_request_body' })
    expect(await ask(known, 70_000)).toMatchObject({ status: 413, details: { maxBytes: 65_536 } })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('a body declared as %s is refused', async (type) => {
    const answer = await change({ 'content-type': type, 'sec-fetch-site': 'same-origin' })
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body' })
  })

  test('so is a body without a type', async () => {
    const bytes = new TextEncoder().encode('{"displayName":"Changed"}')
    const answer = await person.send('/api/trpc/account.updateProfile', { method: 'POST', body: bytes })
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request_body' })
  })

  test('a mutation by GET is refused, and so is a query by POST', async () => {
    expect(await person.get('account.updateProfile', { displayName: 'Changed' })).toMatchObject({
      status: 405,
      code: 'method_not_allowed',
    })
    expect(await person.post('auth.me')).toMatchObject({ status: 405, code: 'method_not_allowed' })
  })

  test.each([
    ['auth.invitation', 'invitation_invalid'],
    ['auth.passwordReset', 'reset_invalid'],
    ['setup.link', 'setup_complete'],
  ])('%s takes the token of a link by POST, so that it does not appear in a URL', async (name, code) => {
    expect((await person.post(name, { token: 'none' })).code).toBe(code)
    expect((await person.get(name, { token: 'none' })).code).toBe(code)
  })
})

describe('a malformed request', () => {
  test.each([
    ['an unknown operation', 'GET', '/api/trpc/nothing.here', undefined, 404, 'not_found'],
    ['a router', 'GET', '/api/trpc/account', undefined, 404, 'not_found'],
    ['no operation', 'GET', '/api/trpc/', undefined, 404, 'not_found'],
    ['a name that every object inherits', 'GET', '/api/trpc/constructor', undefined, 404, 'not_found'],
    ['another method', 'PUT', '/api/trpc/auth.me', '{}', 405, 'method_not_allowed'],
    ['another method', 'DELETE', '/api/trpc/auth.me', undefined, 405, 'method_not_allowed'],
    ['several at once', 'GET', '/api/trpc/auth.me,setup.status?batch=1', undefined, 400, 'invalid_request_body'],
    ['a body that is not JSON', 'POST', '/api/trpc/auth.signIn', '{"email"', 400, 'invalid_request_body'],
    ['a body that is not an object', 'POST', '/api/trpc/auth.signIn', '"text"', 400, 'invalid_request_body'],
    [
      'an input that is not JSON',
      'GET',
      '/api/trpc/account.keys.list?input=%7B',
      undefined,
      400,
      'invalid_request_body',
    ],
    ['a broken input', 'GET', '/api/trpc/account.keys.list?input=%E0%A4%A', undefined, 400, 'invalid_request_body'],
    ['deep nesting', 'POST', '/api/trpc/auth.signIn', `${'['.repeat(900)}${']'.repeat(900)}`, 400, undefined],
    [
      'half a surrogate pair',
      'POST',
      '/api/trpc/auth.signIn',
      '{"email":"\\ud800","password":"x"}',
      400,
      'invalid_request_body',
    ],
    ['a body over the limit', 'POST', '/api/trpc/auth.signIn', 'x'.repeat(2_049), 413, 'request_body_too_large'],
  ])('%s gets an error in the same format', async (_, method, path, body, status, code) => {
    const init = { method, headers: JSON_TYPE, ...(body === undefined ? {} : { body }) }
    const answer = await person.send(path, init)
    expect(answer.status).toBe(status)
    if (code) expect(answer.code).toBe(code)
    const { error } = JSON.parse(answer.text)
    expect(error).toEqual({
      message: dashboardTextOf({ api: answer.code as ErrorCode, details: answer.details ?? {} }),
      code: expect.any(Number),
      data: { code: answer.code, httpStatus: status, details: answer.details },
    })
  })

  test('never gets a streamed response', async () => {
    const answer = await person.get('auth.me', undefined, { 'trpc-accept': 'application/jsonl' })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.status).toBe(200)
  })

  test('keys that every object inherits are not fields of an input', async () => {
    const answer = await person.send('/api/trpc/auth.signIn', {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"__proto__":{"email":"a@example.com"},"constructor":1,"password":"x"}',
    })
    expect(answer).toMatchObject({ status: 400, details: { field: 'email' } })
  })
})

describe('responses', () => {
  test("are not cached, have their request's id, and do not describe a failure", async () => {
    const answer = await person.get('auth.me')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const broken = visitorOf(() => createDashboard({ ...t.runtime, db: null as never }))
    const failure = await broken.get('setup.status').catch((error: Error) => error.message)
    expect(failure).toContain('500')
    expect(failure).toContain('"details":null')
    expect(failure).not.toMatch(/Cannot read|null \(reading|stack/)
  })
})

describe('the cookie over https', () => {
  const over = (keys: { id: string; secret: string }[]) => {
    const settings = parseSettings({ BASE_URL: 'https://watch.example.com' })
    const host = () => createDashboard({ ...t.runtime, settings, vault: createVault(keys) })
    return visitorOf(host, undefined, 'watch.example.com')
  }
  const OLD = { id: 'key-1', secret: 'a'.repeat(32) }
  const NEW = { id: 'key-2', secret: 'b'.repeat(32) }

  test('is bound to the host and to https, and stays valid over a key rotation until the old key is removed', async () => {
    await setPassword(t.db, owner.userId)
    const visitor = over([OLD])
    const answer = await visitor.post('auth.signIn', { email: owner.email, password: PASSWORD })
    const [session, device] = answer.headers.getSetCookie()
    expect(session).toMatch(/^__Host-soundline=Fe26\.2\*\S+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/)
    expect(device).toMatch(/^__Host-soundline-device=Fe26\.2\*\S+; Path=\/; HttpOnly; SameSite=Lax; Secure; /)
    const cookie = visitor.cookie as string
    expect((await over([NEW, OLD]).get('auth.me', undefined, { cookie })).status).toBe(200)
    expect((await over([NEW]).get('auth.me', undefined, { cookie })).code).toBe('session_required')
    // The same key id with another secret.
    expect((await over([{ ...OLD, secret: NEW.secret }]).get('auth.me', undefined, { cookie })).code).toBe(
      'session_required',
    )
    const plain = cookie.replace('__Host-soundline', 'soundline')
    expect((await over([OLD]).get('auth.me', undefined, { cookie: plain })).code).toBe('session_required')
  })
})

describe('a query', () => {
  test.each(['workspaces.list', 'members.list', 'silences.list', 'agents.list', 'auth.me'])(
    '%s works without input, because every field has a default',
    async (name) => expect(await person.get(name)).toMatchObject({ status: 200 }),
  )

  test('names the field that is missing', async () => {
    expect(await person.get('projects.list')).toMatchObject({ status: 400, details: { field: 'workspaceId' } })
  })
})

describe('the rate limit of an address', () => {
  test('admits its maximum and then sends Retry-After', async () => {
    const settings = parseSettings({ RATE_LIMIT_DASHBOARD_MAX: '5' })
    const limited = visitorOf(() => createDashboard({ ...t.runtime, settings }))
    const answers = await Promise.all(Array.from({ length: 12 }, () => limited.get('setup.status')))
    // Up to twice as many when a new window starts in between.
    const passed = answers.filter((a) => a.status === 200).length
    expect(passed).toBeGreaterThanOrEqual(5)
    expect(passed).toBeLessThanOrEqual(10)
    const refused = answers.filter((a) => a.status !== 200)
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 429, code: 'rate_limited' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    const other = visitorOf(() => createDashboard({ ...t.runtime, settings }))
    expect((await other.get('setup.status')).status).toBe(200)
  })

  test('does not count while rate limiting is off', async () => {
    const settings = parseSettings({ RATE_LIMIT_DASHBOARD_MAX: '1', RATE_LIMIT_ENABLED: 'false' })
    const free = visitorOf(() => createDashboard({ ...t.runtime, settings }))
    for (let i = 0; i < 3; i++) expect((await free.get('setup.status')).status).toBe(200)
    expect(await t.db.$count(rateLimits)).toBe(0)
  })
})
