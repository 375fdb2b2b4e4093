import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveness } from '#worker/liveness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const STALE_SECONDS = 20
/** Of the database's clock, in seconds. */
const at = (seconds: number) => new Date(seconds * 1_000)

/** A pulse beside a database whose clock shows what the test says. */
function pulseOf() {
  const database = { seconds: 1_000 }
  const pulse = createLiveness(async () => at(database.seconds), STALE_SECONDS)
  return {
    canTrustHeartbeats: (seconds = database.seconds) => pulse.canTrustHeartbeats(at(seconds)),
    /** After so long by both clocks, or by the database's alone. */
    async beatAfter(seconds: number, ofOwn = seconds) {
      database.seconds += seconds
      vi.advanceTimersByTime(ofOwn * 1_000)
      await pulse.sendHeartbeat()
    },
  }
}

test('a worker that is heard judges the others', async () => {
  const { beatAfter, canTrustHeartbeats } = pulseOf()
  await beatAfter(0)
  expect(canTrustHeartbeats()).toBe(true)
  await beatAfter(5)
  expect(canTrustHeartbeats()).toBe(true)
})

test('one that was not heard for long lets the others report back first', async () => {
  const { beatAfter, canTrustHeartbeats } = pulseOf()
  await beatAfter(0)
  vi.advanceTimersByTime(11_000)
  expect(canTrustHeartbeats()).toBe(false)
  await beatAfter(11, 0)
  expect(canTrustHeartbeats()).toBe(false)
  await beatAfter(5)
  await beatAfter(5)
  expect(canTrustHeartbeats()).toBe(true)
})

test('when the clock of the database leaps, leases ran out that nobody could renew: one more beat for everyone', async () => {
  const { beatAfter, canTrustHeartbeats } = pulseOf()
  await beatAfter(0)
  // Read after the leap, before this worker was heard again.
  expect(canTrustHeartbeats(1_060)).toBe(false)
  await beatAfter(60, 0)
  expect(canTrustHeartbeats()).toBe(false)
  await beatAfter(5)
  expect(canTrustHeartbeats()).toBe(true)
})
