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
  const numbers = readNumbers(bytes)
  if (bytes[0] === VALUES) {
    let last = 0
    return { ms: numbers.map((difference) => (last += difference)), bins: null, counts: null }
  }
  const bins: number[] = []
  const counts: number[] = []
  let last = ZERO_BIN
  for (let i = 0; i < numbers.length; i += 2) {
    last += numbers[i] as number
    bins.push(last)
    counts.push(numbers[i + 1] as number)
  }
  return { ms: null, bins, counts }
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

function readNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (let i = 1; i < bytes.length; i++) {
    const byte = bytes[i] as number
    value |= (byte & 0x7f) << shift
    shift += 7
    if (byte > 0x7f) continue
    numbers.push(value)
    value = 0
    shift = 0
  }
  return numbers
}
