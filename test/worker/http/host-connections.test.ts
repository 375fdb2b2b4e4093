import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SLOW } from '#server/fairness/fair-queue.ts'
import { runScript } from '#server/language/lace/executor.ts'
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

/** Returns a function that sends requests as runs of an organization do. */
function caller(connections: ReturnType<typeof createHostConnections>, organizationId: string, waitMs = MINUTE_MS) {
  return (url = gate.url, isSlow = false) =>
    connections.transportFor(
      transport,
      { organizationId, key: isSlow ? SLOW : null },
      performance.now() + waitMs,
    )(get(url))
}

test('a host gets a limited number of connections at a time, and each request gets one in the end', async () => {
  const call = caller(createHostConnections(8), 'a')
  let peak = 0
  const calls = Array.from({ length: 40 }, () => call())
  await arrivals(6)
  // Another host has its own limit.
  expect((await call(other.url)).status).toBe(200)
  for (let answered = 0; answered < 40; answered += 6) {
    await arrivals(Math.min(6, 40 - answered))
    peak = Math.max(peak, gate.holding())
    gate.open()
    gate.shut()
  }
  expect((await Promise.all(calls)).map((response) => response.status)).toEqual(Array(40).fill(200))
  expect(peak).toBe(6)
})

test('one organization leaves connections for others, and its slow services for its fast ones', async () => {
  const connections = createHostConnections(8)
  const [a, b] = [caller(connections, 'a'), caller(connections, 'b')]
  const hanging = Array.from({ length: 20 }, () => a(gate.url, true))
  await arrivals(4)
  const fast = [a(), b()]
  await arrivals(6)
  gate.open()
  await Promise.all([...hanging, ...fast])
})

test('waiting for a connection does not count as response time, and ends with the run', async () => {
  const connections = createHostConnections(1)
  const first = caller(connections, 'a')()
  await arrivals(1)
  const waits: number[] = []
  const onWaited = (ms: number) => void waits.push(ms)
  const shared = connections.transportFor(transport, { organizationId: 'a' }, performance.now() + MINUTE_MS)
  // Its timeout is shorter than its wait.
  const second = shared({ ...get(gate.url), timeoutMs: 500, onWaited })
  const late = connections.transportFor(transport, { organizationId: 'a' }, performance.now() + 600)
  const error = await late({ ...get(gate.url), onWaited }).catch((thrown) => thrown)
  const message = `no connection to 127.0.0.1:${gate.port} was free, of 1 at a time`
  expect(error).toMatchObject({ failure: 'busy', message })
  gate.open()
  await first
  expect((await second).status).toBe(200)
  // Both reported their wait: the one that got a connection, and the one that did not.
  expect(waits.filter((ms) => ms > 500)).toHaveLength(2)
})

test('a run that got no connection has that error', async () => {
  const connections = createHostConnections(1)
  const first = caller(connections, 'a')()
  await arrivals(1)
  const result = await runScript({
    source: `get("${gate.url}").expect(status: 200)`,
    transport: connections.transportFor(transport, { organizationId: 'a' }, performance.now() + 20),
    limits: { runTimeoutMs: MINUTE_MS },
  })
  expect([result.outcome, result.calls[0]?.error]).toEqual([
    'timeout',
    `the run exceeded its limit of 60000 ms: no connection to 127.0.0.1:${gate.port} was free, of 1 at a time`,
  ])
  gate.open()
  await first
})
