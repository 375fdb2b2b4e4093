import { isUtf8 } from 'node:buffer'
import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'
import type { CallConfigRecord, ProbeResult } from '../../language/lace/result.ts'
import { MASK } from '../../schemas/variables.ts'
import { maskedPieces, maskedStream, type SearchableText } from './masker.ts'
import { asBytes, secretSearch } from './secret-search.ts'

/** Field names that the language defines for results. They are never masked, even if a secret has the same spelling. */
const RESULT_FIELDS = new Set(
  (
    'action actions actual actualLhs actualRhs alpn assertions bodyNotCapturedReason bodyPath callIndex calls certificate ' +
    'chainMethod cipher clearCookies cn code config connectMs cookieJar detail dns dnsMs elapsedMs endedAt error ' +
    'expected expression follow headers index issuer kind match max method mode ms notAfter notBefore op options ' +
    'outcome protocol redirects rejectInvalidCerts request resolvedIp resolvedIps response responseTimeMs retries ' +
    'runVars scope security sizeBytes startedAt status statusText subject subjectAltNames timeout tls tlsMs ' +
    'transferMs ttfbMs url validationWarnings variables warnings'
  ).split(' '),
)

/** A mask may be longer than the secret. A masked body that grows beyond this limit is not stored. */
export const MAX_MASKED_BODY_BYTES = 12 * 1024 * 1024

/**
 * Masks the secrets of a run before anything is stored. It yields to the event loop. Its time depends only on the
 * length of the text, not on the secrets.
 */
export type Redactor = {
  /** The same object for the same secrets, as long as their search is cached: what is masked once may be kept by it. */
  identity: object
  /** Length of the longest spelling of a secret, in characters. */
  maxSecretLength: number
  text: (text: string) => Promise<string>
  /** Masks the first `length` characters of a string. A secret that extends beyond them is masked too. */
  prefix: (text: string, length: number) => Promise<string>
  /** Masks all strings, field names and numbers in a value. */
  value: <T>(value: T) => Promise<T>
  /** Masks a text body; other bodies are unchanged. Null when the masked body is too large. */
  body: (body: Buffer, contentType: string) => Promise<Buffer | null>
  /** Masks a text body that is read in pieces, in bounded memory and of any size. See `isTextBody`. */
  stream: (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  result: (result: ProbeResult) => Promise<ProbeResult>
}

/** The redactor of a run without secrets. */
const NO_REDACTOR: Redactor = {
  identity: {},
  maxSecretLength: 0,
  text: async (text) => text,
  prefix: async (text, length) => text.slice(0, length),
  value: async (value) => value,
  body: async (body) => body,
  stream: (pieces) => pieces,
  result: async (result) => result,
}

/**
 * Creates a redactor for the values of a run's secrets; `owner` is the run's organization. Secrets of one or two
 * characters are not masked, because they occur everywhere.
 *
 * @throws TooManySecrets when the secrets are too long to be searched for
 */
export async function createRedactor(secrets: readonly string[], owner = ''): Promise<Redactor> {
  const search = await secretSearch(secrets, 'text', owner)
  if (search === null) return NO_REDACTOR
  const prefix = async (text: string, length: number) => {
    let out = ''
    for await (const piece of maskedPieces(text, Math.min(length, text.length), search, MASK)) out += piece
    return out
  }
  const text = (whole: string) => prefix(whole, whole.length)
  const redactor: Redactor = {
    identity: search,
    maxSecretLength: search.maxLength,
    text,
    prefix,
    value: (value) => redactValue(value, text, true),
    body: async (body, contentType) => (isTextBody(contentType, isUtf8(body)) ? maskBytes(body, secrets, owner) : body),
    stream: (pieces) => maskStream(pieces, secrets, owner),
    // Measured numbers are kept; numbers from a script or a target may spell a secret.
    result: async ({ runVars, actions, calls, ...rest }) => {
      const maskedCalls: ProbeResult['calls'] = []
      for (const { assertions, config, ...call } of calls) {
        maskedCalls.push({
          ...(await redactValue(call, text, false)),
          assertions: await redactValue(assertions, text, true),
          // Fields of extensions may be computed from secrets; the call's limits are literals of the script.
          config: restoreLimits(config, await redactValue(config, text, true)),
        })
      }
      return {
        ...(await redactValue(rest, text, false)),
        runVars: await redactValue(runVars, text, true),
        calls: maskedCalls,
        actions: await redactValue(actions, text, true),
      }
    },
  }
  return redactor
}

type Config = ProbeResult['calls'][number]['config']

function restoreLimits(config: Config, masked: Config): Config {
  const { timeout, redirects } = config as CallConfigRecord
  if (!timeout) return masked
  const { ms, retries } = timeout
  const record = masked as CallConfigRecord
  return {
    ...record,
    timeout: { ...record.timeout, ms, retries },
    redirects: { ...record.redirects, max: redirects.max },
  }
}

/** Searches by byte, because the declared charset of a body may be wrong. */
async function maskBytes(body: Buffer, secrets: readonly string[], owner: string): Promise<Buffer | null> {
  const search = await secretSearch(secrets, 'bytes', owner)
  if (search === null) return body
  const bytes: SearchableText = { length: body.length, slice: (from, to) => body.toString('latin1', from, to) }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of maskedPieces(bytes, body.length, search, asBytes(MASK))) {
    size += piece.length
    if (size > MAX_MASKED_BODY_BYTES) return null
    pieces.push(Buffer.from(piece, 'latin1'))
  }
  return Buffer.concat(pieces, size)
}

async function* maskStream(
  pieces: AsyncIterable<Buffer>,
  secrets: readonly string[],
  owner: string,
): AsyncGenerator<Buffer> {
  const search = await secretSearch(secrets, 'bytes', owner)
  if (search === null) yield* pieces
  else for await (const piece of maskedStream(pieces, search, asBytes(MASK))) yield Buffer.from(piece, 'latin1')
}

async function redactValue<T>(value: T, text: (text: string) => Promise<string>, numbers: boolean): Promise<T> {
  if (shouldYield()) await yieldToEventLoop()
  if (typeof value === 'string') return (await text(value)) as T
  if (typeof value === 'number' && numbers) {
    const written = String(value)
    const masked = await text(written)
    return (masked === written ? value : masked) as T
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value)
      items.push(cannotHoldSecret(item, numbers) ? item : await redactValue(item, text, numbers))
    return items as T
  }
  const entries: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    const name = RESULT_FIELDS.has(key) ? key : await text(key)
    entries.push([name, cannotHoldSecret(item, numbers) ? item : await redactValue(item, text, numbers)])
  }
  return Object.fromEntries(entries) as T
}

/** Returns whether a value cannot spell a secret. One-digit numbers cannot, because secrets have three characters. */
function cannotHoldSecret(value: unknown, numbers: boolean): boolean {
  if (typeof value === 'number') return !numbers || (Number.isInteger(value) && Math.abs(value) < 10)
  return value === null || typeof value === 'boolean'
}

const TEXT_TYPE =
  /^\s*(text\/|application\/([a-z0-9.-]+\+)?(json|xml|javascript|ecmascript|yaml|x-www-form-urlencoded))/i

/** Returns whether a body is masked: it is text by its type, or by its bytes. */
export function isTextBody(contentType: string, isUtf8: boolean): boolean {
  return isUtf8 || isTextType(contentType)
}

/** Returns whether bodies of a content type are text. */
export function isTextType(contentType: string): boolean {
  return TEXT_TYPE.test(contentType)
}
