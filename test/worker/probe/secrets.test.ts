import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { alertEvents, alertMessages } from '#db/schema/alerts.ts'
import { results } from '#db/schema/results.ts'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import type { Page } from '#server/paging.ts'
import type { Result } from '#server/schemas/results/results.ts'
import { MASK } from '#server/schemas/variables.ts'
import { endCollection } from '#test/support/alerts/alert-world.ts'
import { type MailServer, startMailServer } from '#test/support/alerts/mail-server.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Organization } from '#test/support/factories.ts'
import { TEST_SECRET_KEYS, until, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'

// One secret is sent to a target that echoes it in every encoding. Afterwards the tests search for it everywhere.

const settings = { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8', SECRET_KEYS: TEST_SECRET_KEYS }
const api = testApi({ settings })
const processes = workerProcesses(api.databaseUrl)

/** This part of the secret has one of a few forms in every encoding. */
const CANARY = 'q7KanarieWhistles9z'
const SECRET = `${CANARY}/ü "42" <b>&'x'+%`
const HOST_SECRET = `${CANARY.toLowerCase()}-host`

const ENCODINGS: Record<string, (text: string) => string> = {
  unchanged: (text) => text,
  'lower case': (text) => text.toLowerCase(),
  'for URLs': encodeURIComponent,
  'for URLs, lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'for URLs, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as a whole URL': encodeURI,
  'for forms': (text) => new URLSearchParams({ x: text }).toString().slice(2),
  'in JSON': (text) => JSON.stringify(text),
  'in HTML': (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 for URLs, within': (text) => Buffer.from(`user:${text}:after`).toString('base64url'),
}

/** The forms that reveal the secret: the canary as text, in hexadecimal, and in base64 at each offset. */
const TRACES = [
  CANARY.toLowerCase(),
  Buffer.from(CANARY).toString('hex'),
  ...['', 'x', 'xx'].map((before) => {
    const inside = Buffer.from(`${before}${CANARY}`).toString('base64').replace(/=+$/, '')
    // The ends also depend on the neighbouring characters.
    return inside.slice(4, -4).toLowerCase()
  }),
]

function traceIn(text: string): string | null {
  const searched = text.toLowerCase()
  const found = TRACES.find((trace) => searched.includes(trace))
  if (found === undefined) return null
  const at = searched.indexOf(found)
  return text.slice(Math.max(0, at - 120), at + 120)
}

let target: HttpTarget
let mail: MailServer
let organization: Organization
let key: Key
let log = ''
const deliveries: string[] = []
let received = 0
let ids: { workspace: string; project: string; services: string[] }

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    const body = (await readAll(request)).toString()
    if (request.url === '/hook') {
      deliveries.push(JSON.stringify(request.headers) + body)
      response.end()
      return
    }
    const given = `${request.url} ${JSON.stringify(request.headers)} ${body}`
    if (traceIn(given)) received++
    const all = Object.entries(ENCODINGS).map(([name, encode]) => `${name}: ${encode(SECRET)}\n`)
    const path = request.url ?? ''
    if (path.startsWith('/redirect')) {
      response.writeHead(302, { location: `/landed?token=${encodeURIComponent(SECRET)}` }).end(all.join(''))
    } else {
      const headers: Record<string, string> = { 'content-type': path === '/text' ? 'text/plain' : 'application/json' }
      for (const [index, name] of [
        'for URLs',
        'for forms',
        'hexadecimal',
        'base64',
        'base64 for URLs, within',
      ].entries()) {
        headers[`x-echo-${index}`] = (ENCODINGS[name] as (text: string) => string)(SECRET)
      }
      headers['set-cookie'] = `session=${encodeURIComponent(SECRET)}; Path=/`
      headers[`x-${CANARY.toLowerCase()}-host`] = 'a name'
      response.writeHead(200, headers)
      // Encodings that JSON does not escape; `raw` is escaped.
      const values = Object.values(ENCODINGS)
        .map((encode) => encode(SECRET))
        .filter((text) => JSON.stringify(text) === `"${text}"`)
      response.end(path === '/text' ? all.join('') : JSON.stringify({ raw: SECRET, [SECRET]: 1, values, given }))
    }
  })
  mail = await startMailServer()
  organization = await api.create.organization()
  key = await api.create.key(organization.owner)
  const caller = await api.caller(organization.owner)
  const create = async (path: string, body: object) =>
    (await api.call<{ id: string }>(key, 'POST', path, { body })).body.id
  const workspace = await create('/workspaces', { name: 'W' })
  const project = await create('/projects', { workspaceId: workspace, name: 'P' })
  await create(`/projects/${project}/variables`, { key: 'token', value: SECRET, type: 'secret' })
  await create('/variables', { key: 'host', value: HOST_SECRET, type: 'secret' })
  await api.create.member(organization, { email: 'told@example.com', grants: [{ projectId: project, level: 1 }] })
  const hook = await caller.organization.webhooks.create({ name: 'Hook', url: `http://127.0.0.1:${target.port}/hook` })
  const query = { resourceType: 'workspace', resourceId: workspace }
  await api.call(key, 'POST', '/webhooks/bindings', { query, body: { webhookId: hook.id } })

  const url = (path: string) => `http://127.0.0.1:${target.port}${path}`
  const scripts = [
    // In URL, header and body, in operands of failed assertions, and written back.
    `post("${url('/json')}?token=$p.token", { headers: { Authorization: "Bearer $p.token" }, body: json({ token: "$p.token" }) })
      .assert({ check: [this.body.raw eq "nothing"] })
      .store({ "$$copy": this.body.raw, kept: this.body.raw })`,
    `get("${url('/text')}", { headers: { "X-Token": "$p.token" } }).expect(body: "nothing $p.token")`,
    `get("${url('/redirect')}/$p.token").expect(status: 500)`,
    // In operands of an assertion that fails the run, and so in an alert.
    `get("${url('/json')}").assert({ expect: [this.body.raw eq "nothing"] })`,
    // In an error that names the host.
    'get("http://$o.host.example.com/$p.token").expect(status: 200)',
    `get("${url('/json')}", { timeout: { ms: 5000 } }).expect(headers: { "x-echo-0": "$p.token" })`,
  ]
  const services: string[] = []
  for (const [index, script] of scripts.entries()) {
    services.push(await create('/services', { projectId: project, name: `S${index}`, script, isActive: false }))
  }
  ids = { workspace, project, services }
})
afterAll(async () => {
  await target.close()
  await mail.close()
})

