import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createFacade, type Facade } from '#server/fronts/rest/facade.ts'
import { createDashboard, type Dashboard } from '#server/fronts/session/session-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { buildRequest } from '#test/support/api/api.ts'
import { testDashboard } from '#test/support/browser/dashboard.ts'
import type { Key, MemberOptions, Organization } from '#test/support/factories.ts'
import { createResult } from '#test/support/runs/results.ts'
import { auditOf } from '#test/support/side-effects.ts'

const shop = testDashboard()
let dashboard: Dashboard
let api: Facade
let organization: Organization
let key: Key
let owner: string
let workspace: { id: string; organizationId: string; name: string }
let project: { id: string; organizationId: string; name: string }
let service: { id: string; organizationId: string; name: string }

beforeAll(async () => {
  dashboard = createDashboard(shop.runtime)
  api = createFacade(shop.runtime)
  organization = await shop.create.organization()
  key = await shop.create.key(organization.owner)
  owner = await cookieOf()
  workspace = await shop.create.workspace(organization)
  project = await shop.create.project(workspace)
  service = await shop.create.service(project, { script: 'get("https://example.com/")', label: 'Ünï' })
})

/** The session cookie of a new member, or of the owner. */
async function cookieOf(given?: MemberOptions): Promise<string> {
  const member = given ? await shop.create.member(organization, given) : organization.owner
  return (await shop.signIn(member)).cookie as string
}

function take(path: string, headers: Record<string, string> = { cookie: owner }, method = 'GET'): Promise<Response> {
  const request = new Request(`http://dashboard.test/api/export/${path}`, { method, headers })
  return dashboard(request, { address: '192.0.2.7' })
}

async function refusal(answer: Promise<Response>): Promise<[number, string]> {
  const response = await answer
  return [response.status, (await response.json()).error.data.code]
}

/** Creates runs, one second apart, the newest just now. */
async function fill(wanted: number): Promise<{ id: string; organizationId: string }> {
  const made = await shop.create.service(project)
  const now = Date.now()
  await ensurePartitions(shop.db, new Date(now - wanted * 1_000), 2)
  const rows = Array.from({ length: wanted }, (_, index) => {
    const startedAt = new Date(now - index * 1_000)
    return {
      organizationId: made.organizationId,
      serviceId: made.id,
      startedAt,
      id: createIdAt(startedAt),
      agentId: made.id,
      agentSlug: 'local',
      status: 'success' as const,
      runDurationMs: index,
      totalResponseMs: 1,
      callCount: 1,
      failedCalls: 0,
      raw: null,
      steps: [],
    }
  })
  for (let start = 0; start < wanted; start += 500) {
    await shop.db.insert(results).values(rows.slice(start, start + 500))
  }
  return made
}

