import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runScript } from '#server/lace/executor.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { type Gate, startGate } from '#test/support/gate.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { get } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'
import { createHostConnections } from '#worker/http/host-connections.ts'

const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']) })
const MINUTE_MS = 60_000
let gate: Gate
let other: Gate

beforeAll(async () => {
  gate = await startGate()
  other = await startGate()
})
afterAll(() => Promise.all([gate.close(), other.close()]))
beforeEach(() => {
  gate.shut()
  other.open()
})

const arrivals = (count: number) => until(`${count} requests at the target`, async () => gate.holding() === count)

/** Calls of an organization, as its runs make them. */
function caller(connections: ReturnType<typeof createHostConnections>, organizationId: string, waitMs = MINUTE_MS) {
  return (url = gate.url, isSlow = false) =>
    connections.transportFor(transport, { organizationId, isSlow }, performance.now() + waitMs)(get(url))
}

test('a host sees no more connections at a time than it may, and each call has its turn', async () => {
  const call = caller(createHostConnections(8), 'a')
  let most = 0
  const calls = Array.from({ length: 40 }, () => call())
  await arrivals(6)
  // Another host has its own.
  expect((await call(other.url)).status).toBe(200)
  for (let answered = 0; answered < 40; answered += 6) {
    await arrivals(Math.min(6, 40 - answered))
    most = Math.max(most, gate.holding())
    gate.open()
    gate.shut()
  }
  expect((await Promise.all(calls)).map((response) => response.status)).toEqual(Array(40).fill(200))
  expect(most).toBe(6)
})

test('one organization leaves connections to the next, and its slow services to its good ones', async () => {
  const connections = createHostConnections(8)
  const [a, b] = [caller(connections, 'a'), caller(connections, 'b')]
  const hanging = Array.from({ length: 20 }, () => a(gate.url, true))
  await arrivals(4)
  const good = [a(), b()]
  await arrivals(6)
  gate.open()
  await Promise.all([...hanging, ...good])
})

test('waiting for a connection is no time of the target, and ends with the run', async () => {
  const connections = createHostConnections(1)
  const first = caller(connections, 'a')()
  await arrivals(1)
  const waits: number[] = []
  const onWaited = (ms: number) => void waits.push(ms)
  const shared = connections.transportFor(
    transport,
    { organizationId: 'a', isSlow: false },
    performance.now() + MINUTE_MS,
  )
  // Its own time is shorter than its wait.
  const second = shared({ ...get(gate.url), timeoutMs: 500, onWaited })
  const late = connections.transportFor(transport, { organizationId: 'a', isSlow: false }, performance.now() + 600)
  const error = await late({ ...get(gate.url), onWaited }).catch((thrown) => thrown)
  const message = `no connection to 127.0.0.1:${gate.port} was free, of 1 at a time`
  expect(error).toMatchObject({ failure: 'busy', message })
  gate.open()
  await first
  expect((await second).status).toBe(200)
  // Both told how long: the one that had its turn, and the one that had none.
  expect(waits.filter((ms) => ms > 500)).toHaveLength(2)
})

test('a run that had no turn says so', async () => {
  const connections = createHostConnections(1)
  const first = caller(connections, 'a')()
  await arrivals(1)
  const result = await runScript({
    source: `get("${gate.url}").expect(status: 200)`,
    transport: connections.transportFor(transport, { organizationId: 'a', isSlow: false }, performance.now() + 20),
    limits: { runTimeoutMs: MINUTE_MS },
  })
  expect([result.outcome, result.calls[0]?.error]).toEqual([
    'timeout',
    `the run passed its limit of 60000 ms: no connection to 127.0.0.1:${gate.port} was free, of 1 at a time`,
  ])
  gate.open()
  await first
})
