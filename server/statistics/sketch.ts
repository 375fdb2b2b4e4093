// A summary of latencies for percentiles, modelled on DDSketch: exact values up to 128, above that counts per
// logarithmic bin (within 1 %). Sketches are merged, never percentiles.

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

/** The columns of several sketches, as `json_agg` returns them. */
export type SketchLists = { ms: number[][] | null; bins: number[][] | null }

/** Returns the bin k of a latency in whole milliseconds: γ^(k-1) < ms ≤ γ^k. */
export function binOf(ms: number): number {
  return ms < 1 ? ZERO_BIN : Math.ceil(Math.log(ms) / LN_GAMMA)
}

/** Returns the latency in milliseconds that represents a bin: within 1 % of every value in it. */
export function binValue(bin: number): number {
  return bin === ZERO_BIN ? 0 : (2 * GAMMA ** bin) / (GAMMA + 1)
}

/** Merges sketches: exact up to 128 values, above that bins. */
export function mergeSketches(sketches: Iterable<Sketch>): Sketch {
  const { values, counts } = collect(sketches)
  if (counts.size === 0 && values.length <= EXACT_MAX) return { ms: values.length === 0 ? null : values, bins: null }
  for (const value of values) addTo(counts, binOf(value), 1)
  return { ms: null, bins: inOrder(counts).flat() }
}

export function sketchesOf({ ms, bins }: SketchLists): Sketch[] {
  return [
    ...(ms ?? []).map((own) => ({ ms: own, bins: null })),
    ...(bins ?? []).map((own) => ({ ms: null, bins: own })),
  ]
}

/** Returns the percentiles that the statistics show, in milliseconds; each null without latencies. */
export function latencyPercentiles(sketches: Iterable<Sketch>) {
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
  const { values, counts } = collect(sketches)
  const exact = new Int32Array(values).sort()
  const bins = inOrder(counts)
  const total = bins.reduce((sum, [, count]) => sum + count, exact.length)
  if (total === 0) return null
  let [nextExact, nextBin, passed, value] = [0, 0, 0, 0]
  const found = quantiles.map((quantile) => {
    const rank = Math.max(1, Math.ceil(quantile * total))
    while (passed < rank) {
      const [bin, count] = bins[nextBin] ?? [null, 0]
      const binned = bin === null ? Number.POSITIVE_INFINITY : binValue(bin)
      const listed = exact[nextExact] ?? Number.POSITIVE_INFINITY
      value = Math.min(binned, listed)
      if (listed < binned) nextExact++
      else nextBin++
      passed += listed < binned ? 1 : count
    }
    return Math.round(value * 100) / 100
  })
  return found as { [I in keyof Q]: number }
}

function collect(sketches: Iterable<Sketch>): { values: number[]; counts: Map<number, number> } {
  const values: number[] = []
  const counts = new Map<number, number>()
  for (const { ms, bins } of sketches) {
    for (const value of ms ?? []) values.push(value)
    for (let i = 0; bins && i < bins.length; i += 2) addTo(counts, bins[i] as number, bins[i + 1] as number)
  }
  return { values, counts }
}

function addTo(counts: Map<number, number>, bin: number, count: number): void {
  counts.set(bin, (counts.get(bin) ?? 0) + count)
}

function inOrder(counts: Map<number, number>): [bin: number, count: number][] {
  return [...counts].sort(([a], [b]) => a - b)
}
