import { PackedReader } from './packed-sketch.ts'
import { BIN_COUNT, binValue, type Sketch, ZERO_BIN } from './sketch.ts'

/** Latencies as a reader has them: in lists, or packed as a daily row holds them; null is none. */
export type Latencies = Sketch | Uint8Array | null

const BIN_VALUES = Array.from({ length: BIN_COUNT }, (_, at) => binValue(at + ZERO_BIN))
/** Where bins are added up, all zero in between: a page has hundreds of sums, and room made for each took longer than they. */
const BINNED = new Float64Array(BIN_COUNT)

/** What the statistics tell of rows together, in milliseconds; each null where no latency is known. */
export function latencyPercentiles(rows: readonly { latencies: Latencies }[]) {
  const found = percentilesOf(
    rows.map((row) => row.latencies),
    [0.5, 0.95, 0.99],
  )
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
  const values: number[] = []
  let binned = 0
  for (const some of latencies) {
    if (some instanceof Uint8Array) binned += addPacked(some, values)
    else if (some !== null) binned += addLists(some, values)
  }
  const total = values.length + binned
  if (total === 0) return null
  const ranks = quantiles.map((quantile) => Math.max(1, Math.ceil(quantile * total)))
  const found = valuesAt(ranks, new Int32Array(values).sort(), binned)
  return found.map((value) => Math.round(value * 100) / 100) as { [I in keyof Q]: number }
}

/** Adds to `values` or to the bins; says how many went to those. */
function addPacked(bytes: Uint8Array, values: number[]): number {
  const packed = new PackedReader(bytes)
  let binned = 0
  while (packed.hasMore()) {
    const number = packed.readNumber()
    if (packed.isBinned) {
      const count = packed.readCount()
      BINNED[number - ZERO_BIN] = (BINNED[number - ZERO_BIN] as number) + count
      binned += count
    } else {
      values.push(number)
    }
  }
  return binned
}

function addLists({ ms, bins, counts }: Sketch, values: number[]): number {
  for (const value of ms ?? []) values.push(value)
  if (bins === null || counts === null) return 0
  let binned = 0
  for (let i = 0; i < bins.length; i++) {
    const at = (bins[i] as number) - ZERO_BIN
    const count = counts[i] as number
    BINNED[at] = (BINNED[at] as number) + count
    binned += count
  }
  return binned
}

/** The values of rising ranks among sorted values and the `binned` latencies of the bins, which are zero afterwards. */
function valuesAt(ranks: number[], values: Int32Array, binned: number): number[] {
  const found: number[] = []
  let wanted = ranks[0] ?? 0
  let passed = 0
  let next = 0
  const find = (value: number) => {
    while (wanted <= passed) {
      found.push(value)
      wanted = ranks[found.length] ?? Number.POSITIVE_INFINITY
    }
  }
  for (let bin = 0, rest = binned; rest > 0; bin++) {
    const count = BINNED[bin] as number
    if (count === 0) continue
    BINNED[bin] = 0
    rest -= count
    const value = BIN_VALUES[bin] as number
    for (; next < values.length && (values[next] as number) < value; next++) {
      passed++
      if (wanted <= passed) find(values[next] as number)
    }
    passed += count
    if (wanted <= passed) find(value)
  }
  for (; next < values.length; next++) {
    passed++
    if (wanted <= passed) find(values[next] as number)
  }
  return found
}
