// Integers as bytes, seven bits each: low bits first, and the high bit marks that more bytes follow.

const DECODER = new TextDecoder()

/** Appends an integer from 0 to 2^53. */
export function pushVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

/** Appends a text with its length. */
export function pushText(bytes: number[], text: string): void {
  const encoded = Buffer.from(text)
  pushVarint(bytes, encoded.length)
  for (const byte of encoded) bytes.push(byte)
}

export class VarintReader {
  protected readonly bytes: Uint8Array
  protected at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  hasMore(): boolean {
    return this.at < this.bytes.length
  }

  readVarint(): number {
    let byte = this.bytes[this.at++] as number
    let value = byte & 0x7f
    for (let scale = 0x80; byte > 0x7f; scale *= 0x80) {
      byte = this.bytes[this.at++] as number
      value += (byte & 0x7f) * scale
    }
    return value
  }

  readText(): string {
    return DECODER.decode(this.readBytes())
  }

  /** Returns the bytes that follow their length, without a copy. */
  readBytes(): Uint8Array {
    const length = this.readVarint()
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}
