import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openStore, registerStore } from '#server/bodies/store.ts'
import { createRunLoader } from '#server/runs/probes/run-loader.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { testFolder } from '#test/support/folder.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { type ExecuteOptions, executeRun } from '#worker/probe/execute.ts'

const database = probedDatabase()
const MIDNIGHT = Date.parse('2027-03-28T00:00:00Z')
const folder = testFolder()
let target: HttpTarget
let service: ProbedService
let options: ExecuteOptions

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.end('good night'))
  service = await database.createProbedService(`get("http://127.0.0.1:${target.port}/").expect(status: 200)`)
  const url = pathToFileURL(folder).href
  const vault = createVault([{ id: 'test', secret: '0123456789abcdef'.repeat(4) }])
  options = {
    db: database.db,
    transport: createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) }),
    bodies: { ...(await registerStore(database.db, url)), store: openStore(url) },
    runTimeoutMs: 60_000,
    load: createRunLoader(database.db, vault, { TRUSTED_DOMAIN_MODE: false, PROBE_ALLOWED_NETWORKS: ['127.0.0.0/8'] }),
  }
})
afterEach(() => vi.unstubAllGlobals())
afterAll(() => target.close())

/** Stubs a clock that shows the last millisecond of the day for `calls` calls, then the next day. Counts the calls. */
function midnightAfter(calls: number): { calls: number } {
  const seen = { calls: 0 }
  const time = () => (seen.calls++ < calls ? MIDNIGHT - 1 : MIDNIGHT)
  vi.stubGlobal(
    'Date',
    new Proxy(Date, {
      construct: (date, given, as) => Reflect.construct(date, given.length === 0 ? [time()] : given, as),
      get: (date, name, as) => (name === 'now' ? time : Reflect.get(date, name, as)),
    }),
  )
  return seen
}

async function daysOfOneRun(calls: number) {
  const seen = midnightAfter(calls)
  const { organizationId, id: serviceId } = service
  const run = { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId: uuidv7(), agentSlug: 'local' }
  const finished = await executeRun(run, options, new AbortController().signal)
  vi.unstubAllGlobals()
  const { startedAt, raw, steps } = finished?.result ?? {}
  expect(raw?.startedAt).toBe(startedAt?.toISOString())
  return {
    calls: seen.calls,
    result: startedAt?.toISOString().slice(0, 10),
    body: steps?.[0]?.body?.key.split('/')[1],
  }
}

test('a body is stored under the day of its result, even if midnight passes during the run', async () => {
  const { calls } = await daysOfOneRun(Number.POSITIVE_INFINITY)
  const days = new Set<string | undefined>()
  for (let before = 0; before <= calls; before++) {
    const { result, body } = await daysOfOneRun(before)
    expect({ before, body }).toEqual({ before, body: result })
    days.add(result)
  }
  expect([...days].sort()).toEqual(['2027-03-27', '2027-03-28'])
})
