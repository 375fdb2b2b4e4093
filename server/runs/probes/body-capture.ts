import type { BodyStore } from '../../bodies/body-store.ts'
import { bodyKey } from '../../bodies/store.ts'
import { charsetOf } from '../../language/lace/charset.ts'
import type { BodySink } from '../../language/lace/transport.ts'
import { safeText, textPrefix } from '../../language/lace/values/json.ts'
import { countBodyStoreError } from '../../observe/metrics/sends.ts'
import { EXCERPT_MAX } from '../../schemas/results/failures.ts'
import { isTextType, type Redactor } from '../redaction/redact.ts'

/** The body store for new results. */
export type BodyTarget = { id: string; store: Pick<BodyStore, 'put'> }

export type StoredBody = { storeId: string; key: string; bytes: number; contentType: string | null }

/** `not_requested`: the service does not save bodies any more. */
type NotStored = 'store_unavailable' | 'too_large' | 'not_requested'

export type CapturedBodies = {
  /** By index of the call. A string is the reason why the body of that call is not stored. */
  stored: ReadonlyMap<number, StoredBody | NotStored>
  /**
   * Returns the first 500 characters of the call's body, without secrets; null for another call than the last one with a
   * body, and for a body that is not text.
   */
  excerptOf: (callIndex: number) => Promise<string | null>
}

export const NO_BODIES: CapturedBodies = { stored: new Map(), excerptOf: async () => null }

export type BodyCapture = {
  sink: BodySink
  /** Resolves when each body has been stored or has failed. */
  settle: () => Promise<CapturedBodies>
}

const PUT_TIMEOUT_MS = 15_000
const MAX_CONTENT_TYPE_LENGTH = 256
/** No charset takes more bytes for a character. */
const MAX_BYTES_PER_CHARACTER = 4

/**
 * Stores the bodies of one run in parallel to it, so that storing is not part of the measured times. Bodies are stored
 * under the day on which the run started, because results and bodies are cleared by that day.
 */
export function captureBodies(
  target: BodyTarget,
  run: { organizationId: string; serviceId: string; startedAt: Date },
  redactor: Redactor,
  onFailure: (error: unknown) => void,
): BodyCapture {
  const puts: Promise<[number, StoredBody | NotStored]>[] = []
  // A run ends with the call that fails, so only the last body can be needed. The start of it is copied, because a part
  // of a buffer keeps the whole buffer in memory.
  let last: { callIndex: number; start: Buffer; contentType: string } | null = null
  const excerptBytes = excerptBytesOf(redactor)
  return {
    sink: async ({ callIndex, body, contentType }) => {
      const bytes = await redactor.body(body, contentType)
      if (bytes === null) {
        puts.push(Promise.resolve([callIndex, 'too_large']))
        return null
      }
      last = { callIndex, start: Buffer.from(bytes.subarray(0, excerptBytes)), contentType }
      const key = bodyKey(run.organizationId, run.serviceId, run.startedAt, bytes)
      const stored = {
        storeId: target.id,
        key,
        bytes: bytes.length,
        contentType: await shownTypeOf(contentType, redactor),
      }
      puts.push(storeInTime(stored, target.store.put(key, bytes), onFailure).then((result) => [callIndex, result]))
      return key
    },
    settle: async () => ({
      stored: new Map(await Promise.all(puts)),
      excerptOf: async (callIndex) =>
        last?.callIndex === callIndex ? excerptOf(last.start, last.contentType, redactor) : null,
    }),
  }
}

/** Returns the stored body when `put` has ended. Never rejects. */
export async function storeInTime(
  stored: StoredBody,
  put: Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<StoredBody | NotStored> {
  try {
    await withTimeout(PUT_TIMEOUT_MS, put)
    return stored
  } catch (error) {
    countBodyStoreError('write')
    onFailure(error)
    return 'store_unavailable'
  }
}

/** Returns a content type as it is shown, without secrets. */
export async function shownTypeOf(contentType: string, redactor: Redactor): Promise<string | null> {
  const shownType = textPrefix(await redactor.text(contentType), MAX_CONTENT_TYPE_LENGTH)
  return shownType === '' ? null : shownType
}

/** Bytes at the start of a body that decide its excerpt. */
export function excerptBytesOf({ maxSecretLength }: Redactor): number {
  return (EXCERPT_MAX + maxSecretLength) * MAX_BYTES_PER_CHARACTER
}

/** Returns the first 500 characters of a masked body, from its first `excerptBytesOf` bytes; null for one that is not text. */
export async function excerptOf(start: Buffer, contentType: string, redactor: Redactor): Promise<string | null> {
  const text = decodeStart(start, contentType)
  if (text === null) return null
  // The bytes were masked as UTF-8. In another charset, secrets are found only in the decoded text.
  return textPrefix(safeText(await redactor.prefix(text, EXCERPT_MAX + 1)), EXCERPT_MAX)
}

/** Decodes the start of a text body. Null for other content types, and when the bytes are not text in their charset. */
function decodeStart(start: Buffer, contentType: string): string | null {
  if (!isTextType(contentType)) return null
  const charset = charsetOf(start, contentType)
  if (charset === null) return null
  try {
    // The last character may be incomplete; `stream` leaves it out.
    return new TextDecoder(charset, { fatal: true }).decode(start, { stream: true })
  } catch {
    return null
  }
}

function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the body store did not respond within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
