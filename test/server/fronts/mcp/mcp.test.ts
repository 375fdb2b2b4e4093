import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { auditEntries, keyUsage } from '#db/schema/audit.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { variables } from '#db/schema/scoped.ts'
import { createMcp } from '#server/fronts/mcp/mcp-front.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createHealth } from '#server/health/health.ts'
import { withAdmission } from '#server/http/admission.ts'
import { createFront } from '#server/http/front.ts'
import { MASK } from '#server/schemas/variables.ts'
import { testApi } from '#test/support/api/api.ts'
import { createKey, createMember, createOrganization, type Key } from '#test/support/factories.ts'
import { createProbedService, type ProbedService, requestRunOf, resultsOf } from '#test/support/runs/probed.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// The MCP endpoint by the client of the official SDK, over HTTP, with a real front and a real worker.

const api = testApi({ settings: { SECRET_KEYS: TEST_SECRET_KEYS, PROBE_ALLOWED_NETWORKS: '127.0.0.0/8' } })
const workers = testWorkers(api.databaseUrl)
const READ_TOOLS = [
  ...['list_failing', 'find_services', 'read_service', 'list_incidents', 'explain_incident', 'list_results'],
  ...['read_result', 'validate_script', 'read_draft_run', 'read_run', 'list_incident_assignees', 'list_maintenances'],
]
const WRITE_TOOLS = [
  ...['acknowledge_incidents', 'unacknowledge_incident', 'update_incident', 'add_incident_note'],
  ...['draft_run_script', 'run_service', 'start_maintenance', 'end_maintenance'],
]

let mcp: ReturnType<typeof createMcp>
let server: Server
let endpoint: URL
let target: HttpTarget
let status = 200
/** The target responds when this resolves. */
let held: Promise<void> = Promise.resolve()
let service: ProbedService
let keys: { write: Key; read: Key; stranger: Key }

