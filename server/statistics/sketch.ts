// A summary of latencies for percentiles, modelled on DDSketch: exact values up to 128, above that counts per
// logarithmic bin (within 1 %). Sketches are merged, never percentiles: by `mergeSketches` and, by the same rule, in
// the database by `sketch_merge` (db/migrations/0002_rollup_functions.sql).

/** A sketch keeps exact values up to this many. */
export const EXACT_MAX = 128
/** Relative error of a binned value. */
const ACCURACY = 0.01
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY)
const LN_GAMMA = Math.log(GAMMA)
/** The bin of values under one millisecond, which have no usable logarithm. */
export const ZERO_BIN = -1

/** Either `ms` alone (exact, unordered), or `bins` with the count of each. All null or empty: no latencies. */
export type Sketch = {
  ms: readonly number[] | null
  bins: readonly number[] | null
  counts: readonly number[] | null
}

export const EMPTY_SKETCH: Sketch = { ms: null, bins: null, counts: null }

/** Returns the bin k of a latency in whole milliseconds: γ^(k-1) < ms ≤ γ^k. */
export function binOf(ms: number): number {
  return ms < 1 ? ZERO_BIN : Math.ceil(Math.log(ms) / LN_GAMMA)
}

/** Returns the latency in milliseconds that represents a bin: within 1 % of every value in it. */
export function binValue(bin: number): number {
  return bin === ZERO_BIN ? 0 : (2 * GAMMA ** bin) / (GAMMA + 1)
}

/** The number of bins, from `ZERO_BIN` to that of the database's largest integer. */
export const BIN_COUNT = binOf(2 ** 31 - 1) - ZERO_BIN + 1

/** Merges sketches: exact up to 128 values, above that bins in ascending order. */
export function mergeSketches(sketches: Iterable<Sketch>): Sketch {
  const ms: number[] = []
  const bins = new Map<number, number>()
  for (const sketch of sketches) {
    for (const value of sketch.ms ?? []) ms.push(value)
    sketch.bins?.forEach((bin, i) => {
      add(bins, bin, sketch.counts?.[i] ?? 0)
    })
  }
  if (bins.size === 0 && ms.length <= EXACT_MAX)
    return ms.length === 0 ? EMPTY_SKETCH : { ms, bins: null, counts: null }
  for (const value of ms) add(bins, binOf(value), 1)
  const sorted = [...bins].sort(([a], [b]) => a - b)
  return { ms: null, bins: sorted.map(([bin]) => bin), counts: sorted.map(([, count]) => count) }
}

/** Returns the sketch with latencies (whole milliseconds) added. */
export function addToSketch(sketch: Sketch, ms: readonly number[]): Sketch {
  return mergeSketches([sketch, { ms, bins: null, counts: null }])
}

function add(counts: Map<number, number>, key: number, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count)
}
