import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { PIECE_BYTES } from '#server/bodies/body-content.ts'
import { shouldYield, yieldToEventLoop } from '#server/language/lace/event-loop.ts'

// Files of the spool: a version, a nonce, and the content in AES-256-GCM. The name is authenticated too, so that no file can
// take the place of another.

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + NONCE_BYTES
const ALGORITHM = 'aes-256-gcm'

/** A sealed file. `read` returns fewer bytes at its end. */
export type SealedFile = { size: number; read: (at: number, length: number) => Promise<Buffer> }

/** Yields the bytes of a sealed file. */
export async function* seal(key: Buffer, name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name))
  yield Buffer.concat([Buffer.of(VERSION), nonce])
  for await (const piece of content) yield cipher.update(piece)
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()])
}

/**
 * Yields the content of a sealed file, and its last piece only if all of it is authentic.
 * @throws Error when the file is damaged, or was sealed with another key or for another name
 */
export async function* unseal(key: Buffer, name: string, file: SealedFile): AsyncGenerator<Buffer> {
  const end = file.size - TAG_BYTES
  const header = await file.read(0, HEADER_BYTES)
  if (end < HEADER_BYTES || header[0] !== VERSION) throw new Error('not a file of this spool')
  const decipher = createDecipheriv(ALGORITHM, key, header.subarray(1)).setAAD(Buffer.from(name))
  decipher.setAuthTag(await file.read(end, TAG_BYTES))
  let last: Buffer | null = null
  for (let at = HEADER_BYTES; at < end; at += PIECE_BYTES) {
    if (shouldYield()) await yieldToEventLoop()
    const opened = decipher.update(await file.read(at, Math.min(PIECE_BYTES, end - at)))
    if (last) yield last
    last = opened
  }
  decipher.final()
  if (last) yield last
}