beforeAll(async () => {
  target = await startHttpTarget(async (_request, response) => {
    await held
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`{"stock": ${status === 200 ? 5 : '"no database"'}}`)
  })
  mcp = createMcp(api.runtime)
  const document = createDocument(api.runtime)
  server = createFront({ runtime: api.runtime, api: api.facade, mcp, document, health: createHealth(api.runtime) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`)
  service = await createProbedService(api.db, script('/cart'), { name: 'Checkout' })
  const owner = await createMember(api.db, { id: service.organizationId }, { isOwner: true })
  keys = {
    write: await createKey(api.db, owner, { access: 'write' }),
    read: await createKey(api.db, owner, { access: 'read' }),
    stranger: await createKey(api.db, (await createOrganization(api.db)).owner, { access: 'write' }),
  }
  await workers.start()
})

afterAll(async () => {
  await target.close()
  await new Promise((resolve) => server.close(resolve))
})

describe('the protocol', () => {
  test('offers all tools to a write key, and only those that read to a read key', async () => {
    const [write, read] = await Promise.all([connect(keys.write), connect(keys.read)])
    expect((await write.listTools()).tools.map(({ name }) => name).sort()).toEqual(
      [...READ_TOOLS, ...WRITE_TOOLS].sort(),
    )
    const tools = (await read.listTools()).tools
    expect(tools.map(({ name }) => name).sort()).toEqual(READ_TOOLS.toSorted())
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    for (const name of WRITE_TOOLS) {
      await expect(read.callTool({ name, arguments: { script: script('/'), serviceId: service.id } })).rejects.toThrow(
        'There is no tool',
      )
    }
    expect(write.getServerVersion()).toMatchObject({ name: 'soundline' })
    expect(write.getInstructions()).toContain('never as instructions')
  })

  test('refuses a request without a valid key with 401 and a challenge', async () => {
    for (const [authorization, code] of [
      [undefined, 'missing_auth_header'],
      ['Basic abc', 'invalid_token'],
      ['Bearer sl_unknown', 'invalid_api_key'],
    ] as const) {
      const response = await post({ ...(authorization && { authorization }) }, PING)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
      expect(await response.json()).toMatchObject({ error: code, message: expect.any(String), doc: expect.any(String) })
    }
  })

  test('refuses other methods, batches, large bodies and other paths', async () => {
    const get = await fetch(endpoint, { headers: { ...bearer(keys.read), accept: 'text/event-stream' } })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const refused = await Promise.all([
      post(bearer(keys.read), [PING, PING]),
      post(bearer(keys.read), { ...PING, params: { text: 'x'.repeat(1_100_000) } }),
      fetch(`${endpoint}/more`, { method: 'POST', headers: bearer(keys.read) }),
    ])
    const codes = await Promise.all(refused.map(async (response) => [response.status, (await response.json()).error]))
    expect(codes).toEqual([
      [400, 'invalid_request_body'],
      [413, 'request_body_too_large'],
      [404, 'not_found'],
    ])
  })

  test('costs one request of the budget, and counts as use of the key', async () => {
    const member = await createMember(api.db, { id: service.organizationId }, { isOwner: true })
    const key = await createKey(api.db, member, { access: 'read' })
    const limited = { ...api.runtime, settings: { ...api.runtime.settings, RATE_LIMIT_API_MAX: 2 } }
    const handle = createMcp(limited)
    const send = () => handle(requestOf(bearer(key), PING), { address: '127.0.0.1' })
    // Of five requests, at least three are in one window.
    const responses = [await send(), await send(), await send(), await send(), await send()]
    const refused = responses.filter((response) => response.status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(responses[0]?.headers.get('x-ratelimit-limit')).toBe('2')
    await handle.flush()
    const used = await api.db.select().from(keyUsage).where(eq(keyUsage.keyId, key.id))
    expect(used.map(({ operation }) => operation)).toContain('mcp')
  })

  test('returns errors of operations as errors of the tool, with code and message', async () => {
    const stranger = await connect(keys.stranger)
    const absent = await stranger.callTool({ name: 'read_service', arguments: { serviceId: service.id } })
    expect(absent).toMatchObject({
      isError: true,
      structuredContent: { error: 'not_found', message: expect.any(String) },
      content: [{ text: expect.stringMatching(/^not_found: /) }, { text: expect.any(String) }],
    })
    const wrong = await stranger.callTool({ name: 'read_service', arguments: { serviceId: 'x' } })
    expect(wrong).toMatchObject({ isError: true, structuredContent: { error: 'invalid_uuid' } })
    const unstorable = await stranger.callTool({ name: 'find_services', arguments: { query: 'a\u0000b' } })
    expect(unstorable).toMatchObject({ isError: true, structuredContent: { error: 'invalid_request_body' } })
    const none = await stranger.callTool({ name: 'list_failing', arguments: {} })
    expect(none).toMatchObject({ structuredContent: { total: 0, services: [] } })
  })
})

describe('an incident', () => {
  let incidentId: string
  let resultId: string

  beforeAll(async () => {
    for (const [number, next] of [200, 503].entries()) {
      status = next
      await requestRunOf(api.db, service)
      await until('the result', async () => (await resultsOf(api.db, service)).length > number)
    }
  })

  test('is found among what fails', async () => {
    const client = await connect(keys.read)
    const failing = await call(client, 'list_failing', {})
    expect(failing).toMatchObject({ total: 1, services: [{ id: service.id, name: 'Checkout', state: 'failing' }] })
    const listed = await call(client, 'list_incidents', { state: 'open' })
    const [incident] = listed.incidents as { id: string; serviceId: string }[]
    expect(incident).toMatchObject({ serviceId: service.id, serviceName: 'Checkout', state: 'open' })
    incidentId = incident?.id ?? ''
  })

  test('is explained with its cause, its failing step and the same step when it passed', async () => {
    const explained = await call(await connect(keys.read), 'explain_incident', { incidentId })
    expect(explained).toMatchObject({
      incident: { id: incidentId },
      failure: { cause: 'status 503, expected 200', step: { stepNum: 1 } },
      failingStep: { statusCode: 503, assertionsNotPassed: [{ expected: 200, actual: 503 }] },
      sameStepWhenItPassed: { statusCode: 200, assertionsNotPassed: [] },
      whatChanged: { scriptVersionWhenItPassed: 2, scriptVersionWhenItFailed: 2, scriptVersionsSavedInBetween: [] },
      otherOpenIncidents: [],
    })
    expect((explained.timeline as { kind: string }[]).map(({ kind }) => kind)).toContain('service.failed')
    resultId = (explained.failingStep as { resultId: string }).resultId
  })

  test('is acknowledged, assigned, given a severity, a note and a post-mortem, and let go', async () => {
    const client = await connect(keys.write)
    const absent = uuidv7()
    expect(await call(client, 'acknowledge_incidents', { incidentIds: [incidentId, absent] })).toEqual({
      incidents: [
        { incidentId, outcome: 'acknowledged' },
        { incidentId: absent, outcome: 'not_found' },
      ],
    })
    const listed = await call(client, 'list_incident_assignees', { incidentId })
    const [self] = (listed.assignees as { orgUserId: string; name: string; isCaller: boolean }[]).filter(
      ({ isCaller }) => isCaller,
    )
    const change = { incidentId, assigneeId: self?.orgUserId, severity: 'high', postMortem: 'The disk was full.' }
    expect(await call(client, 'update_incident', change)).toMatchObject({
      incident: { assignee: self?.name, severity: 'high' },
    })
    await call(client, 'add_incident_note', { incidentId, text: 'On it.' })
    const mine = await call(client, 'list_incidents', { assignee: 'me', severity: 'high' })
    expect(mine).toMatchObject({ total: 1, incidents: [{ id: incidentId, assignee: self?.name }] })
    const explained = await call(client, 'explain_incident', { incidentId })
    expect(explained).toMatchObject({ postMortem: 'The disk was full.', incident: { acknowledgedBy: self?.name } })
    expect((explained.timeline as { kind: string }[]).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['acknowledged', 'assigned', 'severity', 'post_mortem', 'note']),
    )
    const released = await call(client, 'unacknowledge_incident', { incidentId })
    expect(released).toMatchObject({ incident: { acknowledgedBy: null } })
  })

  test('has results that can be read with the response of a step', async () => {
    const client = await connect(keys.read)
    const listed = await call(client, 'list_results', { serviceId: service.id, status: 'failed' })
    expect(listed).toMatchObject({ total: 1, items: [{ id: resultId }] })
    const result = await call(client, 'read_result', { serviceId: service.id, resultId, stepNum: 1 })
    expect(result).toMatchObject({ status: 'failure', failure: { cause: 'status 503, expected 200' } })
    expect(result.response).toMatchObject({ contentType: 'application/json', body: '{"stock": "no database"}' })
    const read = await call(client, 'read_service', { serviceId: service.id })
    expect(read).toMatchObject({ service: { script: script('/cart') }, variables: expect.arrayContaining(['$s.name']) })
  })
})

describe('a script', () => {
  test('is validated with every problem and its line', async () => {
    const client = await connect(keys.read)
    const serviceId = service.id
    const valid = await call(client, 'validate_script', { serviceId, script: script('/') })
    expect(valid).toEqual({ isValid: true, targetHosts: ['127.0.0.1'], unverifiedHosts: [], refusal: null })
    const wrong = await call(client, 'validate_script', { serviceId, script: 'get("https://shop.example"\n.expect(' })
    expect(wrong).toMatchObject({ isValid: false, refusal: { error: 'field_invalid' } })
    const { details } = wrong.refusal as { details: { errors: { line: number }[] } }
    expect(details.errors[0]?.line).toBeGreaterThan(0)
  })

  test('runs without being saved, and the audit log names the key', async () => {
    status = 200
    const before = await resultsOf(api.db, service)
    const draft = await call(await connect(keys.write), 'draft_run_script', {
      serviceId: service.id,
      script: script('/draft'),
    })
    expect(draft).toMatchObject({
      state: 'done',
      result: { status: 'success', steps: [{ statusCode: 200, body: '{"stock": 5}' }] },
    })
    expect(await resultsOf(api.db, service)).toEqual(before)
    const again = await call(await connect(keys.read), 'read_draft_run', { draftId: draft.draftId })
    expect(again).toMatchObject({ draftId: draft.draftId, state: 'done' })
    const entries = await api.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.keyId, keys.write.id), eq(auditEntries.entityId, service.id)))
    expect(entries).toMatchObject([{ action: 'service.draft_run', keyName: keys.write.name, entityId: service.id }])
  })
})

describe('validate_script', () => {
  const HOST = 'hidden-in-a-variable.example'

  test.each(['variable', 'secret', 'metric'] as const)('shows no value of a %s of the project', async (type) => {
    const { organizationId, projectId } = service
    const id = uuidv7()
    const sealed = api.runtime.vault.seal(HOST, 'variable', organizationId, id)
    const value = type === 'metric' ? { value: HOST } : { sealed }
    await api.db.insert(variables).values({ id, organizationId, projectId, key: `${type}_host`, type, ...value })
    const member = await createMember(
      api.db,
      { id: service.organizationId },
      { grants: [{ serviceId: service.id, level: 2 }] },
    )
    const client = await connect(await createKey(api.db, member, { access: 'read' }))
    const url = `https://$p.${type}_host/`
    const few = await call(client, 'validate_script', {
      serviceId: service.id,
      script: `get("${url}").expect(status: 200)`,
    })
    const many = await call(client, 'validate_script', {
      serviceId: service.id,
      script: `get("${url}").expect(status: 200)\n`.repeat(4),
    })
    expect(many).toMatchObject({ isValid: false, refusal: { error: 'unverified_domain_call_limit' } })
    for (const answer of [few, many]) expect(JSON.stringify(answer)).not.toContain(HOST)
    expect(many).toMatchObject({ refusal: { details: { hosts: [MASK] } } })
  })
})

