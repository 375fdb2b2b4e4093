// Every log line passes through here.

const MASK = '[redacted]'

/** Names of fields that hold credentials. `keyId`, `keyName` and the like are not secret. */
const SECRET_NAME =
  /authorization|cookie|passw|passphrase|token|secret|credential|^(api)?_?keys?$|(api|private|signing)_?key/i

/** An API key, or the user and password of a URL, anywhere in a string. */
const SECRET_TEXT = /\bsl_[A-Za-z0-9_-]{43}\b|(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"]{1,300}@/gi

const MAX_DEPTH = 6

/** Returns a copy without credentials: masks fields by name, and reduces errors to what is safe to log. */
export function redactLog(value: Record<string, unknown>): Record<string, unknown> {
  return redactFields(value, 0)
}

/** Returns the text with API keys and the credentials of URLs masked. */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, (found) => (found.endsWith('@') ? `${MASK}@` : MASK))
}

/** Returns the error's message without the statement's values that a database driver or query builder adds. */
export function messageOf(error: Error): string {
  return redactText(error.message.replace(/\nparams: [\s\S]*$/, ''))
}

function redactFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) && value !== null && value !== undefined ? MASK : redactValue(value, depth + 1),
    ]),
  )
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth > MAX_DEPTH) return '[deeper]'
  if (value instanceof Error) return describeError(value, depth)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1))
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  return redactFields(value, depth)
}

/**
 * Returns what is safe to log of an error. A database driver's error carries the statement's values (`params`, `detail`),
 * and the query builder repeats them in message and stack: those are left out.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { code, constraint_name: constraint } = error as { code?: unknown; constraint_name?: unknown }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: messageOf(error),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    stack: frames.slice(0, 12).join('\n'),
    ...(error.cause instanceof Error ? { cause: redactValue(error.cause, depth + 1) } : {}),
  }
}
