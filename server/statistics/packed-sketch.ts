import { EMPTY_SKETCH, type Sketch, ZERO_BIN } from './sketch.ts'

// A sketch as bytes: one byte for its form, then variable-length integers of seven bits per byte. Values are sorted and
// stored as differences; each bin is followed by its count.

const VALUES = 0
const BINS = 1

/** Returns the sketch as a daily row stores it, null when it is empty. */
export function packSketch({ ms, bins, counts }: Sketch): Buffer | null {
  const bytes: number[] = []
  if (bins !== null) {
    bytes.push(BINS)
    let last = ZERO_BIN
    bins.forEach((bin, i) => {
      push(bytes, bin - last)
      push(bytes, counts?.[i] ?? 0)
      last = bin
    })
  } else if (ms !== null && ms.length > 0) {
    bytes.push(VALUES)
    let last = 0
    for (const value of ms.toSorted((a, b) => a - b)) {
      push(bytes, value - last)
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
export class PackedReader {
  readonly isBinned: boolean
  private readonly bytes: Uint8Array
  private at = 1
  private last: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.isBinned = bytes[0] === BINS
    this.last = this.isBinned ? ZERO_BIN : 0
  }

  hasMore(): boolean {
    return this.at < this.bytes.length
  }

  /** Returns the next value or bin. */
  readNumber(): number {
    this.last += this.pull()
    return this.last
  }

  /** Returns how many latencies the bin just read holds. */
  readCount(): number {
    return this.pull()
  }

  private pull(): number {
    let byte = this.bytes[this.at++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.bytes[this.at++] as number
      value |= (byte & 0x7f) << shift
    }
    return value
  }
}

/** Low bits first; the high bit marks that more bytes follow. Values are below 2^31, like the database's integers. */
function push(bytes: number[], value: number): void {
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
}