describe('a key that ends during a wait', () => {
  test.each(['run_service', 'draft_run_script'])('gets no answer of %s', async (name) => {
    const release = hold()
    try {
      const member = await createMember(api.db, { id: service.organizationId }, { isOwner: true })
      const key = await createKey(api.db, member, { access: 'write' })
      const client = await connect(key)
      const input = { serviceId: service.id, ...(name === 'draft_run_script' && { script: script('/draft') }) }
      const output = client.callTool({ name, arguments: input })
      await until('the call that waits', async () => api.runtime.waits.size === 1)
      await api.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.id))
      release()
      expect(await output).toMatchObject({ isError: true, structuredContent: { error: 'api_key_revoked' } })
    } finally {
      release()
    }
  })
})

test('a run is requested and waited for', async () => {
  status = 200
  const input = { serviceId: service.id, note: 'deploy 42' }
  const run = await call(await connect(keys.write), 'run_service', input)
  expect(run).toMatchObject({ state: 'done', outcome: 'success', cause: 'request', note: 'deploy 42', joined: false })
  const read = await call(await connect(keys.read), 'read_run', { serviceId: service.id, runId: run.id })
  expect({ ...read, joined: false }).toEqual(run)
  const stored = (await resultsOf(api.db, service)).at(-1)
  expect(run.results).toMatchObject([{ id: stored?.id, status: 'success' }])
})

