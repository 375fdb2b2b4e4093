import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { HOSTILE_INPUTS } from '#test/support/stalls/inputs.ts'
import { measure, warmUp } from '#test/support/stalls/measure.ts'
import { type StallSetup, startStallSetup } from '#test/support/stalls/setup.ts'

/** In CPU time of the thread, so that the load of the machine does not matter. */
const STALL_MAX_MS = 100
const PEAK_MAX_BYTES = 900 * 1_048_576
/** The input as found. `MEMBERS=200` sends variations, too. */
const MEMBERS = Number(process.env.MEMBERS ?? 1)

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
