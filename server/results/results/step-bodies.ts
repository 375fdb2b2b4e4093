import { BODY_READ_MAX_BYTES, type BodyRead } from '../../bodies/reader.ts'
import { ApiError } from '../../errors.ts'
import type { StepBody } from '../../schemas/results/results.ts'

/** `Retry-After` when a store is unavailable. */
const RETRY_SECONDS = 10

/** Content types that are safe to return: text and common data formats. */
const REPEATABLE_TYPE =
  /^(text\/[\w.+-]+|application\/(json|xml|javascript|x-javascript|ecmascript|x-www-form-urlencoded)|[\w.-]+\/[\w.-]+\+(json|xml))(\s*;[\x20-\x7e]*)?$/i
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r]/u

/**
 * Returns a stored body as the API shows it: plain text, or base64 for anything else.
 * @throws ApiError `body_gone`, `body_too_large`, `body_store_unavailable`
 */
export function presentBody(read: BodyRead, contentType: string | null): StepBody {
  switch (read.outcome) {
    case 'read':
      return {
        ...encode(read.bytes),
        contentType: contentType && REPEATABLE_TYPE.test(contentType) ? contentType : null,
      }
    case 'gone':
      throw new ApiError('body_gone')
    case 'too_large':
      throw new ApiError('body_too_large', { maxBytes: BODY_READ_MAX_BYTES })
    case 'unavailable':
      throw new ApiError('body_store_unavailable', undefined, { 'Retry-After': String(RETRY_SECONDS) })
  }
}

function encode(bytes: Buffer): Pick<StepBody, 'content' | 'encoding'> {
  const text = decode(bytes)
  if (text === null || CONTROL_CHARACTER.test(text)) return { content: bytes.toString('base64'), encoding: 'base64' }
  return { content: text, encoding: null }
}

/** Returns null for bytes that are not UTF-8. Keeps a byte order mark. */
function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