describe('the results of a service', () => {
  let older: { id: string; startedAt: Date }
  let newer: { id: string; startedAt: Date }

  beforeAll(async () => {
    const at = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
    older = await createResult(shop.db, service, { startedAt: new Date(at) })
    newer = await createResult(shop.db, service, {
      startedAt: new Date(at + 10_000),
      status: 'failure',
      failedCalls: 1,
      summary: '=GET http://a/: status 500, expected "200"',
    })
    // Of another service of the same project.
    await createResult(shop.db, await shop.create.service(project), { startedAt: new Date(at) })
  })

  test('as CSV: a header, and a line for every run, newest first', async () => {
    const response = await take(`services/${service.id}/results?format=csv`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="results-${service.id}.csv"`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await response.text()).split('\r\n')).toEqual([
      'id,startedAt,status,runDurationMs,totalResponseMs,callCount,failedCalls,agentSlug,summary',
      `${newer.id},${newer.startedAt.toISOString()},failure,120,100,1,1,local,"'=GET http://a/: status 500, expected ""200"""`,
      `${older.id},${older.startedAt.toISOString()},success,120,100,1,0,local,`,
      '',
    ])
  })

  test("as NDJSON: the API's result of each run without the raw result", async () => {
    const response = await take(`services/${service.id}/results?format=ndjson`)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    const shown = await api(buildRequest(key, 'GET', `/services/${service.id}/results/${newer.id}`), {
      address: '192.0.2.7',
    })
    const { rawResult, ...rest } = await shown.json()
    expect(rawResult).not.toBeUndefined()
    expect(JSON.parse(lines[0] as string)).toEqual({ ...rest, totalResponseMs: 100, callCount: 1, failedCalls: 1 })
  })

  test('from and until an instant, both inclusive', async () => {
    const idsOf = async (range: Record<string, string>) => {
      const query = new URLSearchParams({ format: 'ndjson', ...range })
      const text = await (await take(`services/${service.id}/results?${query}`)).text()
      return [...text.matchAll(/^\{"id":"([^"]+)"/gm)].map(([, id]) => id)
    }
    expect(await idsOf({ since: newer.startedAt.toISOString() })).toEqual([newer.id])
    expect(await idsOf({ until: older.startedAt.toISOString() })).toEqual([older.id])
    expect(await idsOf({ since: '2001-01-01T00:00:00Z', until: '2002-01-01T00:00:00Z' })).toEqual([])
    expect(await idsOf({ since: '9999-12-31T23:59:59Z' })).toEqual([])
    expect(await idsOf({ since: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).toEqual([newer.id, older.id])
  })

  test('400 for an invalid format or instant, 404 for a missing service', async () => {
    const of = (query: string) => refusal(take(`services/${service.id}/results${query}`))
    expect(await of('')).toEqual([400, 'field_required'])
    expect(await of('?format=xml')).toEqual([400, 'field_invalid'])
    expect(await of('?format=csv&since=yesterday')).toEqual([400, 'field_invalid'])
    expect(await of('?format=csv&until=__proto__')).toEqual([400, 'field_invalid'])
    expect(await of('/more?format=csv')).toEqual([404, 'not_found'])
    expect(await refusal(take('services/x/results?format=csv'))).toEqual([400, 'invalid_uuid'])
    expect(await refusal(take(`services/${project.id}/results?format=csv`))).toEqual([404, 'not_found'])
    expect(await refusal(take('constructor/x'))).toEqual([404, 'not_found'])
  })

  test('every one of many runs exactly once, across page borders', async () => {
    const { id } = await fill(2_345)
    const text = await (await take(`services/${id}/results?format=csv`)).text()
    const durations = text.trimEnd().split('\r\n').slice(1)
    expect(durations.map((line) => Number(line.split(',')[3]))).toEqual(Array.from({ length: 2_345 }, (_, n) => n))
    const lines = (await (await take(`services/${id}/results?format=ndjson`)).text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).runDurationMs)).toEqual(Array.from({ length: 2_345 }, (_, n) => n))
  })

  test('is read from the database only as fast as the client reads', async () => {
    const { id } = await fill(2_345)
    const response = await take(`services/${id}/results?format=csv`)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const first = new TextDecoder().decode((await reader.read()).value)
    expect(first.trimEnd().split('\r\n')).toHaveLength(1_000)
    // Unread rows are not buffered.
    await shop.db.delete(results).where(eq(results.serviceId, id))
    expect((await reader.read()).done).toBe(true)
  })
})

describe('the configuration', () => {
  beforeAll(async () => {
    const agent = await shop.create.agent()
    await shop.db.insert(serviceAgents).values({ ...serviceRef(), agentId: agent.id })
    for (const [path, body] of [
      [
        `/workspaces/${workspace.id}`,
        { key: 'token', value: 'not to be seen', type: 'secret', allowedHosts: ['api.example.com'] },
      ],
      [`/projects/${project.id}`, { key: 'host', value: 'nor this', type: 'variable' }],
      [`/services/${service.id}`, { key: 'budget', value: '12', type: 'metric' }],
    ] as const) {
      const made = await api(buildRequest(key, 'POST', `${path}/variables`, { body }), { address: '192.0.2.7' })
      expect(made.status).toBe(200)
    }
  })

  const serviceRef = () => ({ organizationId: service.organizationId, serviceId: service.id })

  test('of a workspace, with everything in it and no secret value', async () => {
    const other = await shop.create.project(workspace, { name: 'Empty' })
    const response = await take(`workspaces/${workspace.id}`)
    expect(response.headers.get('content-disposition')).toContain(`workspace-${workspace.id}.json`)
    const text = await response.text()
    expect(text).not.toContain('not to be seen')
    expect(text).not.toContain('nor this')
    const { exportedAt, ...rest } = JSON.parse(text)
    expect(Math.abs(Date.parse(exportedAt) - Date.now())).toBeLessThan(60_000)
    expect(rest).toMatchObject({
      format: 'soundline-configuration',
      formatVersion: 1,
      workspace: {
        name: workspace.name,
        variables: [{ key: 'token', type: 'secret', value: null, allowedHosts: ['api.example.com'] }],
      },
    })
    expect(rest.workspace.projects).toHaveLength(2)
    expect(rest.workspace.projects[0]).toMatchObject({
      name: project.name,
      variables: [{ key: 'host', type: 'variable', value: null }],
    })
    expect(rest.workspace.projects[0].services[0]).toEqual({
      name: service.name,
      label: 'Ünï',
      labels: ['Ünï'],
      isActive: false,
      schedule: '*/5 * * * *',
      probeMode: 'consecutive',
      queuePolicy: 'skip',
      timezone: null,
      serviceWindow: null,
      saveResponseBodies: true,
      sendTraceparent: false,
      agents: [expect.stringMatching(/^agent-/)],
      variables: [{ key: 'budget', type: 'metric', value: '12' }],
      script: 'get("https://example.com/")',
    })
    expect(rest.workspace.projects[1]).toEqual({ name: other.name, variables: [], services: [] })
  })

  test('of a project with more services than a page holds', async () => {
    const large = await shop.create.project(workspace)
    const names: string[] = []
    for (let index = 0; index < 45; index++) names.push((await shop.create.service(large)).name)
    const { project: shown } = JSON.parse(await (await take(`projects/${large.id}`)).text())
    expect(shown.services.map(({ name }: { name: string }) => name)).toEqual(names)
  })
})

describe('access to exports', () => {
  const everything = () => [
    `services/${service.id}/results?format=csv`,
    `projects/${project.id}`,
    `workspaces/${workspace.id}`,
  ]

  test('requires a session; no API key works, even with a valid cookie', async () => {
    for (const path of everything()) {
      expect(await refusal(take(path, {}))).toEqual([401, 'session_required'])
      const withKey = { cookie: owner, authorization: `Bearer ${key.token}` }
      expect(await refusal(take(path, withKey))).toEqual([401, 'session_required'])
    }
  })

  test('requires reach read; for everyone else the resource does not exist', async () => {
    const [none, onService, onProject, onWorkspace, stranger] = await Promise.all([
      cookieOf({}),
      cookieOf({ grants: [{ serviceId: service.id, level: 1 }] }),
      cookieOf({ grants: [{ projectId: project.id, level: 1 }] }),
      cookieOf({ sections: { workspaces: 'read' } }),
      shop.create.organization().then(async (other) => (await shop.signIn(other.owner)).cookie as string),
    ])
    const statuses = (cookie: string) =>
      Promise.all(everything().map(async (path) => (await take(path, { cookie })).status))
    expect(await statuses(none)).toEqual([404, 404, 404])
    expect(await statuses(stranger)).toEqual([404, 404, 404])
    expect(await statuses(onService)).toEqual([200, 404, 404])
    expect(await statuses(onProject)).toEqual([200, 200, 404])
    expect(await statuses(onWorkspace)).toEqual([200, 200, 200])
  })

  test('refuses pages of other sites, and other methods', async () => {
    for (const path of everything()) {
      for (const site of ['cross-site', 'same-site']) {
        const headers = { cookie: owner, 'sec-fetch-site': site }
        expect(await refusal(take(path, headers))).toEqual([403, 'cross_site_request'])
      }
      const headers = { cookie: owner, 'sec-fetch-site': 'same-origin' }
      expect(await refusal(take(path, headers, 'POST'))).toEqual([405, 'method_not_allowed'])
    }
  })

  test('writes an audit entry for every export, and none for a refusal', async () => {
    const taken = await shop.create.service(project)
    const path = `services/${taken.id}/results`
    await take(`${path}?format=csv&since=2026-01-01T00:00:00Z`)
    await take(`${path}?format=xml`)
    await take(`${path}?format=csv`, { cookie: await cookieOf({}) })
    const entries = await auditOf(shop.db, taken.id)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      action: 'service.export_results',
      entityType: 'service',
      entityName: taken.name,
      actorId: organization.owner.userId,
      keyId: null,
      details: { format: 'csv', since: '2026-01-01T00:00:00Z' },
    })
    const last = async (id: string) => (await auditOf(shop.db, id)).at(-1)?.action
    await take(`projects/${project.id}`)
    expect(await last(project.id)).toBe('project.export')
    await take(`workspaces/${workspace.id}`)
    expect(await last(workspace.id)).toBe('workspace.export')
  })
})

describe('over the front', () => {
  let front: Server
  let port: number

  beforeAll(async () => {
    front = createFront({
      runtime: shop.runtime,
      api,
      document: createDocument(shop.runtime),
      health: createHealth(shop.runtime),
      dashboard,
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    port = (front.address() as AddressInfo).port
  })
  afterAll(() => new Promise((resolve) => front.close(resolve).closeAllConnections()))

  const askFront = (path: string) =>
    fetch(`http://127.0.0.1:${port}/api/export/${path}`, { headers: { cookie: owner } })

  test('arrives in chunks, complete, and with the usual headers', async () => {
    const { id } = await fill(2_345)
    const response = await askFront(`services/${id}/results?format=csv`)
    expect(response.headers.get('transfer-encoding')).toBe('chunked')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(2_346)
  })

  test('refusals are ordinary responses', async () => {
    const response = await askFront(`projects/${service.id}`)
    expect([response.status, (await response.json()).error.data.code]).toEqual([404, 'not_found'])
    expect((await fetch(`http://127.0.0.1:${port}/api/export`)).status).toBe(404)
  })

  test('a client that disconnects ends it, and the server goes on', async () => {
    const { id } = await fill(2_345)
    const socket = connect(port, '127.0.0.1')
    const path = `/api/export/services/${id}/results?format=ndjson`
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${owner}\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    await expect.poll(() => connectionsOf(front), { timeout: 30_000 }).toBe(0)
    expect((await askFront(`projects/${project.id}`)).status).toBe(200)
  })
})

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.closeIdleConnections()
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
