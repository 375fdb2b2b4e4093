import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { createVault } from '#server/vault.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { TEST_SECRET_KEYS, until, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '#test/support/targets/otlp-receiver.ts'

// The traces of a real worker, sent to a real receiver of OTLP.

const SECRET = 'Wp8-token-of-the-target'
const [INTERNAL, CLIENT, CONSUMER] = [1, 3, 5]
const database = probedDatabase()
const processes = workerProcesses(database.url)
let target: HttpTarget
let receiver: OtlpReceiver
const traceparents: (string | undefined)[] = []

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    traceparents.push(request.headers.traceparent as string | undefined)
    if (request.url?.startsWith('/broken')) response.writeHead(500).end(`no ${SECRET}`)
    else response.end('{}')
  })
  receiver = await startOtlpReceiver()
})
afterAll(() => Promise.all([target.close(), receiver.close()]))

const childrenOf = (spans: ReceivedSpan[], { spanId }: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId)

test('a run is a tree of run, calls and phases, in the trace that its target sees, without secrets', async () => {
  const worker = await processes.start(
    {
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_BLRP_SCHEDULE_DELAY: '50',
    },
    () => {},
  )
  traceparents.length = 0
  const at = `http://127.0.0.1:${target.port}`
  const script = `get("${at}/fine?key=$s.token").expect(status: 200).wait(30)\npost("${at}/broken/$s.token").expect(status: 200)`
  const service = await database.createProbedService(script, { sendTraceparent: true })
  const { id: serviceId, organizationId } = service
  const id = uuidv7()
  const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice(5) }])
  const sealed = vault.seal(SECRET, 'variable', organizationId, id)
  await database.db.insert(variables).values({ id, organizationId, serviceId, key: 'token', type: 'secret', sealed })
  await database.requestRunOf(service)
  const [result] = await until('the result', async () => {
    const results = await database.resultsOf(service)
    return results.length > 0 && results
  })
  await until('a job of the worker', async () => receiver.spans.some(({ kind }) => kind === CONSUMER))
  // Sends what is left.
  expect(await worker.stop()).toBe(0)

  const run = receiver.spans.find(({ attributes }) => attributes['soundline.service.id'] === serviceId)
  expect(run).toMatchObject({
    service: 'soundline-worker',
    kind: INTERNAL,
    parentSpanId: null,
    isError: true,
    startMs: result?.startedAt.getTime(),
    attributes: {
      'soundline.service.id': serviceId,
      'soundline.organization.id': organizationId,
      'soundline.result.id': result?.id,
      'soundline.result.status': 'failure',
      'soundline.run.cause': 'request',
      'soundline.agent': 'local',
    },
  })
  if (!run) return
  const calls = childrenOf(receiver.spans, run)
  expect(calls.map(({ name, kind, isError }) => [name, kind, isError])).toEqual([
    ['GET', CLIENT, false],
    ['POST', CLIENT, true],
  ])
  expect(calls.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 500])
  expect(calls[1]?.attributes['url.template']).toBe(`${at}/broken/$s.token`)
  expect(traceparents).toEqual(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`))
  expect(result?.steps.map(({ traceId }) => traceId)).toEqual([run.traceId, run.traceId])
  for (const [i, call] of calls.entries()) {
    const step = result?.steps[i]
    const phases = childrenOf(receiver.spans, call)
    expect(phases.map(({ name }) => name)).toEqual(['dns', 'connect', 'ttfb', 'transfer'])
    for (const phase of phases) {
      expect(phase.startMs).toBeGreaterThanOrEqual(call.startMs)
      expect(phase.endMs).toBeLessThanOrEqual(call.endMs)
      expect(phase.endMs - phase.startMs).toBeLessThanOrEqual(Number(step?.[`${phase.name}Ms` as 'dnsMs']) + 0.001)
    }
    // The pause after the first call is no part of it.
    expect(call.endMs - call.startMs).toBeLessThanOrEqual((result?.runDurationMs ?? 0) - (i === 0 ? 29 : 0))
  }

  const jobs = receiver.spans.filter(({ kind }) => kind === CONSUMER)
  expect(jobs.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringMatching(/^job \w+$/)]))
  const withStatements = jobs.filter((job) => childrenOf(receiver.spans, job).some(({ kind }) => kind === CLIENT))
  expect(withStatements.length).toBeGreaterThan(0)
  expect(receiver.logs.map(({ body }) => body)).toContain('the worker is ready')

  const sent = Buffer.concat(receiver.requests.map(({ body }) => body)).toString()
  const [stored] = await database.db.select().from(services).where(eq(services.id, serviceId))
  expect(stored?.script).toBe(script)
  for (const secret of [SECRET, encodeURIComponent(SECRET), TEST_SECRET_KEYS]) expect(sent).not.toContain(secret)
})
