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

/** Every bin that a number of the database can fall into, from `ZERO_BIN` on. */
const BIN_COUNT = binOf(2 ** 31 - 1) - ZERO_BIN + 1
const BIN_VALUES = Array.from({ length: BIN_COUNT }, (_, at) => binValue(at + ZERO_BIN))
/** Where bins are added up, all zero in between: made anew for each of a page's hundreds of sums, it took longer than they. */
const BINNED = new Float64Array(BIN_COUNT)

/** How many latencies a sketch holds. */
export function countOf(sketch: Sketch): number {
  return (sketch.ms?.length ?? 0) + (sketch.counts ?? []).reduce((sum, count) => sum + count, 0)
}

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

/**
 * Nearest-rank percentiles (rising) over all sketches together, in milliseconds; null over nothing. Values that are still
 * exact stay so however many sketches there are; a binned one is within 1 %, given to a hundredth.
 */
export function percentilesOf<const Q extends readonly number[]>(
  sketches: Iterable<Sketch>,
  quantiles: Q,
): { [I in keyof Q]: number } | null {
  const values: number[] = []
  let binned = 0
  let first = BIN_COUNT
  let last = -1
  for (const { ms, bins, counts } of sketches) {
    for (const value of ms ?? []) values.push(value)
    if (bins === null || counts === null) continue
    for (let i = 0; i < bins.length; i++) {
      const count = counts[i] as number
      const at = (bins[i] as number) - ZERO_BIN
      BINNED[at] = (BINNED[at] as number) + count
      binned += count
      if (at < first) first = at
      if (at > last) last = at
    }
  }
  const total = values.length + binned
  if (total === 0) return null
  const sorted = new Int32Array(values).sort()
  const counts = BINNED.subarray(first, last + 1)
  const ranks = quantiles.map((quantile) => Math.max(1, Math.ceil(quantile * total)))
  const found = valuesAt(ranks, sorted, counts, first).map((value) => Math.round(value * 100) / 100)
  counts.fill(0)
  return found as { [I in keyof Q]: number }
}

/** The values of rising ranks among sorted values and counted bins, of which the first is given, together. */
function valuesAt(ranks: number[], values: Int32Array, counts: Float64Array, first: number): number[] {
  const found: number[] = []
  let passed = 0
  let next = 0
  for (let i = 0; i < counts.length && found.length < ranks.length; i++) {
    const count = counts[i] as number
    if (count === 0) continue
    for (; next < values.length && (values[next] as number) < (BIN_VALUES[first + i] as number); next++) {
      passed++
      while (ranks[found.length] === passed) found.push(values[next] as number)
    }
    passed += count
    while ((ranks[found.length] as number) <= passed) found.push(BIN_VALUES[first + i] as number)
  }
  for (const rank of ranks.slice(found.length)) found.push(values[next + rank - passed - 1] as number)
  return found
}

function add(counts: Map<number, number>, key: number, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count)
}
