import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PIECE_BYTES } from './body-content.ts'

/** A file without a name: it is gone when it is closed, also by a kill. */
export type ScratchFile = {
  /** Appends. One call at a time. @throws ScratchError */
  write: (piece: Buffer) => Promise<void>
  /** Yields what was written. */
  read: () => AsyncGenerator<Buffer>
  close: () => Promise<void>
}

/** The folder of scratch files cannot be written, or is full. */
export class ScratchError extends Error {
  override readonly name = 'ScratchError'
}

const ALGORITHM = 'aes-256-ctr'

/**
 * Creates a scratch file. It is encrypted with a key that only this process has: bodies can contain secrets.
 * @throws ScratchError
 */
export async function createScratchFile(folder: string): Promise<ScratchFile> {
  const file = await openUnnamed(folder).catch(fail)
  const [key, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv(ALGORITHM, key, iv)
  let size = 0
  return {
    async write(piece) {
      await file.appendFile(cipher.update(piece)).catch(fail)
      size += piece.length
    },
    async *read() {
      const decipher = createDecipheriv(ALGORITHM, key, iv)
      for (let at = 0; at < size; ) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(PIECE_BYTES, size - at)), 0, undefined, at)
        if (bytesRead === 0) throw new Error('a scratch file ended early')
        at += bytesRead
        yield decipher.update(buffer.subarray(0, bytesRead))
      }
    },
    close: () => file.close(),
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

function fail(error: unknown): never {
  throw new ScratchError('a body could not be kept on disk', { cause: error })
}
