import { isUtf8 } from 'node:buffer'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import type { CallConfigRecord, ProbeResult } from '#server/lace/result.ts'
import { MASK } from '#server/schemas/variables.ts'
import { maskedPieces, type SearchableText } from './masker.ts'
import { asBytes, secretSearch } from './secret-search.ts'

/** Names the language gives to the fields of a result. They say nothing of a secret, also when one is spelled alike. */
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

/** A mask may be longer than what it stands for; a body that grows beyond this by it is not kept. */
const MAX_MASKED_BODY_BYTES = 12 * 1024 * 1024

/**
 * Takes the secrets of a run out of what it leaves behind, before anything is stored. Works in slices, and takes time
 * in proportion to the text, whatever the secrets are.
 */
export type Redactor = {
  /** Of the longest way to spell a secret, in characters. */
  maxSecretLength: number
  text: (text: string) => Promise<string>
  /** The first `length` characters of a text; a secret that goes on behind them is masked as well. */
  prefix: (text: string, length: number) => Promise<string>
  /** Everything in a value: texts, the names of fields, and numbers that spell a secret. */
  value: <T>(value: T) => Promise<T>
  /** A body, when it is text; other bytes are left as they are. Null when the masks make it too large. */
  body: (body: Buffer, contentType: string) => Promise<Buffer | null>
  result: (result: ProbeResult) => Promise<ProbeResult>
}

/**
 * `secrets` are the values of the variables a run can read, and `owner` the organization it is of. Those of one or two characters cannot be told from text.
 *
 * Throws `TooManySecrets` when they are too long to be looked for.
 */
export async function createRedactor(secrets: readonly string[], owner = ''): Promise<Redactor> {
  const search = await secretSearch(secrets, 'text', owner)
  if (search === null) {
    return {
      maxSecretLength: 0,
      text: async (text) => text,
      prefix: async (text, length) => text.slice(0, length),
      value: async (value) => value,
      body: async (body) => body,
      result: async (result) => result,
    }
  }
  const prefix = async (text: string, length: number) => {
    let out = ''
    for await (const piece of maskedPieces(text, Math.min(length, text.length), search, MASK)) out += piece
    return out
  }
  const text = (whole: string) => prefix(whole, whole.length)
  const redactor: Redactor = {
    maxSecretLength: search.maxLength,
    text,
    prefix,
    value: (value) => redactValue(value, text, true),
    body: async (body, contentType) => (isTextual(body, contentType) ? maskBytes(body, secrets, owner) : body),
    // Numbers that the platform measured stay numbers; those that script and target made may spell a secret.
    result: async ({ runVars, actions, calls, ...rest }) => {
      const shown: ProbeResult['calls'] = []
      for (const { assertions, config, ...call } of calls) {
        shown.push({
          ...(await redactValue(call, text, false)),
          assertions: await redactValue(assertions, text, true),
          // Fields of extensions may be calculated; the limits of the call are written in the script.
          config: restoreLimits(config, await redactValue(config, text, true)),
        })
      }
      return {
        ...(await redactValue(rest, text, false)),
        runVars: await redactValue(runVars, text, true),
        calls: shown,
        actions: await redactValue(actions, text, true),
      }
    },
  }
  return redactor
}

type Config = ProbeResult['calls'][number]['config']

function restoreLimits(config: Config, shown: Config): Config {
  const { timeout, redirects } = config as CallConfigRecord
  if (!timeout) return shown
  const { ms, retries } = timeout
  const record = shown as CallConfigRecord
  return {
    ...record,
    timeout: { ...record.timeout, ms, retries },
    redirects: { ...record.redirects, max: redirects.max },
  }
}

/** Searched by byte: the charset of a body is the target's word only. */
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

async function redactValue<T>(value: T, text: (text: string) => Promise<string>, numbers: boolean): Promise<T> {
  if (shouldYield()) await yieldToEventLoop()
  if (typeof value === 'string') return (await text(value)) as T
  if (typeof value === 'number' && numbers) {
    const written = String(value)
    const shown = await text(written)
    return (shown === written ? value : shown) as T
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

/** Whether a value cannot spell a secret: numbers of less than three digits, too, since no shorter ones are masked. */
function cannotHoldSecret(value: unknown, numbers: boolean): boolean {
  if (typeof value === 'number') return !numbers || (Number.isInteger(value) && Math.abs(value) < 10)
  return value === null || typeof value === 'boolean'
}

const TEXT_TYPE =
  /^\s*(text\/|application\/([a-z0-9.-]+\+)?(json|xml|javascript|ecmascript|yaml|x-www-form-urlencoded))/i

function isTextual(body: Buffer, contentType: string): boolean {
  return TEXT_TYPE.test(contentType) || isUtf8(body)
}
