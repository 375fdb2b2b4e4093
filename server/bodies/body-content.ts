import { createHash } from 'node:crypto'
import { shouldYield, yieldToEventLoop } from '../language/lace/event-loop.ts'

/** A body that need not be in memory as a whole. */
export type BodyContent = {
  bytes: number
  sha256: Buffer
  /** Yields the content from its start, each time that it is called. */
  pieces: () => AsyncIterable<Buffer>
}

/** Bytes of a piece: hashing or encrypting one takes a tenth of a millisecond. */
export const PIECE_BYTES = 64 * 1024

/** The content is larger than its limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** Yields bytes in small pieces that are not copied, and lets the event loop continue between them. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (shouldYield()) await yieldToEventLoop()
    const length = Math.min(PIECE_BYTES, bytes.length - at)
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, length)
  }
}

/** Reads pieces to their end, and returns their size and their digest. */
export async function digestOf(pieces: AsyncIterable<Buffer>): Promise<Pick<BodyContent, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of pieces) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest() }
}

/** Yields the pieces. @throws BodyTooLarge past `maxBytes` */
export async function* atMost(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw new BodyTooLarge(`the body is larger than ${maxBytes} bytes`)
    yield piece
  }
}
