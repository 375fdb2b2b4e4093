import { request } from 'node:http'
import { createWholeRun } from '../probes/whole-run.ts'

// Keeps runs of one target in flight for some seconds, as a worker process does. Sends the errors of the measured times to
// first byte and the times to connect, in milliseconds, and the largest memory of the process. Bare requests only take the
// time: what they are off by is the error of Node, of the machine and of the target.

const { port, afterMs, inFlight, seconds, isBare = false } = JSON.parse(process.env.LOAD ?? '{}') as ProbeLoad
export type ProbeLoad = { port: number; afterMs: number; inFlight: number; seconds: number; isBare?: boolean }
export type ProbeLoadResult = { errors: number[]; connectMs: number[]; peakBytes: number; runs: number }

type Measured = { connectMs: number; ttfbMs: number; waitedMs: number }

const HOSTS = 16
const wholeRun = createWholeRun({ ca: [] })
const endsAt = performance.now() + seconds * 1_000
const errors: number[] = []
const connects: number[] = []
let peakBytes = 0
let runs = 0
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, 50)

const perform = isBare ? performBare : performRun
await Promise.all(
  Array.from({ length: inFlight }, async (_, i) => {
    const host = `127.0.0.${1 + (i % HOSTS)}`
    while (performance.now() < endsAt) {
      const { connectMs, ttfbMs, waitedMs } = await perform(host, `/after/${afterMs}`)
      runs += 1
      errors.push(Math.abs(ttfbMs - waitedMs))
      connects.push(connectMs)
    }
  }),
)
clearInterval(sampling)
process.send?.({ errors, connectMs: connects, peakBytes, runs } satisfies ProbeLoadResult, () => process.exit())

async function performRun(host: string, path: string): Promise<Measured> {
  const finished = await wholeRun(`http://${host}:${port}${path}`)
  const [step] = finished.result.steps
  const waitedMs = Number(step?.headers['x-waited-ms'])
  return { connectMs: step?.connectMs ?? 0, ttfbMs: step?.ttfbMs ?? 0, waitedMs }
}

function performBare(host: string, path: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let connectedAt = 0
    const sent = request({ host, port, path, agent: false }, (response) => {
      const ttfbMs = performance.now() - connectedAt
      const waitedMs = Number(response.headers['x-waited-ms'])
      response.resume().on('end', () => resolve({ connectMs: connectedAt - startedAt, ttfbMs, waitedMs }))
    })
    sent.on('socket', (socket) =>
      socket.on('connect', () => {
        connectedAt = performance.now()
      }),
    )
    sent.on('error', reject).end()
  })
}
