import { EMPTY_SKETCH, type Sketch, ZERO_BIN } from './sketch.ts'
import { pushVarint, VarintReader } from './varints.ts'

// A sketch as bytes: one byte for its form, then variable-length integers. Values are sorted and stored as differences;
// each bin is followed by its count.

const VALUES = 0
const BINS = 1

/** Returns the sketch as a daily row stores it, null when it is empty. */
export function packSketch({ ms, bins, counts }: Sketch): Buffer | null {
  const bytes: number[] = []
  if (bins !== null) {
    bytes.push(BINS)
    let last = ZERO_BIN
    bins.forEach((bin, i) => {
      pushVarint(bytes, bin - last)
      pushVarint(bytes, counts?.[i] ?? 0)
      last = bin
    })
  } else if (ms !== null && ms.length > 0) {
    bytes.push(VALUES)
    let last = 0
    for (const value of ms.toSorted((a, b) => a - b)) {
      pushVarint(bytes, value - last)
      last = value
    }
  }
  return bytes.length === 0 ? null : Buffer.from(bytes)
}

export function unpackSketch(bytes: Uint8Array | null): Sketch {
  if (bytes === null) return EMPTY_SKETCH
  const packed = new PackedReader(bytes)
  const numbers: number[] = []
  const counts: number[] = []
  while (packed.hasMore()) {
    numbers.push(packed.readNumber())
    if (packed.isBinned) counts.push(packed.readCount())
  }
  return packed.isBinned ? { ms: null, bins: numbers, counts } : { ms: numbers, bins: null, counts: null }
}

/** Reads a packed sketch without unpacking it: its values, or its bins with their counts, in ascending order. */
export class PackedReader extends VarintReader {
  readonly isBinned: boolean
  private last: number

  constructor(bytes: Uint8Array) {
    super(bytes, 1)
    this.isBinned = bytes[0] === BINS
    this.last = this.isBinned ? ZERO_BIN : 0
  }

  /** Returns the next value or bin. */
  readNumber(): number {
    this.last += this.readVarint()
    return this.last
  }

  /** Returns how many latencies the bin just read holds. */
  readCount(): number {
    return this.readVarint()
  }
}
