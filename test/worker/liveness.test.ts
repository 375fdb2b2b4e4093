import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLiveness } from '#worker/liveness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const STALE_SECONDS = 20
/** An instant of the database's clock, in seconds. */
const at = (seconds: number) => new Date(seconds * 1_000)

/** A worker's liveness with a database whose clock the test sets. */
function livenessOf() {
  const database = { seconds: 1_000 }
  const liveness = createLiveness(async () => at(database.seconds), STALE_SECONDS)
  return {
    canTrustHeartbeats: (seconds = database.seconds) => liveness.canTrustHeartbeats(at(seconds)),
    canTrustSilence: () => liveness.canTrustSilence(at(database.seconds), 180_000),
    /** Sends a heartbeat after this time by both clocks, or by the database's clock only. */
    async heartbeatAfter(seconds: number, ofOwn = seconds) {
      database.seconds += seconds
      vi.advanceTimersByTime(ofOwn * 1_000)
      await liveness.sendHeartbeat()
    },
  }
}

test('a worker that sends heartbeats trusts the heartbeats of others', async () => {
  const { heartbeatAfter, canTrustHeartbeats } = livenessOf()
  await heartbeatAfter(0)
  expect(canTrustHeartbeats()).toBe(true)
  await heartbeatAfter(5)
  expect(canTrustHeartbeats()).toBe(true)
})

test('a worker that could not send heartbeats for long gives the others time to report back', async () => {
  const { heartbeatAfter, canTrustHeartbeats } = livenessOf()
  await heartbeatAfter(0)
  vi.advanceTimersByTime(11_000)
  expect(canTrustHeartbeats()).toBe(false)
  await heartbeatAfter(11, 0)
  expect(canTrustHeartbeats()).toBe(false)
  await heartbeatAfter(5)
  await heartbeatAfter(5)
  expect(canTrustHeartbeats()).toBe(true)
})

test('after a leap of the database clock all workers get the time of one more heartbeat', async () => {
  const { heartbeatAfter, canTrustHeartbeats } = livenessOf()
  await heartbeatAfter(0)
  // Read after the leap, before this worker's next heartbeat.
  expect(canTrustHeartbeats(1_060)).toBe(false)
  await heartbeatAfter(60, 0)
  expect(canTrustHeartbeats()).toBe(false)
  await heartbeatAfter(5)
  expect(canTrustHeartbeats()).toBe(true)
})

describe('a silence of three minutes means death', () => {
  test('to a worker that has sent heartbeats for as long', async () => {
    const { heartbeatAfter, canTrustSilence } = livenessOf()
    expect(canTrustSilence()).toBe(false)
    await heartbeatAfter(1)
    for (let seconds = 5; seconds < 180; seconds += 5) {
      await heartbeatAfter(5)
      expect(canTrustSilence()).toBe(false)
    }
    await heartbeatAfter(5)
    expect(canTrustSilence()).toBe(true)
  })

  test.each([
    ['an outage of the database', 15, 15],
    ['a leap of its clock', 600, 0],
  ])('only three minutes after %s', async (_, seconds, ofOwn) => {
    const { heartbeatAfter, canTrustSilence } = livenessOf()
    for (let i = 0; i <= 36; i++) await heartbeatAfter(5)
    expect(canTrustSilence()).toBe(true)
    await heartbeatAfter(seconds, ofOwn)
    for (let i = 0; i < 36; i++) {
      expect(canTrustSilence()).toBe(false)
      await heartbeatAfter(5)
    }
    expect(canTrustSilence()).toBe(true)
  })
})
