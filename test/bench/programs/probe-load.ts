import { createWholeRun } from '../probes/whole-run.ts'

// Keeps runs of one target in flight for some seconds, as a worker process does. Sends the errors of the measured times to
// first byte, in milliseconds, and the largest memory of the process.

const { port, afterMs, inFlight, seconds } = JSON.parse(process.env.LOAD ?? '{}') as ProbeLoad
export type ProbeLoad = { port: number; afterMs: number; inFlight: number; seconds: number }
export type ProbeLoadResult = { errors: number[]; peakBytes: number; runs: number }

const HOSTS = 16
const run = createWholeRun({ ca: [] })
const endsAt = performance.now() + seconds * 1_000
const errors: number[] = []
let peakBytes = 0
let runs = 0
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, 50)

await Promise.all(
  Array.from({ length: inFlight }, async (_, i) => {
    const url = `http://127.0.0.${1 + (i % HOSTS)}:${port}/after/${afterMs}`
    while (performance.now() < endsAt) {
      const finished = await run(url)
      const [step] = finished.result.steps
      runs += 1
      errors.push(Math.abs((step?.ttfbMs ?? 0) - Number(step?.headers['x-waited-ms'])))
    }
  }),
)
clearInterval(sampling)
process.send?.({ errors, peakBytes, runs } satisfies ProbeLoadResult, () => process.exit())
