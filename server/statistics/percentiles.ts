import { PackedReader } from './packed-sketch.ts'
import { BIN_COUNT, binValue, type Sketch, ZERO_BIN } from './sketch.ts'

// Percentiles of added-up sketches. How and where sketches are merged: sketch.ts.

/** Latencies as arrays, or packed as in a daily row; null when there are none. */
export type Latencies = Sketch | Uint8Array | null

const BIN_VALUES = Array.from({ length: BIN_COUNT }, (_, at) => binValue(at + ZERO_BIN))
/**
 * Scratch array for adding up bins, all zero between uses. A page computes hundreds of percentiles, and allocating an
 * array for each took longer than the sums.
 */
const BINNED = new Int32Array(BIN_COUNT)

/** Returns the percentiles that the statistics show, in milliseconds; each null without latencies. */
export function latencyPercentiles(latencies: readonly Latencies[]) {
  const found = percentilesOf(latencies, [0.5, 0.95, 0.99])
  return { p50Ms: found?.[0] ?? null, p95Ms: found?.[1] ?? null, p99Ms: found?.[2] ?? null }
}

/**
 * Returns nearest-rank percentiles over all sketches, in milliseconds with two decimals; null without latencies.
 * `quantiles` must ascend. A binned value is within 1 % of the true one; the others are exact.
 */
export function percentilesOf<const Q extends readonly number[]>(
  latencies: Iterable<Latencies>,
  quantiles: Q,
): { [I in keyof Q]: number } | null {
  const sum = new Sum()
  for (const some of latencies) {
    if (some instanceof Uint8Array) sum.addPacked(some)
    else if (some !== null) sum.addArrays(some)
  }
  const total = sum.values.length + sum.binned
  if (total === 0) return null
  const ranks = quantiles.map((quantile) => Math.max(1, Math.ceil(quantile * total)))
  return takeValues(sum, ranks).map((value) => Math.round(value * 100) / 100) as { [I in keyof Q]: number }
}

class Sum {
  readonly values: number[] = []
  /** The number of latencies in the bins from `first` to `last`. */
  binned = 0
  first = BIN_COUNT
  last = -1

  addPacked(bytes: Uint8Array): void {
    const packed = new PackedReader(bytes)
    if (!packed.isBinned) {
      while (packed.hasMore()) this.values.push(packed.readNumber())
      return
    }
    let binned = 0
    let at = packed.readNumber() - ZERO_BIN
    this.first = Math.min(this.first, at)
    for (;;) {
      const count = packed.readCount()
      BINNED[at] = (BINNED[at] as number) + count
      binned += count
      if (!packed.hasMore()) break
      at = packed.readNumber() - ZERO_BIN
    }
    this.last = Math.max(this.last, at)
    this.binned += binned
  }

  addArrays({ ms, bins, counts }: Sketch): void {
    for (const value of ms ?? []) this.values.push(value)
    if (bins === null || counts === null) return
    for (let i = 0; i < bins.length; i++) {
      const at = (bins[i] as number) - ZERO_BIN
      const count = counts[i] as number
      BINNED[at] = (BINNED[at] as number) + count
      this.binned += count
      this.first = Math.min(this.first, at)
      this.last = Math.max(this.last, at)
    }
  }
}

/** Returns the latencies at ascending ranks, and zeroes the bins. */
function takeValues(sum: Sum, ranks: readonly number[]): number[] {
  const values = new Int32Array(sum.values).sort()
  if (sum.binned === 0) return ranks.map((rank) => values[rank - 1] as number)
  const found: number[] = []
  let wanted = ranks[0] as number
  let passed = 0
  let next = 0
  const find = (value: number) => {
    for (; wanted <= passed; wanted = ranks[found.length] ?? Number.POSITIVE_INFINITY) found.push(value)
  }
  for (let bin = sum.first; bin <= sum.last; bin++) {
    for (; next < values.length && (values[next] as number) < (BIN_VALUES[bin] as number); next++) {
      passed++
      if (wanted <= passed) find(values[next] as number)
    }
    passed += BINNED[bin] as number
    BINNED[bin] = 0
    if (wanted <= passed) find(BIN_VALUES[bin] as number)
  }
  for (; next < values.length; next++) {
    passed++
    if (wanted <= passed) find(values[next] as number)
  }
  return found
}
