// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { openStore } from '#server/bodies/store.ts'
import { failureOf } from '#server/results/results/failure.ts'
import { createRunLoader } from '#server/runs/probes/run-loader.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { RunFailure } from '#server/schemas/results/failures.ts'
import { MASK } from '#server/schemas/variables.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { type CertificateScenario, makeCertificate } from '#test/support/certificates.ts'
import { testFolder } from '#test/support/folder.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { listeningPort } from '#test/support/targets/canary.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { writeMachineFiles } from '#test/support/targets/machine-files.ts'
import { type NameServer, startNameServer } from '#test/support/targets/name-server.ts'
import { startSilent } from '#test/support/targets/silent.ts'
import { createTransport } from '#worker/http/client.ts'
import { createResolver } from '#worker/http/resolve.ts'
import { type ExecuteOptions, executeRun } from '#worker/probe/execute.ts'

// Real runs against targets on loopback that fail in every way, and what the failure of each says.

const SECRET = 'Wp8-zü/Qk31'
const PAGE = `<html>${'€😀'.repeat(400)}</html>`
const database = probedDatabase()
const folder = testFolder()
const tls = {} as Record<Exclude<CertificateScenario, 'valid'>, HttpTarget>
let target: HttpTarget
let nameServer: NameServer
let silent: { close: () => Promise<void> }
let mute: Server
const VAULT = createVault([{ id: 'test', secret: '0123456789abcdef'.repeat(4) }])
const TRUST = { TRUSTED_DOMAIN_MODE: true, PROBE_ALLOWED_NETWORKS: ['127.0.0.0/8'] }
let options: Omit<ExecuteOptions, 'load'>
/** The part of the targets' URLs that differs from run to run. */
let at: { http: string; port: number; mute: string; tls: (scenario: keyof typeof tls) => string }

const BODIES: Record<string, [type: string, body: string | Buffer]> = {
  '/page': ['text/html; charset=utf-8', PAGE],
  '/shifted': ['text/html', ` ${PAGE}`],
  '/problem': ['application/problem+json', '{"title":"no stock"}'],
  '/xml': ['application/xml', '<error/>'],
  '/latin1': ['text/plain; charset=ISO-8859-1', Buffer.from('caf\u00e9 \0', 'latin1')],
  '/utf16': ['text/plain; charset=utf-16le', Buffer.from(`token ${SECRET} end`, 'utf16le')],
  '/secret': ['text/plain', `${'x'.repeat(495)}${SECRET} end`],
  '/secrets': [
    'application/json',
    JSON.stringify({ url: encodeURIComponent(SECRET), hex: Buffer.from(SECRET).toString('hex') }),
  ],
  '/image': ['image/png', Buffer.from([0x89, 0x50, 0xff, 0])],
  '/untyped': ['application/octet-stream', 'text, but nobody says so'],
  '/wrong': ['text/plain', Buffer.from([0x61, 0xff, 0xfe])],
  '/declared': ['text/html', Buffer.from('<meta charset="latin1">caf\u00e9', 'latin1')],
  '/unknown': ['text/plain; charset=klingon', 'nuqneH'],
  '/empty': ['text/plain', ''],
}

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (path === '/hang') return
    if (path === '/drip') return void response.writeHead(200).write('{"almost":')
    if (path === '/closed') return void request.socket.destroy()
    if (path === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (path === '/old') return void response.writeHead(302, { location: '/new' }).end()
    const [type, body] = BODIES[path] ?? [
      'application/json',
      '{"count":3,"name":"a","ok":false,"items":[{"price":"1"}]}',
    ]
    response.writeHead(path in BODIES ? 500 : 200, { 'content-type': type, 'x-version': '7' }).end(body)
  })
  for (const scenario of ['expired', 'wrong_host', 'self_signed'] as const) {
    tls[scenario] = await startHttpTarget((_, response) => response.end(), {
      certificate: await makeCertificate(scenario),
    })
  }
  // Accepts connections and never answers, which a TLS client waits for in its handshake.
  mute = createServer((socket) => socket.on('error', () => {}).resume())
  await once(mute.listen(0, '127.0.0.1'), 'listening')
  silent = await startSilent('127.0.0.6', target.port)
  nameServer = await startNameServer()
  nameServer.set('broken.example.com', () => ({ error: 'SERVFAIL' }))
  const resolve = createResolver(await writeMachineFiles(folder, `nameserver ${nameServer.address}`))
  options = {
    db: database.db,
    transport: createTransport({
      allowedNetworks: parseNetworks(['127.0.0.0/8']),
      resolver: (host, lookup) => (host === 'hanging.example.com' ? new Promise(() => {}) : resolve(host, lookup)),
    }),
    bodies: { id: uuidv7(), store: openStore(pathToFileURL(tmpdir()).href) },
    runTimeoutMs: 60_000,
  }
  at = {
    http: target.url,
    port: target.port,
    mute: `https://localhost:${listeningPort(mute)}`,
    tls: (scenario) => tls[scenario].url,
  }
  await ensurePartitions(database.db, new Date(), 1)
})
afterAll(async () => {
  await Promise.all([target, mute, nameServer, silent, ...Object.values(tls)].map((one) => one.close()))
})

