import { afterEach, describe, expect, test } from 'vitest'
import { TransportError } from '#server/language/lace/transport.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import {
  HOSTILE_OVER_TLS,
  HOSTILE_TARGETS,
  type HostileTarget,
  type RunningTarget,
  startHostile,
} from '#test/support/targets/hostile.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'

const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']) })
// For targets that only the timeout ends. The longer timeouts are for a busy machine.
const SHORT_TIMEOUTS_MS = [300, 3_000, 15_000]

let running: RunningTarget | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function prove(target: HostileTarget, secure: boolean): Promise<void> {
  running = await startHostile(target, { secure })
  const outcome = await callWithin(running, target.slow ? SHORT_TIMEOUTS_MS : [30_000])

  if ('failure' in target.expect) {
    if (!(outcome instanceof TransportError)) throw new Error(`responded ${outcome.status}`)
    expect([target.expect.failure].flat()).toContain(outcome.failure)
    expect(outcome.message).toMatch(target.expect.message)
  } else {
    if (outcome instanceof TransportError) throw outcome
    expect(outcome.status).toBe(target.expect.status)
    if (target.expect.body === null) expect(outcome.body).toBeNull()
    else expect(outcome.body?.toString()).toMatch(target.expect.body)
  }
  // The client has closed the connection, even if the server keeps it open.
  await expect.poll(() => running?.open(), { timeout: 20_000 }).toBe(0)
}

async function callWithin({ url, target }: RunningTarget, timeoutsMs: number[]) {
  for (const [index, timeoutMs] of timeoutsMs.entries()) {
    const outcome = await outcomeOf(transport(get(url, { timeoutMs, rejectInvalidCerts: false })))
    const expected =
      'failure' in target.expect && outcome instanceof Error && target.expect.message.test(outcome.message)
    if (expected || index === timeoutsMs.length - 1) return outcome
  }
  throw new Error('no timeout is given')
}

describe('a request to a hostile server ends within its limits, and the outcome names the reason', () => {
  test.each(HOSTILE_TARGETS)('$name', (target) => prove(target, false))
})

describe('the same over TLS', () => {
  test.each(HOSTILE_OVER_TLS)('$name', (target) => prove(target, true))
})
