import { createHash, timingSafeEqual } from 'node:crypto'
import { parseDictionary } from 'structured-headers'

// `Content-Digest` with SHA-256: RFC 9530.

const MEMBER = 'sha-256'
const DIGEST_BYTES = 32
/** Bytes that are hashed in one step: about a tenth of a millisecond. */
const STEP_BYTES = 65_536

/** Returns the digest in the header; null when the header is anything but one SHA-256 digest. */
export function readContentDigest(header: string): Buffer | null {
  try {
    const members = parseDictionary(header)
    const [digest, parameters] = members.get(MEMBER) ?? []
    if (members.size !== 1 || !(digest instanceof ArrayBuffer) || parameters?.size !== 0) return null
    return digest.byteLength === DIGEST_BYTES ? Buffer.from(digest) : null
  } catch {
    return null
  }
}

/** Returns whether a body has the digest. Calls `pause` between steps, so that a large body does not block the process. */
export async function hasDigest(body: Uint8Array, digest: Buffer, pause: () => Promise<void>): Promise<boolean> {
  const hash = createHash('sha256')
  for (let start = 0; start < body.length; start += STEP_BYTES) {
    await pause()
    hash.update(body.subarray(start, start + STEP_BYTES))
  }
  return isSameDigest(hash.digest(), digest)
}

export function isSameDigest(computed: Buffer, digest: Buffer): boolean {
  return timingSafeEqual(computed, digest)
}
