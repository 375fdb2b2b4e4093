const BLOCK_BYTES = 64 * 1024

/**
 * Gathers chunks up to a limit. A body that comes in one piece is kept as it is; any other is copied into blocks of one
 * size, so that one sent byte by byte costs its length and not an object per byte.
 */
export class ByteSink {
  readonly #maxBytes: number
  #whole: Buffer | null = null
  #blocks: Buffer[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#length
  }

  /** False when the chunk passes the limit; what came is dropped then, and `length` counts the chunk all the same. */
  add(chunk: Buffer): boolean {
    const start = this.#length
    this.#length += chunk.length
    if (this.#length > this.#maxBytes) {
      this.#whole = null
      this.#blocks = []
      return false
    }
    if (start === 0) {
      this.#whole = chunk
      return true
    }
    if (this.#whole) this.#append(this.#whole, 0)
    this.#whole = null
    this.#append(chunk, start)
    return true
  }

  bytes(): Buffer {
    return this.#whole ?? Buffer.concat(this.#blocks, this.#length)
  }

  #append(chunk: Buffer, start: number): void {
    for (let copied = 0; copied < chunk.length; ) {
      const offset = (start + copied) % BLOCK_BYTES
      if (offset === 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
      copied += chunk.copy(this.#blocks.at(-1)!, offset, copied)
    }
  }
}
