import { type Json, jsonPrefix, shortenText } from '../../language/lace/values/json.ts'

// Assertions and phases in words, for members: the same words in alerts, in the API, in the dashboard and on the command line.
// Targets choose values and their fields, such as "toString" and "__proto__": any JSON value has a text, however deep.

/** The fields that assertion records, failed assertions and their statistics have in common. */
export type ShownAssertion = {
  scope?: string | null | undefined
  op?: string | null | undefined
  /** Which redirects the scope `redirects` compares. */
  match?: string | null | undefined
  expected?: unknown
  actual?: unknown
  expression?: string | null | undefined
  actualLhs?: unknown
  actualRhs?: unknown
}

const OPERATORS: Record<string, string> = { eq: '=', neq: '≠', lt: '<', lte: '≤', gt: '>', gte: '≥' }
const UNITS: Record<string, string> = {
  totalDelayMs: 'ms',
  dns: 'ms',
  connect: 'ms',
  tls: 'ms',
  ttfb: 'ms',
  transfer: 'ms',
  bodySize: 'bytes',
  size: 'bytes',
}
/** One equality and no other operator: of `a and b eq c`, the operands are not those of `eq`. */
const EQUALITY = /^(?!.* (?:and|or|neq|lt|lte|gt|gte) )(?!.* eq .* eq ).* eq /s
const VALUE_MAX = 300
/** Above the maximum number of headers of a response. */
const HEADER_MAX = 1024 * 1024
const PHASE_TEXTS: Record<string, string> = {
  dns: 'name lookup',
  connect: 'connection',
  tls: 'TLS handshake',
  ttfb: 'waiting for the first byte',
  transfer: 'transfer of the body',
}

/** Returns the phase of a request in which a timeout fell. Unknown phases are returned unchanged. */
export function phaseText(phase: string): string {
  return ownText(PHASE_TEXTS, phase) ?? phase
}

/** Returns why an assertion failed: `status 500, expected 200`, or the condition with its operands. */
export function describeFailedAssertion(assertion: ShownAssertion, valueMax = VALUE_MAX): string {
  const { scope, expression, expected, actual } = assertion
  if (expression) return describeCondition(assertion, expression, valueMax)
  if (expected === null && actual === null && scope !== 'redirects') {
    return `${scope} cannot be compared, because the body was too large to be read`
  }
  if (scope === 'headers') {
    const header = differentHeader(assertion)
    if (header) {
      const { name, ...values } = header
      return `header ${describeComparison(name, { ...assertion, ...values }, valueMax)}`
    }
  }
  return describeComparison(scope ?? 'value', assertion, valueMax)
}

/** Returns what an assertion expects, such as `status = 200`, or its condition: `this.body.count eq $count (42)`. */
export function expectedText(assertion: ShownAssertion, valueMax = VALUE_MAX): string {
  const { expression } = assertion
  if (expression) {
    const { expected } = operandsOf(assertion, expression, valueMax)
    return expected === null ? expression : `${expression} (${expected})`
  }
  return `${assertion.scope ?? 'value'} ${requirementText(assertion, valueMax)}`
}

/** Returns the actual value of an assertion, or the operands of its condition. */
export function actualText(assertion: ShownAssertion, valueMax = VALUE_MAX): string {
  const { scope, actual, expression } = assertion
  if (expression) return operandsOf(assertion, expression, valueMax).actual
  if (scope === 'redirects' && (actual === null || (Array.isArray(actual) && actual.length === 0))) return 'none'
  const mismatch = schemaMismatch(assertion)
  if (mismatch) return mismatchText(mismatch)
  return measureText(scope, actual, valueMax)
}

/** Returns a value as JSON, shortened. */
export function valueText(value: unknown, max = VALUE_MAX): string {
  if (value === undefined) return '–'
  return shortenText(jsonPrefix(value as Json, max + 1), max)
}

function describeComparison(name: string, assertion: ShownAssertion, valueMax: number): string {
  const requirement = requirementText(assertion, valueMax).replace(/^= /, '')
  const mismatch = schemaMismatch(assertion)
  const actual = mismatch ? mismatchText(mismatch) : actualText(assertion, valueMax)
  return `${name}${mismatch?.path === '.' ? ':' : ''} ${actual}, expected ${requirement}`
}

