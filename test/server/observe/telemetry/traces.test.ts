import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { startTelemetry } from '#server/observe/telemetry/start-telemetry.ts'
import { statementName } from '#server/observe/telemetry/statements.ts'
import { log } from '#server/process/log.ts'
import { parseSettings } from '#server/process/settings.ts'
import { currentTracing } from '#server/process/tracing.ts'
import { PASSWORD, setPassword, testDashboard } from '#test/support/browser/dashboard.ts'
import type { Key, Member } from '#test/support/factories.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '#test/support/targets/otlp-receiver.ts'

// The traces of a web process: requests to its real front, and a real receiver of OTLP.

const [SERVER, CLIENT] = [2, 3]
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'

const t = testDashboard()
let server: Server
let base: string
let owner: Member
let key: Key
let serviceId: string
let receiver: OtlpReceiver
let stop = async () => {}

beforeAll(async () => {
  const organization = await t.create.organization()
  owner = organization.owner
  await setPassword(t.db, owner.userId)
  key = await t.create.key(owner)
  server = createFront({
    runtime: t.runtime,
    api: createFacade(t.runtime),
    document: createDocument(t.runtime),
    health: createHealth(t.runtime),
    dashboard: createDashboard(t.runtime),
    next: (_, response) => response.end('a page'),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const project = await t.create.project(await t.create.workspace(organization))
  serviceId = (await t.create.service(project)).id
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(async () => {
  receiver = await startOtlpReceiver()
})
afterEach(async () => {
  receiver.setMode('accept')
  await stop()
  stop = async () => {}
  vi.unstubAllEnvs()
  await receiver.close()
})

/** Starts telemetry in this process, as a web process does. */
async function start(given: Record<string, string> = {}): Promise<void> {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_BLRP_SCHEDULE_DELAY: '50',
    ...given,
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  stop = await startTelemetry(parseSettings(environment), 'web')
}

/** Stops telemetry, which sends what is queued, and returns the spans of the request. */
async function received(): Promise<ReceivedSpan[]> {
  await stop()
  return receiver.spans
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${base}${path}`, { headers: { Authorization: `Bearer ${key.token}`, ...headers } })
}

const childrenOf = (spans: ReceivedSpan[], parent: ReceivedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)

describe('a request', () => {
  test('is a tree of request, operation and statements in the trace of its caller', async () => {
    await start({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' })
    const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`
    const response = await ask(`/api/public/v1/services/${serviceId}?unknown=value-of-the-query`, { traceparent })
    expect(response.status).toBe(200)
    const spans = await received()
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]))

    const [request] = spans.filter(({ kind }) => kind === SERVER)
    expect(request).toMatchObject({
      name: 'GET /api/public/v1/services/{id}',
      service: 'soundline-web',
      parentSpanId: PARENT_ID,
      isError: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/public/v1/services/{id}',
        'http.response.status_code': 200,
        'url.path': `/api/public/v1/services/${serviceId}`,
        'soundline.request.id': response.headers.get('x-request-id'),
      },
    })
    const [operation] = childrenOf(spans, request).filter(({ name }) => name === 'services.get')
    expect(operation).toMatchObject({ kind: 1, isError: false })
    // Those of the key belong to the request, those of the service to the operation.
    const statements = childrenOf(spans, operation)
    expect(statements.map(({ name }) => name)).toContain('SELECT services')
    for (const statement of [...statements, ...childrenOf(spans, request).filter(({ kind }) => kind === CLIENT)]) {
      expect(statement).toMatchObject({ kind: CLIENT, attributes: { 'db.system.name': 'postgresql' } })
    }
    const [service] = statements.filter(({ name }) => name === 'SELECT services')
    expect(service?.attributes['db.query.text']).toMatch(/^\s*select /)
    for (const span of spans) {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
      expect(span.endMs).toBeGreaterThanOrEqual(span.startMs)
      if (parent) expect(span.startMs).toBeGreaterThanOrEqual(parent.startMs - 1)
    }
    const sent = Buffer.concat(receiver.requests.map(({ body }) => body)).toString()
    expect(sent).toContain('deployment.environment.name')
    for (const secret of [key.token, 'value-of-the-query']) expect(sent).not.toContain(secret)
  })

  test('of the dashboard has its operation as route, and no password or cookie in any span or log record', async () => {
    await start()
    const response = await fetch(`${base}/api/trpc/auth.signIn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base },
      body: JSON.stringify({ email: owner.email, password: PASSWORD }),
    })
    expect(response.status).toBe(200)
    const spans = await received()
    const [request] = spans.filter(({ kind }) => kind === SERVER)
    expect(request).toMatchObject({ name: 'POST /api/trpc/auth.signIn', parentSpanId: null })
    const [operation] = childrenOf(spans, request).filter(({ name }) => name === 'auth.signIn')
    expect(childrenOf(spans, operation).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'COMMIT', 'INSERT sessions']),
    )
    const sent = Buffer.concat(receiver.requests.map(({ body }) => body)).toString()
    const cookie = /=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1] ?? ''
    expect(cookie.length).toBeGreaterThan(20)
    for (const secret of [PASSWORD, cookie, owner.email]) expect(sent).not.toContain(secret)
  })

  test('that is refused has the code in its operation', async () => {
    await start()
    expect((await ask('/api/public/v1/services/00000000-0000-4000-8000-000000000000')).status).toBe(404)
    const spans = await received()
    const [operation] = spans.filter(({ name }) => name === 'services.get')
    expect(operation).toMatchObject({ isError: true, message: undefined, attributes: { 'error.type': 'not_found' } })
    expect(spans.find(({ kind }) => kind === SERVER)).toMatchObject({ isError: false })
  })

  test('for a page or an unknown path has the part that serves it as name', async () => {
    await start()
    await ask('/projects/7')
    await ask('/api/nothing')
    const names = (await received()).filter(({ kind }) => kind === SERVER).map(({ name }) => name)
    expect(names).toEqual(['GET page', 'GET unknown'])
  })

  test('of a caller that does not sample leaves no span', async () => {
    await start()
    await ask('/api/public/v1/key', { traceparent: `00-${TRACE_ID}-${PARENT_ID}-00` })
    await ask('/api/public/v1/key', { traceparent: 'nonsense' })
    const spans = await received()
    expect(spans.map(({ traceId }) => traceId)).not.toContain(TRACE_ID)
    expect(spans.filter(({ kind }) => kind === SERVER)).toHaveLength(1)
  })
})

describe('the standard variables', () => {
  test('name the service, choose the sampler and add headers', async () => {
    await start({
      OTEL_SERVICE_NAME: 'probes of acme',
      OTEL_TRACES_SAMPLER: 'always_off',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
    })
    await ask('/api/public/v1/key')
    currentTracing()?.logLine('{"level":"info","time":"2026-11-23T00:00:00.000Z","msg":"hello"}')
    await received()
    expect(receiver.spans).toEqual([])
    const [request] = receiver.requests
    expect(request).toMatchObject({ path: '/v1/logs', headers: { 'x-tenant': 'acme' } })
    expect(request?.body.toString()).toContain('probes of acme')
  })

  test('send protobuf unless they ask for JSON', async () => {
    await start({ OTEL_EXPORTER_OTLP_PROTOCOL: '' })
    await ask('/api/public/v1/key')
    await received()
    const [request] = receiver.requests.filter(({ path }) => path === '/v1/traces')
    expect(request?.contentType).toBe('application/x-protobuf')
    expect(request?.body.toString('latin1')).toContain('GET /api/public/v1/key')
  })

  test('switch all off', async () => {
    await start({ OTEL_SDK_DISABLED: 'true' })
    expect(currentTracing()).toBeNull()
  })
})

describe('a log line', () => {
  test('becomes a log record with the ids of its trace, its error, and without secrets', async () => {
    await start()
    await currentTracing()?.span('work', {}, async () => {
      const error = new Error('lost postgres://soundline:hidden-password@db/soundline')
      writeLog({ err: error, count: 3, token: 'hidden-token' }, 'it failed')
    })
    const [span] = await received()
    expect(receiver.logs).toEqual([
      {
        body: 'it failed',
        severity: 'error',
        traceId: span?.traceId,
        attributes: {
          'exception.type': 'Error',
          'exception.message': 'lost postgres://[redacted]@db/soundline',
          'exception.stacktrace': expect.stringContaining('traces.test.ts'),
          count: 3,
          token: '[redacted]',
        },
      },
    ])
  })
})

/** Logs whatever the level of the tests is. */
function writeLog(fields: Record<string, unknown>, message: string): void {
  const { level } = log
  log.level = 'error'
  log.error(fields, message)
  log.level = level
}

describe('a receiver', () => {
  test.each(['refuse', 'hang'] as const)(
    'that does not take anything (%s) delays no request and no stop',
    async (mode) => {
      await start({ OTEL_EXPORTER_OTLP_TIMEOUT: '500' })
      receiver.setMode(mode)
      for (let i = 0; i < 20; i++) expect((await ask('/api/public/v1/key')).status).toBe(200)
      await stop()
      expect(currentTracing()).toBeNull()
      expect(receiver.spans).toEqual([])
    },
  )

  test('that is away costs a bounded amount of memory: what does not fit is dropped', async () => {
    await start()
    receiver.setMode('hang')
    const record = (count: number) => {
      for (let i = 0; i < count; i++) void currentTracing()?.span(`span ${i}`, {}, async () => {})
    }
    record(10_000)
    await until('the queue to be sent', async () => {
      receiver.setMode('accept')
      return receiver.spans.length > 0
    })
    const spans = await received()
    // The queue and the batch that was on its way.
    expect(spans.length).toBeLessThanOrEqual(2_048 + 128)
    expect(spans.length).toBeGreaterThan(1_000)
  })
})

test('without the setting, nothing is loaded and nothing observes', async () => {
  stop = await startTelemetry(parseSettings({}), 'web')
  expect(currentTracing()).toBeNull()
  expect((await ask('/api/public/v1/key')).status).toBe(200)
})

test('names of statements are remembered for short texts only', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < 1_000; index++) {
    expect(statementName(`select ${index} from services where id in (${'$1,'.repeat(20_000)})`)).toBe('SELECT services')
  }
  collect()
  // All texts together are 60 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000)
})
