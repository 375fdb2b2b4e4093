import { isUtf8 } from 'node:buffer'

/** Decides whether bytes that arrive in pieces are UTF-8. */
export type Utf8Check = { add: (piece: Buffer) => void; isValid: () => boolean }

/** Bytes of the longest character. */
const CHARACTER_MAX = 4

export function createUtf8Check(): Utf8Check {
  let isValidSoFar = true
  /** The start of a character that ends in the next piece. */
  let open: Buffer = Buffer.alloc(0)
  return {
    add(piece) {
      if (!isValidSoFar) return
      const bytes = open.length > 0 ? Buffer.concat([open, piece]) : piece
      const end = startOfOpenCharacter(bytes)
      isValidSoFar = isUtf8(bytes.subarray(0, end))
      // A copy, because a part of a buffer keeps the whole buffer in memory.
      open = Buffer.from(bytes.subarray(end))
    },
    isValid: () => isValidSoFar && open.length === 0,
  }
}

/** Returns where a character begins that the bytes do not complete; their length without such a character. */
function startOfOpenCharacter(bytes: Buffer): number {
  for (let back = 1; back < CHARACTER_MAX && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function lengthOfCharacter(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}
