// A summary of latencies for percentiles, modelled on DDSketch: exact values up to 128, above that counts per
// logarithmic bin. A bin is about 2 % wide, so its middle is within 1 % of each value. Sketches are merged, never percentiles.

/** A sketch keeps exact values up to this many. */
export const EXACT_MAX = 128
/** Relative error of a binned value. */
const ACCURACY = 0.01
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY)
const LN_GAMMA = Math.log(GAMMA)
/** The bin of values under one millisecond, which have no usable logarithm. */
export const ZERO_BIN = -1

/** Whole milliseconds in `ms`, in any order; or `bins`: each bin followed by its count, in ascending order. */
export type Sketch = { ms: number[] | null; bins: number[] | null }

/** Returns the bin k of a latency in whole milliseconds: γ^(k-1) < ms ≤ γ^k. */
export function binOf(ms: number): number {
  return ms < 1 ? ZERO_BIN : Math.ceil(Math.log(ms) / LN_GAMMA)
}

/** Returns the latency in milliseconds that represents a bin: within 1 % of every value in it. */
export function binValue(bin: number): number {
  return bin === ZERO_BIN ? 0 : (2 * GAMMA ** bin) / (GAMMA + 1)
}

/** The number of bins, from `ZERO_BIN` to that of the database's largest integer. */
const BIN_COUNT = binOf(2 ** 31 - 1) - ZERO_BIN + 1

const BIN_VALUES = Float64Array.from({ length: BIN_COUNT }, (_, at) => binValue(at + ZERO_BIN))

/** Merges sketches: exact up to 128 values, above that bins. */
export function mergeSketches(sketches: Iterable<Sketch>): Sketch {
  const all = collect(sketches)
  const { values } = all
  if (all.binned === 0 && values.length <= EXACT_MAX) return { ms: values.length === 0 ? null : values, bins: null }
  for (const value of values) addTo(all, binOf(value), 1)
  const bins: number[] = []
  for (const [at, count] of all.counts.entries()) if (count > 0) bins.push(at + ZERO_BIN, count)
  return { ms: null, bins }
}

export type Percentiles = { p50Ms: number | null; p95Ms: number | null; p99Ms: number | null }

/** Returns the percentiles that the API shows; each null without latencies. */
export function latencyPercentiles(sketches: Iterable<Sketch>): Percentiles {
  const found = percentilesOf(sketches, [0.5, 0.95, 0.99])
  return { p50Ms: found?.[0] ?? null, p95Ms: found?.[1] ?? null, p99Ms: found?.[2] ?? null }
}

/**
 * Returns nearest-rank percentiles over all sketches, in milliseconds with two decimals; null without latencies.
 * `quantiles` must ascend. A binned value is within 1 % of the true one; the others are exact.
 */
export function percentilesOf<const Q extends readonly number[]>(
  sketches: Iterable<Sketch>,
  quantiles: Q,
): { [I in keyof Q]: number } | null {
  const { values, counts, binned } = collect(sketches)
  const total = values.length + binned
  if (total === 0) return null
  const exact = new Int32Array(values).sort()
  let [nextExact, at, passed, value] = [0, 0, 0, 0]
  const found = quantiles.map((quantile) => {
    const rank = Math.max(1, Math.ceil(quantile * total))
    while (passed < rank) {
      while (counts[at] === 0) at++
      const bin = at < counts.length ? (BIN_VALUES[at] as number) : Number.POSITIVE_INFINITY
      const listed = exact[nextExact] ?? Number.POSITIVE_INFINITY
      value = Math.min(bin, listed)
      passed += listed < bin ? 1 : (counts[at++] as number)
      if (listed < bin) nextExact++
    }
    return Math.round(value * 100) / 100
  })
  return found as { [I in keyof Q]: number }
}

/** Returns how many latencies a sketch has, and their sum in milliseconds: within 1 % where it has bins. */
export function sumOf({ ms, bins }: Sketch): { sum: number; count: number } {
  const all = { sum: 0, count: ms?.length ?? 0 }
  for (const value of ms ?? []) all.sum += value
  for (let i = 0; bins && i < bins.length; i += 2) {
    all.sum += binValue(bins[i] as number) * (bins[i + 1] as number)
    all.count += bins[i + 1] as number
  }
  return all
}

/** The listed values, and the counts by the position of the bin, with their sum. */
type Collected = { values: number[]; counts: Float64Array; binned: number }

const NO_COUNTS = new Float64Array(0)

function collect(sketches: Iterable<Sketch>): Collected {
  const all: Collected = { values: [], counts: NO_COUNTS, binned: 0 }
  for (const { ms, bins } of sketches) {
    for (const value of ms ?? []) all.values.push(value)
    for (let i = 0; bins && i < bins.length; i += 2) addTo(all, bins[i] as number, bins[i + 1] as number)
  }
  return all
}

function addTo(all: Collected, bin: number, count: number): void {
  if (all.binned === 0) all.counts = new Float64Array(BIN_COUNT)
  const at = bin - ZERO_BIN
  all.counts[at] = (all.counts[at] as number) + count
  all.binned += count
}
