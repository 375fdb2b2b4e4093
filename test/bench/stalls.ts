import { HOSTILE_INPUTS } from '#test/support/stalls/inputs.ts'
import { measure, warmUp } from '#test/support/stalls/measure.ts'
import { startStallSetup } from '#test/support/stalls/setup.ts'
import { withDatabase } from './database.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'

const GOAL_MS = 25
const MEMBERS = { small: 12, large: 200 }

/**
 * Prints the longest stall of the event loop (CPU time of its thread) and the peak memory of web and worker, for each
 * hostile input and its family of variations. `--large` sends larger families.
 */
export async function run({ large }: BenchOptions, report: Report): Promise<void> {
  const longest = { web: 0, worker: 0 }

  await withDatabase(async (_db, url) => {
    const setup = await startStallSetup(url)
    try {
      await warmUp(setup)
      for (const name of ['web', 'worker'] as const) {
        const { peakBytes } = await setup[name].reset()
        console.log(`${name}: ${mib(peakBytes)} before`)
      }
      for (const input of HOSTILE_INPUTS) {
        const { longestMs, peakBytes, worstMember } = await measure(setup, input, large ? MEMBERS.large : MEMBERS.small)
        longest[input.process] = Math.max(longest[input.process], longestMs)
        const verdict = longestMs > GOAL_MS ? `over ${GOAL_MS} ms, by member ${worstMember}` : ''
        console.log(
          `${input.process.padEnd(6)} ${input.name.padEnd(70)} ${longestMs.toFixed(1).padStart(8)} ms ${mib(peakBytes)} ${verdict}`,
        )
      }
      for (const name of ['web', 'worker'] as const) {
        report.add({ name: `longest stall of ${name}`, value: longest[name], unit: 'ms', goal: { atMost: GOAL_MS } })
      }
    } finally {
      await setup.close()
    }
  })
}

function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0).padStart(5)} MiB`
}
