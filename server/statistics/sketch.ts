// Latencies of many runs in little room: the values themselves while there are at most 128, then counts per logarithmic
// bin. Merging loses nothing, so hours add up to days and agents to a service. The model is DDSketch's.

/** A list stays exact up to this many values. */
export const EXACT_MAX = 128
/** Relative error of a binned value. */
const ACCURACY = 0.01
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY)
const LN_GAMMA = Math.log(GAMMA)
/** Bin of values under one millisecond, which have no logarithm to go by. */
export const ZERO_BIN = -1

/** As stored: either `ms` alone (exact, in no order), or `bins` with the count of each. All null or empty: nothing. */
export type Sketch = {
  ms: readonly number[] | null
  bins: readonly number[] | null
  counts: readonly number[] | null
}

export const EMPTY_SKETCH: Sketch = { ms: null, bins: null, counts: null }

/** The bin of a latency in whole milliseconds: k with γ^(k-1) < ms ≤ γ^k. */
export function binOf(ms: number): number {
  return ms < 1 ? ZERO_BIN : Math.ceil(Math.log(ms) / LN_GAMMA)
}

/** The latency in milliseconds that stands for a bin: within 1 % of everything in it. */
export function binValue(bin: number): number {
  return bin === ZERO_BIN ? 0 : (2 * GAMMA ** bin) / (GAMMA + 1)
}

/** Bins that a number of the database can fall into, from `ZERO_BIN` on. */
export const BIN_COUNT = binOf(2 ** 31 - 1) - ZERO_BIN + 1

/** One sketch of all: exact where that is at most 128 values, bins in ascending order otherwise. */
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

/** The sketch with more latencies (whole milliseconds) in it. */
export function addToSketch(sketch: Sketch, ms: readonly number[]): Sketch {
  return mergeSketches([sketch, { ms, bins: null, counts: null }])
}

function add(counts: Map<number, number>, key: number, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count)
}
