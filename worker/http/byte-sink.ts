const BLOCK_BYTES = 64 * 1024

/**
 * Collects chunks up to a limit. A body in a single chunk is kept without copying. Otherwise chunks are copied into
 * blocks of fixed size, so that a body sent byte by byte does not cost an object per byte.
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

  /** Returns false when the chunk exceeds the limit. All bytes are then dropped, but `length` includes the chunk. */
  add(chunk: Buffer): boolean {
    const offset = this.#length
    this.#length += chunk.length
    if (this.#length > this.#maxBytes) {
      this.#whole = null
      this.#blocks = []
      return false
    }
    if (offset === 0) {
      this.#whole = chunk
      return true
    }
    if (this.#whole) this.#append(this.#whole, 0)
    this.#whole = null
    this.#append(chunk, offset)
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
