import { type Comparison, SCOPES, type Scope, type ScopeBlock, type ScopeValue } from '../ast.ts'
import type { AssertionOutcome } from '../result.ts'
import { SIZE } from '../sizes.ts'
import { isObject, type Json, type JsonObject } from '../values/json.ts'
import { BodyMissing } from '../values/limits.ts'
import { compare, rawText, toNumber } from '../values/operators.ts'
import type { AssertionLog } from './assertion-log.ts'
import { matchBody } from './body-match.ts'
import type { EvaluationContext } from './context.ts'
import { evaluate, evaluateNamed } from './evaluate.ts'
import type { ResponseView } from './response.ts'

const DEFAULT_OPS: Partial<Record<Scope, Comparison>> = {
  totalDelayMs: 'lt',
  dns: 'lt',
  connect: 'lt',
  tls: 'lt',
  ttfb: 'lt',
  transfer: 'lt',
  bodySize: 'lt',
}

export type ScopeVerdict = {
  outcome: AssertionOutcome
  actual: Json
  expected: Json
  /** Stops the run even in `.check()`. */
  fatal?: boolean
}

/** Evaluates every scope of `.expect()` or `.check()` and records it. Whether one failed, and whether fatally. */
export async function checkScopes(
  method: 'expect' | 'check',
  block: ScopeBlock,
  response: ResponseView,
  context: EvaluationContext,
  log: AssertionLog,
): Promise<{ failed: boolean; fatal: boolean }> {
  let failed = false
  let fatal = false
  for (const [name, value] of Object.entries(block)) {
    const scope = SCOPES.find((one) => one === name)!
    // Without TLS there is no handshake to measure.
    if (scope === 'tls' && response.received.timings.tlsMs === 0) continue
    const op = value.op ?? DEFAULT_OPS[scope] ?? 'eq'
    const verdict = await judge(scope, op, value, response, context)
    failed ||= verdict.outcome === 'failed'
    fatal ||= verdict.fatal ?? false
    const { outcome, actual, expected } = verdict
    const options = log.options(value.options ? evaluateNamed(value.options, context) : null)
    const match = scope === 'redirects' ? { match: value.match ?? ('any' as const) } : {}
    log.add({ method, scope, op, ...match, outcome, actual, expected, options })
  }
  return { failed, fatal }
}

async function judge(
  scope: Scope,
  op: Comparison,
  value: ScopeValue,
  response: ResponseView,
  context: EvaluationContext,
): Promise<ScopeVerdict> {
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
        return judgeNumber(op, measured(scope, response), toNumber(expected), expected, context)
    }
  } catch (error) {
    if (!(error instanceof BodyMissing)) throw error
    return { outcome: 'failed', actual: null, expected: null }
  }
}

function measured(scope: Scope, { received }: ResponseView): number {
  const { timings, sizeBytes } = received
  const values: Partial<Record<Scope, number>> = {
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

/** `limit` is null where `expected` is no number: null makes an ordered comparison indeterminate, the rest fail. */
function judgeNumber(
  op: Comparison,
  actual: number,
  limit: number | null,
  expected: Json,
  context: EvaluationContext,
): ScopeVerdict {
  if (limit === null && expected !== null) return { outcome: 'failed', actual, expected }
  return { outcome: outcomeOf(compare(op, actual, limit, context.work)), actual, expected }
}

/** A list means any of its items; with `neq`, none of them. */
function judgeStatus(op: Comparison, actual: number, expected: Json, context: EvaluationContext): ScopeVerdict {
  const each = (Array.isArray(expected) ? expected : [expected]).map((one) => {
    return compare(op, actual, one, context.work)
  })
  const met = op === 'neq' ? each.every((one) => one === true) : each.some((one) => one === true)
  if (met) return { outcome: 'passed', actual, expected }
  return { outcome: each.includes(null) && !each.includes(false) ? 'indeterminate' : 'failed', actual, expected }
}

/** Every header named must compare; one sent several times compares by any of its values, or by all joined. */
function judgeHeaders(
  op: Comparison,
  headers: Record<string, string | string[]>,
  expected: Json,
  context: EvaluationContext,
): ScopeVerdict {
  if (!isObject(expected)) return { outcome: 'failed', actual: headers as JsonObject, expected }
  const actual: JsonObject = {}
  const verdicts = Object.entries(expected).map(([name, wanted]) => {
    const key = name.toLowerCase()
    const values = Object.hasOwn(headers, key) ? headers[key]! : null
    Object.defineProperty(actual, name, { value: values, enumerable: true })
    const text = wanted === null ? null : rawText(wanted, context.work)
    const candidates = Array.isArray(values) ? [...values, values.join(', ')] : [values]
    const each = candidates.map((one) => compare(op, one, text, context.work))
    if (op === 'neq') return each.every((one) => one === true)
    return each.includes(true) ? true : each.includes(null) ? null : false
  })
  const verdict = verdicts.includes(false) ? false : verdicts.includes(null) ? null : true
  return { outcome: outcomeOf(verdict), actual, expected }
}

/** Hops are absolute URLs; what is expected may be written relative to the URL of the call. */
function judgeRedirects(
  op: Comparison,
  { match = 'any' }: ScopeValue,
  response: ResponseView,
  expected: Json,
  context: EvaluationContext,
): ScopeVerdict {
  const { redirects, requestUrl } = response
  const hops = match === 'any' ? redirects : redirects.slice(match === 'first' ? 0 : -1).slice(0, 1)
  const actual: Json = match === 'any' ? redirects : (hops[0] ?? null)
  const wanted =
    typeof expected === 'string' ? [expected, URL.parse(expected, requestUrl)?.href ?? expected] : [expected]
  const equal = hops.some((hop) => wanted.some((one) => one === hop))
  if (op === 'eq') return { outcome: equal ? 'passed' : 'failed', actual, expected }
  if (op === 'neq')
    return { outcome: !equal && (match === 'any' || hops.length > 0) ? 'passed' : 'failed', actual, expected }
  const ordered = hops.map((hop) => compare(op, hop, expected, context.work))
  return { outcome: outcomeOf(ordered.includes(true) ? true : ordered.includes(null) ? null : false), actual, expected }
}

export function outcomeOf(verdict: boolean | null): AssertionOutcome {
  return verdict === null ? 'indeterminate' : verdict ? 'passed' : 'failed'
}

const UNITS: Record<string, number> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** Bytes of a size such as `10`, `50k` or `1MB` (of 1,024); null when it is none. */
export function parseSize(value: Json): number | null {
  if (typeof value === 'number') return value
  const match = typeof value === 'string' ? SIZE.exec(value) : null
  if (!match) return null
  return Number(match[1]) * (UNITS[match[2]?.[0]?.toLowerCase() ?? ''] ?? 1)
}
