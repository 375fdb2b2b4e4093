import { setTimeout as sleep } from 'node:timers/promises'
import type { Bound, Report } from './report.ts'

/** What one side did in one round: how many operations, in how much time, with how much CPU time. */
export type Measure = { count: number; seconds: number; cpuSeconds: number }

/** One of the two sides of a comparison. It does its work once per round. */
export type Side = () => Promise<Measure>

type Comparison = {
  name: string
  own: Side
  peer: Side
  /** `rate`: operations per second against the peer's. `time`: seconds per operation against the peer's. `cpu`: CPU time. */
  by: 'rate' | 'time' | 'cpu'
  bound?: Bound
  note?: string
  rounds?: number
}

const ROUNDS = 5
const UNITS = { rate: 'x the rate', time: 'x the time', cpu: 'x the CPU time' }
const PAUSE_MS = 100

/**
 * Measures own and peer in turn, after a round that warms up, and reports the median of the rounds' ratios with the CPU
 * time per operation beside it. Only such ratios count, because the speed of a shared machine changes by the minute.
 */
export async function alternate(report: Report, comparison: Comparison): Promise<void> {
  const { name, own, peer, by, rounds = ROUNDS } = comparison
  const pairs: { own: Measure; peer: Measure }[] = []
  for (let round = 0; round <= rounds; round++) {
    // Each side goes first in every second round, so that neither profits from the state that the other leaves.
    const first = round % 2 === 0 ? peer : own
    const one = await first()
    await sleep(PAUSE_MS)
    const other = await (first === peer ? own : peer)()
    await sleep(PAUSE_MS)
    if (round === 0) continue
    const pair = first === peer ? { own: other, peer: one } : { own: one, peer: other }
    pairs.push(pair)
    console.log(`  ${describe(pair.own)}   peer ${describe(pair.peer)}   ${ratio(by, pair).toFixed(2)} ${UNITS[by]}`)
  }
  const value = median(pairs.map((pair) => ratio(by, pair)))
  const cpuMicros = {
    own: median(pairs.map(({ own }) => microsOf(own))),
    peer: median(pairs.map(({ peer }) => microsOf(peer))),
  }
  const { bound, note } = comparison
  report.add({ name, value, unit: UNITS[by], cpuMicros, ...(bound ? { bound } : {}), ...(note ? { note } : {}) })
}

/** Measures `work` in this process, with the CPU time of its main thread. `work` returns how many operations it did. */
export async function measureHere(work: () => Promise<number> | number): Promise<Measure> {
  const cpuBefore = process.threadCpuUsage()
  const startedAt = performance.now()
  const count = await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.threadCpuUsage(cpuBefore)
  return { count, seconds, cpuSeconds: (user + system) / 1e6 }
}

/** @throws Error for an empty list */
export function median(values: number[]): number {
  return percentile(values, 50)
}

/** The value at or below which `percent` of the values are. @throws Error for an empty list */
export function percentile(values: number[], percent: number): number {
  const at = Math.min(values.length - 1, Math.floor((values.length * percent) / 100))
  const found = values.toSorted((a, b) => a - b)[at]
  if (found === undefined) throw new Error('nothing was measured')
  return found
}

function ratio(by: Comparison['by'], { own, peer }: { own: Measure; peer: Measure }): number {
  if (by === 'rate') return own.count / own.seconds / (peer.count / peer.seconds)
  if (by === 'time') return own.seconds / own.count / (peer.seconds / peer.count)
  return microsOf(own) / microsOf(peer)
}

function microsOf({ count, cpuSeconds }: Measure): number {
  return (cpuSeconds / count) * 1e6
}

function describe(measure: Measure): string {
  const rate = (measure.count / measure.seconds).toFixed(0)
  return `${rate.padStart(7)}/s ${microsOf(measure).toFixed(0).padStart(6)} µs`
}