/** Executes a script as a worker does. */
async function run(
  script: string,
  { saveResponseBodies = true, runTimeoutMs = 60_000, vault = VAULT } = {},
): Promise<FinishedRun> {
  const service = await database.createProbedService(script, { saveResponseBodies })
  const { id: serviceId, organizationId } = service
  for (const [key, value] of Object.entries({ token: SECRET, empty: '{}', schema: SCHEMA })) {
    const id = uuidv7()
    const sealed = VAULT.seal(value, 'variable', organizationId, id)
    const type = key === 'token' ? 'secret' : 'variable'
    await database.db.insert(variables).values({ id, organizationId, serviceId, key, type, sealed })
  }
  const attempt = { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId: uuidv7(), agentSlug: 'local' }
  const load = createRunLoader(database.db, vault, TRUST)
  const finished = await executeRun(attempt, { ...options, load, runTimeoutMs }, new AbortController().signal)
  return finished as FinishedRun
}

async function failureIn(script: string, given: Parameters<typeof run>[1] = {}): Promise<RunFailure> {
  const failure = failureOf((await run(script, given)).result)
  expect(RunFailure.parse(failure)).toEqual(failure)
  return failure as RunFailure
}

const SCHEMA = '{"properties":{"items":{"items":{"properties":{"price":{"type":"number"},"id":{"pattern":"^a"}}}}}}'

test('a run names the version of the script that it ran', async () => {
  const { result } = await run(`get("${at.http}/ok").expect(status: 200)`)
  // The version of `createProbedService`.
  expect(result).toMatchObject({ status: 'success', scriptVersion: 2 })
})

test('a run whose variables cannot be decrypted fails, and names the version too', async () => {
  const vault = createVault([{ id: 'next', secret: 'n'.repeat(32) }])
  const { result } = await run(`get("${at.http}/ok").expect(status: 200)`, { vault })
  const error = 'the variables of the service cannot be decrypted: a secret key is missing'
  expect(result).toMatchObject({ status: 'failure', scriptVersion: 2, raw: { error }, steps: [] })
})

test('a step has the pause after it; none after a failure, and less when the run ends meanwhile', async () => {
  const call = (status: number) => `get("${at.http}/ok").expect(status: ${status})`
  const waitsOf = async (script: string, runTimeoutMs = 60_000) => {
    const { result } = await run(script, { runTimeoutMs })
    return [result.status, ...result.steps.map(({ waitMs }) => waitMs)]
  }
  // Measured to the millisecond, so a timer may seem to end a little early.
  const [status, wait, last] = await waitsOf(`${call(200)}.wait(50)\n${call(200)}`)
  expect([status, last]).toEqual(['success', undefined])
  expect(wait).toSatisfy((ms: number) => ms > 40 && ms <= 50)
  expect(await waitsOf(`${call(500)}.wait(50)\n${call(200)}.wait(50)`)).toEqual(['failure', undefined, undefined])
  const [ended, cut] = await waitsOf(`${call(200)}.wait(60000)\n${call(200)}`, 3_000)
  expect(ended).toBe('timeout')
  // The run ends after three seconds; a busy machine notices later.
  expect(cut).toSatisfy((ms: number) => ms > 0 && ms < 60_000)
})

