import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { HOSTILE_INPUTS } from '#test/support/stalls/inputs.ts'
import { measure, warmUp } from '#test/support/stalls/measure.ts'
import { type StallSetup, startStallSetup } from '#test/support/stalls/setup.ts'

/** Four times the product's own limit, in CPU time, because other programs share the CPU's caches. */
const STALL_MAX_MS = 100
const PEAK_MAX_BYTES = 900 * 1_048_576
/** The input as found, and one variation; `npm run bench -- stalls` sends more. */
const MEMBERS = 2

const database = testDatabase()
let setup: StallSetup
beforeAll(async () => {
  setup = await startStallSetup(database.url)
  await warmUp(setup)
})
afterAll(() => setup?.close())

describe('no input blocks an event loop or uses up memory', () => {
  test.each(HOSTILE_INPUTS)('$process: $name', async (input) => {
    const { longestMs, peakBytes, worstMember } = await measure(setup, input, MEMBERS)
    expect(longestMs, `member ${worstMember}`).toBeLessThan(STALL_MAX_MS)
    expect(peakBytes).toBeLessThan(PEAK_MAX_BYTES)
  })
})