/** The operands are left out that the condition itself shows: a literal on its right, and `false` as its whole value. */
function describeCondition(assertion: ShownAssertion, expression: string, valueMax: number): string {
  const { actualLhs, actualRhs } = assertion
  const written = shortenText(expression, valueMax)
  if (actualLhs === false && (actualRhs ?? null) === null) return `${written} is false`
  if ((actualLhs ?? null) === null && (actualRhs ?? null) === null) return `${written} is false, got null`
  const { actual, expected } = operandsOf(assertion, expression, valueMax)
  return `${written} is false, got ${actual}${expected === null ? '' : `, expected ${expected}`}`
}

/**
 * Returns what a condition found, and what one equality expects if the condition does not show it. A literal is left out,
 * because the condition shows it.
 */
function operandsOf({ actualLhs, actualRhs }: ShownAssertion, expression: string, valueMax: number) {
  const [left, right] = [valueText(actualLhs, valueMax), valueText(actualRhs, valueMax)]
  const literal = (value: unknown) => jsonPrefix(value as Json, expression.length)
  if (actualRhs === undefined || expression.endsWith(` ${literal(actualRhs)}`)) return { actual: left, expected: null }
  if (expression.startsWith(`${literal(actualLhs)} `)) return { actual: right, expected: null }
  if (EQUALITY.test(expression)) return { actual: left, expected: right }
  return { actual: `${left} and ${right}`, expected: null }
}

/** Returns the operator and the expected value: `= 200`, `one of 200, 204`, `< 500 ms`. */
function requirementText({ scope, op, expected }: ShownAssertion, valueMax: number): string {
  // Only the status is compared with each item of a list; a body is compared with the whole list.
  if (scope === 'status' && Array.isArray(expected) && (op === 'eq' || op === 'neq' || !op)) {
    const items = expected.map((item) => valueText(item, valueMax)).join(', ')
    return `${op === 'neq' ? 'none of' : 'one of'} ${shortenText(items, valueMax)}`
  }
  const operator = op ? (ownText(OPERATORS, op) ?? op) : '='
  // A schema is recorded as the script writes it, and a size may have a unit.
  const isWritten = typeof expected === 'string' && (isSchema(expected, scope) || scope === 'bodySize')
  return `${operator} ${isWritten ? shortenText(expected, valueMax) : measureText(scope, expected, valueMax)}`
}

function measureText(scope: string | null | undefined, value: unknown, valueMax: number): string {
  const unit = typeof value === 'number' && scope ? ownText(UNITS, scope) : undefined
  return unit ? `${value} ${unit}` : valueText(value, valueMax)
}

/** Returns where and how the body differs from its schema, null for another assertion. */
function schemaMismatch({ scope, expected, actual }: ShownAssertion): { path: string; detail: string } | null {
  if (!isSchema(expected, scope) || typeof actual !== 'object' || actual === null) return null
  const { path, detail } = actual as { path?: unknown; detail?: unknown }
  if (typeof path !== 'string' || typeof detail !== 'string') return null
  return { path, detail }
}

/** The path `.` is the whole body. */
function mismatchText({ path, detail }: { path: string; detail: string }): string {
  return path === '.' ? detail : `${path}: ${detail}`
}

function isSchema(expected: unknown, scope: string | null | undefined): boolean {
  return scope === 'body' && typeof expected === 'string' && expected.startsWith('schema(')
}

/** Returns the first header that differs, or null when the record does not contain the headers themselves. */
function differentHeader({ op, expected, actual }: ShownAssertion) {
  if (!isRecord(expected) || !isRecord(actual)) return null
  const headers = Object.entries(expected).map(([name, value]) => ({
    name,
    expected: value,
    actual: Object.hasOwn(actual, name) ? (actual[name] ?? null) : null,
  }))
  if (op === 'eq') return headers.find((header) => !hasValue(header.actual, header.expected)) ?? headers[0] ?? null
  if (op === 'neq') return headers.find((header) => hasValue(header.actual, header.expected)) ?? headers[0] ?? null
  return headers[0] ?? null
}

/** Whether a header has a value. One that was sent several times has each of its values, and all of them joined. */
function hasValue(actual: unknown, expected: unknown): boolean {
  const values = Array.isArray(actual) ? [...actual, actual.map((one) => headerText(one)).join(', ')] : [actual]
  return values.includes(expected === null ? null : headerText(expected))
}

/** Returns a value as the language compares it with a header. */
function headerText(value: unknown): string {
  return typeof value === 'string' ? value : jsonPrefix(value as Json, HEADER_MAX)
}

function ownText(texts: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