type Case = [name: string, script: () => string, cause: string | RegExp, more?: Partial<RunFailure>]

/** A call of the target with this chain. */
const call =
  (chain: string, path = '/ok') =>
  () =>
    `get("${at.http}${path}")${chain}`

describe('an assertion', () => {
  test.each<Case>([
    ['a status', call('.expect(status: 404)'), 'status 200, expected 404'],
    ['a list', call('.expect(status: [201, 204])'), 'status 200, expected one of 201, 204'],
    [
      'an excluded list',
      call('.expect(status: { value: [200, 204], op: "neq" })'),
      'status 200, expected none of 200, 204',
    ],
    ['a bound', call('.expect(status: { value: 300, op: "gte" })'), 'status 200, expected ≥ 300'],
    [
      'a range',
      call('.expect(status: 200).assert({ expect: [this.status gt 0 and this.status lt 100] })'),
      'this.status gt 0 and this.status lt 100 is false, got true and false',
    ],
    [
      'a duration',
      call('.expect(totalDelayMs: { value: 100000, op: "gte" })'),
      /^totalDelayMs \d+ ms, expected ≥ 100000 ms$/,
    ],
    ['a size', call('.expect(bodySize: "10")'), /^bodySize \d+ bytes, expected < 10$/],
    [
      'a header',
      call('.expect(headers: { "content-type": "application/json", "X-Version": "8" })'),
      'header X-Version "7", expected "8"',
    ],
    ['a missing header', call('.expect(headers: { Age: "8" })'), 'header Age null, expected "8"'],
    ['a body', call('.expect(body: "fine")', '/xml'), 'body "<error/>", expected "fine"'],
    [
      'a body as JSON',
      call('.expect(body: { title: "in stock" })', '/problem'),
      'body "{\\"title\\":\\"no stock\\"}", expected {"title":"in stock"}',
    ],
    [
      'a schema',
      call('.expect(body: schema($s.schema))'),
      'body .items[0].price: expected number, got string, expected schema($s.schema)',
    ],
    [
      'a body that is not JSON',
      call('.check(body: schema($s.empty))', '/xml'),
      'body: the body is not valid JSON, expected schema($s.empty)',
    ],
    ['a redirect', call('.expect(redirects: "/newer")', '/old'), /^redirects \["http:.*\/new"\], expected "\/newer"$/],
    [
      'a missing redirect',
      call('.expect(redirects: { value: "/new", match: "last" })'),
      'redirects none, expected "/new"',
    ],
    ['a condition', call('.assert({ expect: [this.body.count eq 7] })'), 'this.body.count eq 7 is false, got 3'],
    [
      'a condition on variables',
      call('.assert({ expect: [this.body.count eq this.body.name] })'),
      'this.body.count eq this.body.name is false, got 3, expected "a"',
    ],
    [
      'a function',
      call('.assert({ expect: [includes("z", this.body.name)] })'),
      'includes("z", this.body.name) is false',
    ],
    ['a value', call('.assert({ expect: [this.body.ok] })'), 'this.body.ok is false'],
    ['a missing value', call('.assert({ expect: [this.body.nothing] })'), 'this.body.nothing is false, got null'],
    [
      'with options',
      call('.expect(status: { value: 404, options: { severity: "high" } })'),
      'status 200, expected 404',
    ],
    ['with a secret', call('.expect(body: "$s.token")', '/xml'), `body "<error/>", expected "${MASK}"`],
    [
      'after failed checks',
      call('.check(status: 404).assert({ check: [1 eq 2], expect: [2 eq 3] })'),
      '2 eq 3 is false, got 2',
      { moreFailed: 2 },
    ],
  ])('%s', async (_, script, cause, more = {}) => {
    const failure = await failureIn(script())
    expect(failure.cause).toMatch(cause)
    if (typeof cause === 'string') expect(failure.cause).toBe(cause)
    const suffix = more.moreFailed ? ` (${more.moreFailed} more failed)` : ''
    expect(failure.summary).toBe(`GET ${failure.step?.url}: ${failure.cause}${suffix}`)
    expect(failure).toMatchObject({
      ...{ status: 'failure', error: null, phase: null, moreFailed: 0, ...more },
      step: { stepNum: 1, method: 'GET', url: expect.stringContaining(at.http) },
      assertion: { stepNum: 1, method: expect.stringMatching(/expect|check|assert/) },
    })
  })
})

