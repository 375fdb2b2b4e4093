import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { inSteps } from './byte-steps.ts'

// Files of the spool: a version, a nonce, and the bytes in AES-256-GCM. The name is authenticated too, so that no file can
// take the place of another.

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + NONCE_BYTES
const ALGORITHM = 'aes-256-gcm'

export async function seal(key: Buffer, name: string, bytes: Buffer): Promise<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name))
  const sealed = await inSteps(bytes, (step) => cipher.update(step))
  return Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.final(), cipher.getAuthTag()])
}

/** @throws Error when the file is damaged, or was sealed with another key or for another name */
export async function unseal(key: Buffer, name: string, file: Buffer): Promise<Buffer> {
  if (file.length < HEADER_BYTES + TAG_BYTES || file[0] !== VERSION) throw new Error('not a file of this spool')
  const decipher = createDecipheriv(ALGORITHM, key, file.subarray(1, HEADER_BYTES)).setAAD(Buffer.from(name))
  decipher.setAuthTag(file.subarray(-TAG_BYTES))
  const opened = await inSteps(file.subarray(HEADER_BYTES, -TAG_BYTES), (step) => decipher.update(step))
  return Buffer.concat([...opened, decipher.final()])
}
