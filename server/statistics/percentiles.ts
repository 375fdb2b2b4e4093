import { PackedReader } from './packed-sketch.ts'
import { BIN_COUNT, binValue, type Sketch, ZERO_BIN } from './sketch.ts'

/** Latencies as a reader has them: in lists, or packed as a daily row holds them; null is none. */
export type Latencies = Sketch | Uint8Array | null

const BIN_VALUES = Array.from({ length: BIN_COUNT }, (_, at) => binValue(at + ZERO_BIN))
/** Where bins are added up, all zero in between: a page has hundreds of sums, and room made for each took longer than they. */
const BINNED = new Int32Array(BIN_COUNT)

/** What the statistics tell of latencies, in milliseconds; each null where none is known. */
export function latencyPercentiles(latencies: readonly Latencies[]) {
  const found = percentilesOf(latencies, [0.5, 0.95, 0.99])
  return { p50Ms: found?.[0] ?? null, p95Ms: found?.[1] ?? null, p99Ms: found?.[2] ?? null }
}

/**
 * Nearest-rank percentiles (rising) over all together, in milliseconds; null over nothing. Values that are still exact stay
 * so however many sketches there are; a binned one is within 1 %, given to a hundredth.
 */
export function percentilesOf<const Q extends readonly number[]>(
  latencies: Iterable<Latencies>,
  quantiles: Q,
): { [I in keyof Q]: number } | null {
  const sum = new Sum()
  for (const some of latencies) {
    if (some instanceof Uint8Array) sum.addPacked(some)
    else if (some !== null) sum.addLists(some)
  }
  const total = sum.values.length + sum.binned
  if (total === 0) return null
  const ranks = quantiles.map((quantile) => Math.max(1, Math.ceil(quantile * total)))
  return takeValues(sum, ranks).map((value) => Math.round(value * 100) / 100) as { [I in keyof Q]: number }
}

class Sum {
  readonly values: number[] = []
  /** How many latencies are in the bins, which are those from `first` to `last`. */
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

  addLists({ ms, bins, counts }: Sketch): void {
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

/** The values of rising ranks in the order of all latencies. The bins are zero afterwards. */
function takeValues(sum: Sum, ranks: readonly number[]): number[] {
  const values = new Int32Array(sum.values).sort()
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