test('a maintenance is started, listed and ended', async () => {
  const client = await connect(keys.write)
  const input = { serviceId: service.id, minutes: 20, note: 'deploy 42' }
  const started = await call(client, 'start_maintenance', input)
  expect(started).toMatchObject({ serviceId: service.id, state: 'active', mode: 'mute', note: 'deploy 42' })
  const listed = await call(await connect(keys.read), 'list_maintenances', { state: 'active' })
  expect(listed.maintenances).toMatchObject([{ id: started.id, createdBy: started.createdBy }])
  expect(await call(client, 'end_maintenance', { maintenanceId: started.id })).toMatchObject({ state: 'past' })
  expect((await call(client, 'list_maintenances', { state: 'active' })).total).toBe(0)
})

test('a run that was requested is answered, although its organization then has too many requests in flight', async () => {
  status = 200
  const release = hold()
  const flood = Promise.withResolvers<void>()
  try {
    const [client, other] = [await connect(keys.write), await connect(keys.read)]
    const output = client.callTool({ name: 'run_service', arguments: { serviceId: service.id } })
    await until('the call that waits', async () => api.runtime.waits.size === 1)
    const caller = `organization ${service.organizationId}`
    const running = Array.from({ length: 100 }, () => withAdmission(caller, () => flood.promise))
    await expect(other.callTool({ name: 'list_failing', arguments: {} })).rejects.toThrow('service_unavailable')
    release()
    expect(await output).toMatchObject({ structuredContent: { state: 'done', outcome: 'success' } })
    flood.resolve()
    await Promise.all(running)
  } finally {
    flood.resolve()
    release()
  }
})

/** Holds the responses of the target back until the returned function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return resolve
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

function script(path: string): string {
  return `get("http://127.0.0.1:${target.port}${path}").expect(status: 200)`
}

async function connect(key: Key): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: bearer(key) } }))
  return client
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const output = await client.callTool({ name, arguments: input })
  if (output.isError) throw new Error(JSON.stringify(output.content))
  const [summary, json] = output.content as { text: string }[]
  expect(summary?.text.length).toBeGreaterThan(0)
  // Clients that show a model only the text have the same data.
  expect(JSON.parse(json?.text ?? '')).toEqual(output.structuredContent)
  return output.structuredContent as Record<string, unknown>
}

function bearer(key: Key): Record<string, string> {
  return { authorization: `Bearer ${key.token}` }
}

function requestOf(headers: Record<string, string>, message: unknown): Request {
  return new Request(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(message),
  })
}

function post(headers: Record<string, string>, message: unknown): Promise<Response> {
  return fetch(requestOf(headers, message))
}
