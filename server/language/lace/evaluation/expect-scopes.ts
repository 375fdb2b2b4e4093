import { type Comparison, EXPECT_SCOPES, type ExpectScope, type ExpectScopes, type ExpectScopeValue } from '../ast.ts'
import { SIZE } from '../sizes.ts'
import { isObject, type Json, type JsonObject, setOwn } from '../values/json.ts'
import { BodyNotRead } from '../values/limits.ts'
import { compare, toNumber, toRawText } from '../values/operators.ts'
import type { AssertionLog } from './assertion-log.ts'
import { matchBody } from './body-match.ts'
import type { EvaluationContext } from './context.ts'
import { evaluate, evaluateMap } from './evaluate.ts'
import type { ResponseView } from './response.ts'
import { outcomeOf, type Verdict } from './verdict.ts'

const DEFAULT_OPS: Partial<Record<ExpectScope, Comparison>> = {
  totalDelayMs: 'lt',
  dns: 'lt',
  connect: 'lt',
  tls: 'lt',
  ttfb: 'lt',
  transfer: 'lt',
  bodySize: 'lt',
}

/** Evaluates and records all scopes of `.expect()` or `.check()`. Returns whether one failed, and whether fatally. */
export async function checkExpectScopes(
  method: 'expect' | 'check',
  block: ExpectScopes,
  response: ResponseView,
  context: EvaluationContext,
  log: AssertionLog,
): Promise<{ failed: boolean; fatal: boolean }> {
  let failed = false
  let fatal = false
  for (const [name, value] of Object.entries(block)) {
    const scope = EXPECT_SCOPES.find((one) => one === name)!
    // Without TLS there is no handshake to measure.
    if (scope === 'tls' && response.received.timings.tlsMs === 0) continue
    const op = value.op ?? DEFAULT_OPS[scope] ?? 'eq'
    const verdict = await judgeScope(scope, op, value, response, context)
    failed ||= verdict.outcome === 'failed'
    fatal ||= verdict.fatal ?? false
    const { outcome, actual, expected } = verdict
    const options = log.options(value.options ? evaluateMap(value.options, context) : null)
    const match = scope === 'redirects' ? { match: value.match ?? ('any' as const) } : {}
    log.add({ method, scope, op, ...match, outcome, actual, expected, options })
  }
  return { failed, fatal }
}

async function judgeScope(
  scope: ExpectScope,
  op: Comparison,
  value: ExpectScopeValue,
  response: ResponseView,
  context: EvaluationContext,
): Promise<Verdict> {
  try {
    if (scope === 'body') return await matchBody(op, value, response, context)
    const expected = evaluate(value.value, context)
    switch (scope) {
      case 'status':
        return judgeStatus(op, response.received.status, expected, context)
      case 'headers':
        return judgeHeaders(op, response.received.headers, expected, context)
      case 'redirects':
        return judgeRedirects(op, value, response, expected, context)
      case 'bodySize':
        return judgeNumber(op, response.received.sizeBytes, parseSize(expected), expected, context)
      default:
        return judgeNumber(op, measuredValue(scope, response), toNumber(expected), expected, context)
    }
  } catch (error) {
    if (!(error instanceof BodyNotRead)) throw error
    return { outcome: 'failed', actual: null, expected: null }
  }
}

function measuredValue(scope: ExpectScope, { received }: ResponseView): number {
  const { timings, sizeBytes } = received
  const values: Partial<Record<ExpectScope, number>> = {
    totalDelayMs: timings.responseTimeMs,
    dns: timings.dnsMs,
    connect: timings.connectMs,
    tls: timings.tlsMs,
    ttfb: timings.ttfbMs,
    transfer: timings.transferMs,
    size: sizeBytes,
  }
  return values[scope]!
}

/** `limit` is null when `expected` is not a number. Then null compares as indeterminate, and other types fail. */
function judgeNumber(
  op: Comparison,
  actual: number,
  limit: number | null,
  expected: Json,
  context: EvaluationContext,
): Verdict {
  if (limit === null && expected !== null) return { outcome: 'failed', actual, expected }
  return { outcome: outcomeOf(compare(op, actual, limit, context.budget)), actual, expected }
}

/** Compares with an array: any item must match, or with `neq` each item must differ. */
function judgeStatus(op: Comparison, actual: number, expected: Json, context: EvaluationContext): Verdict {
  const each = (Array.isArray(expected) ? expected : [expected]).map((one) => {
    return compare(op, actual, one, context.budget)
  })
  const met = op === 'neq' ? each.every((one) => one === true) : each.some((one) => one === true)
  if (met) return { outcome: 'passed', actual, expected }
  return { outcome: each.includes(null) && !each.includes(false) ? 'indeterminate' : 'failed', actual, expected }
}

/** All named headers must match. A header that was sent several times matches by one value or by all, joined. */
function judgeHeaders(
  op: Comparison,
  headers: Record<string, string | string[]>,
  expected: Json,
  context: EvaluationContext,
): Verdict {
  if (!isObject(expected)) return { outcome: 'failed', actual: headers as JsonObject, expected }
  const actual: JsonObject = {}
  const verdicts = Object.entries(expected).map(([name, expectedValue]) => {
    const key = name.toLowerCase()
    const values = Object.hasOwn(headers, key) ? headers[key]! : null
    setOwn(actual, name, values)
    const text = expectedValue === null ? null : toRawText(expectedValue, context.budget)
    const candidates = Array.isArray(values) ? [...values, values.join(', ')] : [values]
    const each = candidates.map((one) => compare(op, one, text, context.budget))
    if (op === 'neq') return each.every((one) => one === true)
    return each.includes(true) ? true : each.includes(null) ? null : false
  })
  const verdict = verdicts.includes(false) ? false : verdicts.includes(null) ? null : true
  return { outcome: outcomeOf(verdict), actual, expected }
}

/** Hops are absolute URLs; the expected URL may be relative to the URL of the call. */
function judgeRedirects(
  op: Comparison,
  { match = 'any' }: ExpectScopeValue,
  response: ResponseView,
  expected: Json,
  context: EvaluationContext,
): Verdict {
  const { redirects, requestUrl } = response
  const hops = match === 'any' ? redirects : redirects.slice(match === 'first' ? 0 : -1).slice(0, 1)
  const actual: Json = match === 'any' ? redirects : (hops[0] ?? null)
  const accepted =
    typeof expected === 'string' ? [expected, URL.parse(expected, requestUrl)?.href ?? expected] : [expected]
  const equal = hops.some((hop) => accepted.some((one) => one === hop))
  if (op === 'eq') return { outcome: equal ? 'passed' : 'failed', actual, expected }
  if (op === 'neq')
    return { outcome: !equal && (match === 'any' || hops.length > 0) ? 'passed' : 'failed', actual, expected }
  const ordered = hops.map((hop) => compare(op, hop, expected, context.budget))
  return { outcome: outcomeOf(ordered.includes(true) ? true : ordered.includes(null) ? null : false), actual, expected }
}

const UNITS: Record<string, number> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** Parses a size such as `10`, `50k` or `1MB` into bytes (1k is 1,024); null when it is not a size. */
export function parseSize(value: Json): number | null {
  if (typeof value === 'number') return value
  const match = typeof value === 'string' ? SIZE.exec(value) : null
  if (!match) return null
  return Number(match[1]) * (UNITS[match[2]?.[0]?.toLowerCase() ?? ''] ?? 1)
}
