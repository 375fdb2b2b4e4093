import { EMPTY_SKETCH, type Sketch, ZERO_BIN } from './sketch.ts'

// A sketch as bytes: one that says which form it has, then whole numbers of seven bits a byte, each as the difference to
// the one before it. Values are sorted for that; with a bin goes its count.

const VALUES = 0
const BINS = 1

/** The sketch as stored in a daily row; null of nothing. */
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
  const isBinned = bytes[0] === BINS
  // Arrays that need not grow: pages unpack hundreds of sketches.
  const length = isBinned ? countNumbers(bytes) / 2 : countNumbers(bytes)
  const listed = new Array<number>(length)
  const counts = new Array<number>(isBinned ? length : 0)
  let at = 1
  const pull = () => {
    let byte = bytes[at++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number
      value |= (byte & 0x7f) << shift
    }
    return value
  }
  let last = isBinned ? ZERO_BIN : 0
  for (let i = 0; i < length; i++) {
    last += pull()
    listed[i] = last
    if (isBinned) counts[i] = pull()
  }
  return isBinned ? { ms: null, bins: listed, counts } : { ms: listed, bins: null, counts: null }
}

/** A number ends with the byte that has no high bit. */
function countNumbers(bytes: Uint8Array): number {
  let count = 0
  for (let at = 1; at < bytes.length; at++) if ((bytes[at] as number) <= 0x7f) count++
  return count
}

/** Low bits first; the high bit says that more follow. Numbers below 2^31, as the database's integers are. */
function push(bytes: number[], value: number): void {
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
}
