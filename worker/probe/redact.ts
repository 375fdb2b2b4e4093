import { isUtf8 } from 'node:buffer'
import { MASK } from '#server/schemas/variables.ts'
import type { ProbeResult } from '#worker/lace/result.ts'
import { spellings } from './secret-spellings.ts'

/** Names the language gives to the fields of a result. They say nothing of a secret, also when one is spelled alike. */
const FIELDS = new Set(
  (
    'action actions actual actualLhs actualRhs alpn assertions bodyNotCapturedReason bodyPath callIndex calls certificate ' +
    'chainMethod cipher clearCookies cn code config connectMs cookieJar detail dns dnsMs elapsedMs endedAt error ' +
    'expected expression follow headers index issuer kind match max method mode ms notAfter notBefore op options ' +
    'outcome protocol redirects rejectInvalidCerts request resolvedIp resolvedIps response responseTimeMs retries ' +
    'runVars scope security sizeBytes startedAt status statusText subject subjectAltNames timeout tls tlsMs ' +
    'transferMs ttfbMs url validationWarnings variables warnings'
  ).split(' '),
)

/** Takes the secrets of a run out of what it leaves behind, before anything is stored. */
export type Redactor = {
  text: (text: string) => string
  /** Everything in a value: texts, the names of fields, and numbers that spell a secret. */
  value: <T>(value: T) => T
  /** A body, when it is text; other bytes are left as they are. */
  body: (body: Buffer, contentType: string) => Buffer
  result: (result: ProbeResult) => ProbeResult
}

/** `secrets` are the values of the variables a run can read. Those of one or two characters cannot be told from text. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = new Set(secrets.flatMap(spellings))
  if (patterns.size === 0) {
    return { text: (text) => text, value: (value) => value, body: (body) => body, result: (result) => result }
  }
  const text = createMasker([...patterns], MASK)
  // Bodies are searched by byte: their charset is the target's word only.
  const asBytes = (pattern: string) => Buffer.from(pattern).toString('latin1')
  const bytes = createMasker([...patterns].map(asBytes), asBytes(MASK))
  const redactor: Redactor = {
    text,
    value: (value) => walk(value, text, true),
    body: (body, contentType) =>
      isTextual(body, contentType) ? Buffer.from(bytes(body.toString('latin1')), 'latin1') : body,
    // Numbers that the platform measured stay numbers; those that script and target made may spell a secret.
    result: ({ runVars, actions, calls, ...rest }) => ({
      ...walk(rest, text, false),
      runVars: redactor.value(runVars),
      calls: calls.map(({ assertions, ...call }) => ({
        ...walk(call, text, false),
        assertions: assertions.map((assertion) => redactor.value(assertion)),
      })),
      actions: redactor.value(actions),
    }),
  }
  return redactor
}

/** Replaces every pattern, the longest first where several begin, in one pass however many there are. */
function createMasker(patterns: string[], mask: string): (text: string) => string {
  const byStart = new Map<number, string[]>()
  // Most places of a text are ruled out by one bit.
  const starts = new Uint8Array(65_536)
  for (const pattern of patterns.sort((a, b) => b.length - a.length)) {
    const key = startOf(pattern, 0)
    starts[key & 0xffff] = 1
    const list = byStart.get(key)
    if (list) list.push(pattern)
    else byStart.set(key, [pattern])
  }
  return (text) => {
    let out = ''
    let copied = 0
    for (let i = 0; i + 2 < text.length; i++) {
      const key = startOf(text, i)
      if (starts[key & 0xffff] === 0) continue
      const found = byStart.get(key)?.find((pattern) => text.startsWith(pattern, i))
      if (found === undefined) continue
      out += text.slice(copied, i) + mask
      copied = i + found.length
      i = copied - 1
    }
    return copied === 0 ? text : out + text.slice(copied)
  }
}

/** Equal for equal beginnings; different ones may share it. */
function startOf(text: string, at: number): number {
  return (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)) >>> 0
}

function walk<T>(value: T, text: (text: string) => string, numbers: boolean): T {
  if (typeof value === 'string') return text(value) as T
  if (typeof value === 'number' && numbers) {
    const shown = text(String(value))
    return (shown === String(value) ? value : shown) as T
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => walk(item, text, numbers)) as T
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [FIELDS.has(key) ? key : text(key), walk(item, text, numbers)]),
  ) as T
}

const TEXT_TYPE =
  /^\s*(text\/|application\/([a-z0-9.-]+\+)?(json|xml|javascript|ecmascript|yaml|x-www-form-urlencoded))/i

function isTextual(body: Buffer, contentType: string): boolean {
  return TEXT_TYPE.test(contentType) || isUtf8(body)
}
