import type { Call, Expr, Named } from '../ast.ts'
import {
  MAX_BODY_BYTES,
  MAX_HEADER_LENGTH,
  MAX_HEADERS,
  MAX_HEADERS_LENGTH,
  MAX_URL_LENGTH,
} from '../request-limits.ts'
import type { CallConfigRecord } from '../result.ts'
import { CallError, requireLengthWithin } from '../values/limits.ts'
import { toJson } from '../values/operators.ts'
import type { EvaluationContext } from './context.ts'
import { evaluate, evaluateMap, interpolate, toForm, toText } from './evaluate.ts'

/** The interpolated request of a call, without cookies of the jar. */
export type ResolvedRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The interpolated URL, not normalized. */
  url: string
  /** The script's headers, `User-Agent` and `Content-Type`. */
  headers: [name: string, value: string][]
  /** The call's own `cookies`. */
  cookies: [name: string, value: string][]
  body: Buffer | null
}

export type CallDefaults = { timeoutMs: number; maxRedirects: number; userAgent: string }

/** Interpolates a call's request. @throws CallError when a part exceeds its limit */
export function resolveRequest(call: Call, context: EvaluationContext, defaults: CallDefaults): ResolvedRequest {
  const { config } = call
  const url = interpolate(call.url, { ...context, textLimit: { maxLength: MAX_URL_LENGTH, name: 'the URL' } })
  requireLengthWithin(url.length, { maxLength: MAX_URL_LENGTH, name: 'the URL' })
  const headers = resolvePairs('header', config?.headers, context)
  const has = (name: string) => headers.some(([header]) => header.toLowerCase() === name)
  if (!has('user-agent')) headers.unshift(['User-Agent', defaults.userAgent])
  const { body, type } = resolveBody(call, context)
  if (type !== null && !has('content-type')) headers.push(['Content-Type', type])
  const cookies = resolvePairs('cookie', config?.cookies, context)
  requireHeadersWithin([...headers, ...cookies])
  return { method: call.method.toUpperCase() as ResolvedRequest['method'], url, headers, cookies, body }
}

function resolvePairs(kind: string, lines: Named<Expr> | undefined, context: EvaluationContext): [string, string][] {
  return Object.entries(lines ?? {}).map(([name, expr]) => {
    const textLimit = { maxLength: MAX_HEADER_LENGTH, name: `the value of ${kind} ${name.slice(0, 100)}` }
    const limited = { ...context, textLimit }
    const value = toText(evaluate(expr, limited), `${kind} ${name}`, limited)
    requireLengthWithin(value.length, textLimit)
    return [name, value]
  })
}

/** Checks the number and size of headers. Before sending, these include cookies of the jar. @throws CallError */
export function requireHeadersWithin(headers: readonly (readonly [string, string])[]): void {
  if (headers.length > MAX_HEADERS) throw new CallError(`the request has more than ${MAX_HEADERS} headers`)
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  requireLengthWithin(size, { maxLength: MAX_HEADERS_LENGTH, name: 'the headers of the request' })
}

function resolveBody(call: Call, given: EvaluationContext): { body: Buffer | null; type: string | null } {
  const body = call.config?.body
  if (!body) return { body: null, type: null }
  const context = { ...given, bound: { maxLength: MAX_BODY_BYTES, name: 'the body' } }
  if (body.type === 'raw') return { body: toBytes(interpolate(body.value, context)), type: null }
  const value = evaluate(body.value, context)
  if (body.type === 'json')
    return { body: toBytes(toJson(value, context.budget, context.bound)), type: 'application/json' }
  return { body: toBytes(toForm(value, context)), type: 'application/x-www-form-urlencoded' }
}

function toBytes(text: string): Buffer {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw new CallError(`the body grows larger than ${MAX_BODY_BYTES} bytes`)
  return Buffer.from(text)
}

/** Returns a call's config with defaults filled in, as the result records it. */
export function resolveConfig(call: Call, context: EvaluationContext, defaults: CallDefaults): CallConfigRecord {
  const { timeout, redirects, security, cookieJar, clearCookies, extensions } = call.config ?? {}
  return {
    timeout: {
      ms: timeout?.ms ?? defaults.timeoutMs,
      action: timeout?.action ?? 'fail',
      retries: timeout?.retries ?? 0,
      ...evaluateMap(timeout?.extensions ?? {}, context),
    },
    redirects: {
      follow: redirects?.follow ?? true,
      max: redirects?.max ?? defaults.maxRedirects,
      ...evaluateMap(redirects?.extensions ?? {}, context),
    },
    security: {
      rejectInvalidCerts: security?.rejectInvalidCerts ?? true,
      ...evaluateMap(security?.extensions ?? {}, context),
    },
    ...(cookieJar === undefined ? {} : { cookieJar }),
    ...(clearCookies === undefined ? {} : { clearCookies }),
    ...evaluateMap(extensions ?? {}, context),
  }
}