/** Activates every service and runs it once. */
async function runAll(): Promise<void> {
  for (const id of ids.services) {
    const on = await api.call(key, 'PATCH', `/services/${id}/toggle`, { body: { isActive: true } })
    expect(on.status, JSON.stringify(on.body)).toBe(200)
    expect((await api.call(key, 'POST', `/services/${id}/run`)).status).toBe(202)
  }
  for (const id of ids.services) {
    await until(`a result of ${id}`, async () => (await api.db.$count(results, eq(results.serviceId, id))) > 0)
  }
}

test('a target inside a secret is rejected without revealing the secret', async () => {
  const script = 'get("$p.token").expect(status: 200)'
  for (const text of [
    script,
    'get("http://127.0.0.2.$p.token/")',
    'get("http://$p.token/")',
    'get("http://$o.host/")',
  ]) {
    const body = { projectId: ids.project, name: 'Refused', script: text }
    const { status, body: refusal } = await api.call(key, 'POST', '/services', { body })
    expect(status, text).toBe(400)
    expect(traceIn(JSON.stringify(refusal)), text).toBe(null)
  }
})

describe('a secret that a target echoes', () => {
  const bodies = join(processes.folder, 'bodies')
  let events = 0
  beforeAll(async () => {
    await mkdir(bodies, { mode: 0o755 })
    const worker = await processes.start(
      { LOG_LEVEL: 'trace', SMTP_URL: `smtp://127.0.0.1:${mail.port}`, BASE_URL: 'http://probes.example.com' },
      (text) => {
        log += text
      },
    )
    await runAll()
    events = await api.db.$count(alertEvents)
    await until('every delivery', async () => {
      const rows = await api.db.select().from(webhookDeliveries)
      return rows.length >= events && rows.every((row) => row.state === 'delivered')
    })
    await until('every mail', async () => {
      await endCollection(api.db)
      const rows = await api.db.select().from(alertMessages)
      return rows.length >= events && rows.every((row) => row.state === 'sent')
    })
    await worker.stop()
  })

  test('was sent to the target, and made services fail', async () => {
    expect(received).toBeGreaterThanOrEqual(3)
    const rows = await api.db.select({ serviceId: results.serviceId, status: results.status }).from(results)
    const statuses = ids.services.map((id) => rows.find((row) => row.serviceId === id)?.status)
    expect(statuses).toEqual(['success', ...Array(ids.services.length - 1).fill('failure')])
    expect(events).toBe(ids.services.length - 1)
  })

  test('is in a body store that other users cannot read, and only the log names the store', async () => {
    const paths = [bodies, ...(await readdir(bodies, { recursive: true })).map((name) => join(bodies, name))]
    const modes = new Set<string>()
    for (const found of await Promise.all(paths.map((path) => stat(path)))) {
      modes.add(`${found.isFile() ? 'file' : 'folder'} ${(found.mode & 0o777).toString(8)}`)
    }
    expect([...modes].sort()).toEqual(['file 600', 'folder 700'])
    expect(log).toContain(pathToFileURL(bodies).href)
  })

  test('is found in each encoding by the searched forms', () => {
    for (const [name, encode] of Object.entries(ENCODINGS)) expect(traceIn(encode(SECRET)), name).not.toBe(null)
    expect(traceIn(HOST_SECRET)).not.toBe(null)
    expect(traceIn(`Bearer ${MASK}`)).toBe(null)
  })

  test('is in no response of the API', async () => {
    const paths = ['/key', '/workspaces', '/agents', '/variables', '/silences', '/members', '/groups', '/webhooks']
    for (const [kind, id] of [
      ['workspaces', ids.workspace],
      ['projects', ids.project],
      ...ids.services.map((id) => ['services', id]),
    ]) {
      const own = `/${kind}/${id}`
      paths.push(own, `${own}/variables`, `${own}/variables/hierarchy`, `${own}/metrics`, `${own}/metrics/history`)
    }
    paths.push(`/projects?workspaceId=${ids.workspace}`, `/services?projectId=${ids.project}`)
    let bodies = 0
    let excerpts = 0
    for (const id of ids.services) {
      const own = `/services/${id}`
      const statistics = `${own}/metrics/statistics`
      paths.push(`${own}/snapshot`, `${own}/agents`, `${own}/results`, statistics, `${statistics}/endpoint-series`)
      paths.push(`${statistics}/assertions`, `${statistics}/failure-heatmap`)
      const listed = await api.call<Page<{ id: string }>>(key, 'GET', `${own}/results`)
      for (const result of listed.body.items) {
        paths.push(`${own}/results/${result.id}`)
        const { steps, failure } = (await api.call<Result>(key, 'GET', `${own}/results/${result.id}`)).body
        if (failure?.excerpt?.includes(MASK)) excerpts++
        for (const step of steps) paths.push(`${own}/results/${result.id}/steps/${step.id}/body`)
      }
    }
    for (const path of paths) {
      const [bare, query] = path.split('?')
      const answer = await api.call(key, 'GET', bare as string, { query: query ?? '' })
      expect(answer.status, path).toBeLessThan(300)
      if (path.endsWith('/body') && answer.status === 200) bodies++
      // For a body in base64, its decoded content too.
      const { content, encoding } = (answer.body ?? {}) as { content?: string; encoding?: string | null }
      const held = encoding === 'base64' ? Buffer.from(content ?? '', 'base64').toString('latin1') : ''
      expect(traceIn(JSON.stringify([answer.body, held, ...answer.headers])), path).toBe(null)
    }
    expect(bodies).toBeGreaterThanOrEqual(3)
    expect(excerpts).toBeGreaterThanOrEqual(3)
    const caller = await api.caller(organization.owner)
    const audit = await caller.organization.audit.list({ pageSize: 100 })
    expect(audit.total).toBeGreaterThan(10)
    expect(traceIn(JSON.stringify(audit))).toBe(null)
  })

  test('is in no table outside the sealed columns, and readable in no column', async () => {
    const tables = await api.db.execute<{ schema: string; name: string }>(sql`
      select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`)
    expect(tables.length).toBeGreaterThan(20)
    let rows = 0
    for (const { schema, name } of tables) {
      const dumped = await api.db.execute<{ row: string }>(
        sql`select to_jsonb(t)::text as row from ${sql.identifier(schema)}.${sql.identifier(name)} t`,
      )
      for (const { row } of dumped) {
        rows++
        // Bytes are dumped in hexadecimal. Sealed columns are searched too, because they must not be readable.
        const bytes = [...row.matchAll(/"\\\\x([0-9a-f]+)"/g)].map(([, hex]) =>
          Buffer.from(hex as string, 'hex').toString('latin1'),
        )
        for (const text of [row, ...bytes]) expect(traceIn(text), `${schema}.${name}`).toBe(null)
      }
    }
    expect(rows).toBeGreaterThan(50)
  })

  test('is in no log line, mail, delivery or stored file', () => {
    expect(log.length).toBeGreaterThan(500)
    expect(traceIn(log)).toBe(null)
    expect(deliveries.length).toBe(events)
    for (const delivery of deliveries) expect(traceIn(delivery)).toBe(null)
    for (const one of mail.mails) expect(traceIn(JSON.stringify(one))).toBe(null)
    const files = readdirSync(processes.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThanOrEqual(3)
    let masked = 0
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), 'latin1')
      expect(traceIn(text), file.name).toBe(null)
      expect(traceIn(file.name)).toBe(null)
      if (Buffer.from(text, 'latin1').toString().includes(MASK)) masked++
    }
    expect(masked).toBeGreaterThanOrEqual(3)
  })
})