describe('no response', () => {
  const get = (url: string) => () => `get("${url}").expect(status: 200)`
  test.each<Case>([
    [
      'a refused connection',
      () => `get("http://127.0.0.9:${at.port}/").expect(status: 200)`,
      /^127\.0\.0\.9:\d+ refused the connection$/,
    ],
    ['an unknown host', get('http://missing.example.com/'), 'the host name missing.example.com was not found'],
    [
      'a failing name server',
      get('http://broken.example.com/'),
      'the name servers did not resolve broken.example.com: they reported a failure (SERVFAIL)',
    ],
    ['a blocked target', get('http://10.0.0.1/'), 'blocked_probe_target: probes may not reach this target'],
    ['an expired certificate', () => get(at.tls('expired'))(), /certificate/],
    ['a certificate for another host', () => get(at.tls('wrong_host'))(), /certificate/],
    [
      'a self-signed certificate',
      () => get(at.tls('self_signed'))(),
      'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    ['a server without TLS', () => get(at.http.replace('http:', 'https:'))(), /^the TLS handshake failed: /],
    ['a closed connection', () => get(`${at.http}/closed`)(), 'the server closed the connection without a response'],
    ['too many redirects', () => get(`${at.http}/loop`)(), 'more than 10 redirects'],
    ['an invalid URL', get('http://[/'), 'the URL is not valid'],
  ])('%s', async (_, script, error) => {
    const failure = await failureIn(script())
    expect(failure.error).toMatch(error)
    if (typeof error === 'string') expect(failure.error).toBe(error)
    const { url } = failure.step as { url: string }
    expect(failure).toEqual({
      ...{ summary: `GET ${url}: ${failure.error}`, cause: failure.error, status: 'failure', error: failure.error },
      ...{ assertion: null, phase: null, moreFailed: 0, excerpt: null },
      step: { stepNum: 1, method: 'GET', url, statusCode: null },
    })
    expect(script()).toContain(url)
  })

  test.concurrent.each<[phase: string, words: string, url: () => string]>([
    ['dns', 'looking up the host name', () => 'http://hanging.example.com/'],
    ['connect', 'connecting', () => `http://127.0.0.6:${at.port}/`],
    ['tls', 'in the TLS handshake', () => at.mute],
    ['ttfb', 'waiting for the response', () => `${at.http}/hang`],
    ['transfer', 'reading the body', () => `${at.http}/drip`],
  ])('a timeout in the phase %s', async (phase, words, url) => {
    const timedOut = (error: string): Partial<RunFailure> => ({
      ...{ summary: `GET ${url()}: ${error}`, cause: error, error, status: 'timeout', phase, excerpt: null },
      step: { stepNum: 1, method: 'GET', url: url(), statusCode: null },
    })
    const [byCall, byRetry, byRun] = await Promise.all([
      failureIn(`get("${url()}", { timeout: { ms: 1000 } }).expect(status: 200)`),
      failureIn(`get("${url()}", { timeout: { ms: 1000, action: "retry", retries: 1 } }).expect(status: 200)`),
      failureIn(`get("${url()}").expect(status: 200)`, { runTimeoutMs: 1_000 }),
    ])
    const reason = `no complete response within 1000 ms (${words})`
    expect(byCall).toMatchObject(timedOut(reason))
    expect(byRetry).toMatchObject(timedOut(`${reason}, in each of 2 attempts`))
    expect(byRun).toMatchObject(timedOut(`the run exceeded its limit of 1000 ms (${words})`))
  })

  test('a tolerated timeout is not the failure', async () => {
    const tolerated = `get("${at.http}/hang", { timeout: { ms: 100, action: "warn" } }).wait(0)\n`
    expect((await run(tolerated)).result.status).toBe('success')
    const failure = await failureIn(`${tolerated}get("${at.http}/ok").expect(status: 404)`)
    expect(failure).toMatchObject({ cause: 'status 200, expected 404', phase: null, step: { stepNum: 2 } })
  })

  test('the limit of the run in a wait, and a script that cannot be executed', async () => {
    const waiting = await failureIn(`get("${at.http}/ok").wait(60000) get("${at.http}/ok").wait(0)`, {
      runTimeoutMs: 1_000,
    })
    const error = 'the run exceeded its time limit after step 1'
    expect(waiting).toMatchObject({ summary: error, error, status: 'timeout', step: null, phase: null, moreFailed: 0 })
    const broken = await failureIn('fetch("https://status.example.com/")')
    expect(broken).toMatchObject({
      summary: expect.stringContaining('validation failed: '),
      step: null,
      status: 'failure',
    })
  })
})

describe('the excerpt', () => {
  const excerptOf = async (path: string, given = {}) =>
    (await failureIn(call('.expect(status: 200)', path)(), given)).excerpt

  test.each<[string, string | null]>([
    // The 500th character would be half of a surrogate pair.
    ['/page', PAGE.slice(0, 499)],
    ['/shifted', ` ${PAGE}`.slice(0, 500)],
    ['/problem', '{"title":"no stock"}'],
    ['/xml', '<error/>'],
    ['/latin1', 'café \uFFFD'],
    ['/declared', '<meta charset="latin1">café'],
    ['/utf16', `token ${MASK} end`],
    ['/secret', `${'x'.repeat(495)}${MASK.slice(0, 5)}`],
    ['/secrets', `{"url":"${MASK}","hex":"${MASK}"}`],
    ['/image', null],
    ['/untyped', null],
    ['/wrong', null],
    ['/unknown', null],
    ['/empty', null],
  ])('of %s', async (path, excerpt) => {
    expect(await excerptOf(path)).toBe(excerpt)
  })

  test('is of the failing step only, and only of services that save bodies', async () => {
    const script = `get("${at.http}/problem").wait(0)\nget("${at.http}/xml").expect(status: 200)`
    const { result } = await run(script)
    expect(result.steps.map((step) => step.excerpt ?? null)).toEqual([null, '<error/>'])
    const later = `get("${at.http}/problem").wait(0)\nget("${at.http}/closed").expect(status: 200)`
    expect((await failureIn(later)).excerpt).toBe(null)
    expect((await run(`get("${at.http}/problem").wait(0)`)).result.steps[0]).not.toHaveProperty('excerpt')
    expect(await excerptOf('/problem', { saveResponseBodies: false })).toBe(null)
  })

  test.each(['', 'x'])('is stored with the result, whatever is cut in it (%j)', async (shift) => {
    // One of the two URLs is cut in a surrogate pair, which the database would refuse.
    const path = `/shifted?${shift}${'😀'.repeat(1_200)}`
    const finished = await run(call('.expect(body: "fine")', path)())
    await database.db.transaction((tx) => storeRuns(tx, [finished], { variablesMax: 10 }))
    const [row] = await database.db.select().from(results).where(eq(results.id, finished.result.id))
    const failure = failureOf(row as typeof results.$inferSelect)
    expect(failure).toEqual(failureOf(finished.result))
    expect(failure?.excerpt).toHaveLength(500)
    expect(row?.summary).toBe(failure?.summary)
    const [state] = await database.db
      .select()
      .from(serviceStates)
      .where(eq(serviceStates.serviceId, finished.serviceId))
    expect(state?.lastFailure).toMatchObject({ summary: failure?.summary, error: null, assertionsTotal: 1 })
  })
})
