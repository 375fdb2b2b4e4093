import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensurePartitions } from '#db/partitions.ts'
import { variables } from '#db/schema/scoped.ts'
import { openStore } from '#server/bodies/store.ts'
import { createRunLoader } from '#server/runs/probes/run-loader.ts'
import { runTrace } from '#server/runs/probes/run-trace.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { type ExecuteOptions, executeRun } from '#worker/probe/execute.ts'

// Real runs against targets on loopback that record the `traceparent` of each request.

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/
const OWN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

const database = probedDatabase()
let target: HttpTarget
let other: HttpTarget
const VAULT = createVault([{ id: 'test', secret: '0123456789abcdef'.repeat(4) }])
const TRUST = { TRUSTED_DOMAIN_MODE: true, PROBE_ALLOWED_NETWORKS: ['127.0.0.0/8'] }
let options: Omit<ExecuteOptions, 'load'>
let received: { path: string; traceparent: string | undefined }[] = []

beforeAll(async () => {
  const listen = () =>
    startHttpTarget((request, response) => {
      const path = request.url ?? ''
      received.push({ path, traceparent: request.headers.traceparent as string | undefined })
      if (path === '/here') response.writeHead(302, { location: '/there' }).end()
      else if (path === '/away') response.writeHead(302, { location: `${other.url}/arrived` }).end()
      else response.end('{}')
    })
  target = await listen()
  other = await listen()
  options = {
    db: database.db,
    transport: createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8', '::1/128']) }),
    bodies: { id: uuidv7(), store: openStore(pathToFileURL(tmpdir()).href) },
    runTimeoutMs: 60_000,
  }
  await ensurePartitions(database.db, new Date(), 1)
})
beforeEach(() => {
  received = []
})
afterAll(() => Promise.all([target.close(), other.close()]))

async function run(script: string, sendTraceparent: boolean, restrictedSecret?: string) {
  const service = await database.createProbedService(script, { sendTraceparent })
  const { id: serviceId, organizationId } = service
  if (restrictedSecret) {
    const id = uuidv7()
    const sealed = VAULT.seal(restrictedSecret, 'variable', organizationId, id)
    const allowedHosts = ['elsewhere.example.com']
    await database.db
      .insert(variables)
      .values({ id, organizationId, serviceId, key: 'token', type: 'secret', sealed, allowedHosts })
  }
  const attempt = { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId: uuidv7(), agentSlug: 'local' }
  const load = createRunLoader(database.db, VAULT, TRUST)
  const finished = (await executeRun(attempt, { ...options, load }, new AbortController().signal)) as FinishedRun
  return { attempt, result: finished.result }
}

describe('a service that sends traceparent', () => {
  test('sends one trace id in all requests of a run and a span id per call, and stores the trace id', async () => {
    const { attempt, result } = await run(`get("${target.url}/a")\nget("${target.url}/here")`, true)
    const { traceId, callSpanId } = runTrace(attempt)
    expect(received).toEqual([
      { path: '/a', traceparent: `00-${traceId}-${callSpanId(0)}-01` },
      { path: '/here', traceparent: `00-${traceId}-${callSpanId(1)}-01` },
      { path: '/there', traceparent: `00-${traceId}-${callSpanId(1)}-01` },
    ])
    for (const { traceparent } of received) expect(traceparent).toMatch(TRACEPARENT)
    expect(callSpanId(0)).not.toBe(callSpanId(1))
    expect(result.steps.map((step) => step.traceId)).toEqual([traceId, traceId])
    // The raw result shows the headers as they were sent.
    const { calls } = result.raw as { calls: { request: { headers: Record<string, string> } }[] }
    expect(calls[0]?.request.headers.traceparent).toBe(received[0]?.traceparent)
  })

  test('another attempt has another trace', () => {
    const id = uuidv7()
    expect(runTrace({ id, attempt: 1 }).traceId).not.toBe(runTrace({ id, attempt: 2 }).traceId)
  })

  test('sends it to another origin too', async () => {
    const { attempt } = await run(`get("${target.url}/away")`, true)
    expect(received.map(({ path }) => path)).toEqual(['/away', '/arrived'])
    for (const { traceparent } of received) expect(traceparent).toContain(runTrace(attempt).traceId)
  })

  test('keeps the header of the script, and stores its trace id', async () => {
    const script = `get("${target.url}/a", { headers: { TraceParent: "${OWN}" } })\nget("${target.url}/b")`
    const { attempt, result } = await run(script, true)
    expect(received.map(({ traceparent }) => traceparent)).toEqual([OWN, expect.stringMatching(TRACEPARENT)])
    expect(result.steps.map((step) => step.traceId)).toEqual([OWN.split('-')[1], runTrace(attempt).traceId])
  })

  test('never replaces the header of the script on another origin, where it is dropped', async () => {
    const script = `get("${target.url}/away", { headers: { traceparent: "${OWN}" } })`
    await run(script, true)
    expect(received.map(({ traceparent }) => traceparent)).toEqual([OWN, undefined])
  })

  test('can have a secret that looks like a part of the header', async () => {
    const { result } = await run(`get("${target.url}/a")`, true, '-01')
    expect(result).toMatchObject({ status: 'success' })
    expect(received[0]?.traceparent).toMatch(TRACEPARENT)
  })
})

test('other services send no traceparent and store no trace id', async () => {
  const { result } = await run(`get("${target.url}/a")`, false)
  expect(received).toEqual([{ path: '/a', traceparent: undefined }])
  expect(result.steps[0]).not.toHaveProperty('traceId')
})

test('a header that is not a traceparent leads to no trace', async () => {
  const { result } = await run(`get("${target.url}/a", { headers: { traceparent: "00-${'0'.repeat(32)}-x" } })`, false)
  expect(result.steps[0]).not.toHaveProperty('traceId')
})
