import type { Call, Expr, Named } from '../ast.ts'
import { LARGEST_BODY, LONGEST_HEADER, LONGEST_HEADERS, LONGEST_URL, MOST_HEADERS } from '../request-limits.ts'
import type { CallConfigRecord } from '../result.ts'
import { RunFault } from '../values/limits.ts'
import { toJson } from '../values/operators.ts'
import { type EvaluationContext, requireWithin } from './context.ts'
import { evaluate, evaluateNamed, interpolate, textOf, toForm } from './evaluate.ts'

/** A call's request with everything put in, before cookies of the jar. */
export type ResolvedRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the script has it, variables put in. */
  url: string
  /** The script's headers, the user agent and the body's type. */
  headers: [name: string, value: string][]
  /** Of the call's own `cookies`. */
  cookies: [name: string, value: string][]
  body: Buffer | null
}

export type CallDefaults = { timeoutMs: number; maxRedirects: number; userAgent: string }

/** Throws `RunFault` for what is too long to be sent. */
export function resolveRequest(call: Call, context: EvaluationContext, defaults: CallDefaults): ResolvedRequest {
  const { config } = call
  const url = interpolate(call.url, { ...context, bound: { longest: LONGEST_URL, what: 'the URL' } })
  requireWithin(url.length, { longest: LONGEST_URL, what: 'the URL' })
  const headers = resolveLines('header', config?.headers, context)
  const has = (name: string) => headers.some(([header]) => header.toLowerCase() === name)
  if (!has('user-agent')) headers.unshift(['User-Agent', defaults.userAgent])
  const { body, type } = resolveBody(call, context)
  if (type !== null && !has('content-type')) headers.push(['Content-Type', type])
  const cookies = resolveLines('cookie', config?.cookies, context)
  requireHeadersWithin([...headers, ...cookies])
  return { method: call.method.toUpperCase() as ResolvedRequest['method'], url, headers, cookies, body }
}

function resolveLines(kind: string, lines: Named<Expr> | undefined, context: EvaluationContext): [string, string][] {
  return Object.entries(lines ?? {}).map(([name, expr]) => {
    const bound = { longest: LONGEST_HEADER, what: `the value of ${kind} ${name.slice(0, 100)}` }
    const within = { ...context, bound }
    const value = textOf(evaluate(expr, within), `${kind} ${name}`, within)
    requireWithin(value.length, bound)
    return [name, value]
  })
}

/** Throws `RunFault` for more headers than a request may have. Cookies of the jar are among them when it is sent. */
export function requireHeadersWithin(headers: readonly (readonly [string, string])[]): void {
  if (headers.length > MOST_HEADERS) throw new RunFault(`the request has more than ${MOST_HEADERS} headers`)
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  requireWithin(size, { longest: LONGEST_HEADERS, what: 'what the request sends as headers' })
}

function resolveBody(call: Call, given: EvaluationContext): { body: Buffer | null; type: string | null } {
  const body = call.config?.body
  if (!body) return { body: null, type: null }
  const context = { ...given, bound: { longest: LARGEST_BODY, what: 'the body' } }
  if (body.type === 'raw') return { body: toBytes(interpolate(body.value, context)), type: null }
  const value = evaluate(body.value, context)
  if (body.type === 'json')
    return { body: toBytes(toJson(value, context.work, context.bound)), type: 'application/json' }
  return { body: toBytes(toForm(value, context)), type: 'application/x-www-form-urlencoded' }
}

function toBytes(text: string): Buffer {
  if (Buffer.byteLength(text) > LARGEST_BODY) throw new RunFault(`the body grows larger than ${LARGEST_BODY} bytes`)
  return Buffer.from(text)
}

/** A call's config after defaults, as the result records it. */
export function resolveConfig(call: Call, context: EvaluationContext, defaults: CallDefaults): CallConfigRecord {
  const { timeout, redirects, security, cookieJar, clearCookies, extensions } = call.config ?? {}
  return {
    timeout: {
      ms: timeout?.ms ?? defaults.timeoutMs,
      action: timeout?.action ?? 'fail',
      retries: timeout?.retries ?? 0,
      ...evaluateNamed(timeout?.extensions ?? {}, context),
    },
    redirects: {
      follow: redirects?.follow ?? true,
      max: redirects?.max ?? defaults.maxRedirects,
      ...evaluateNamed(redirects?.extensions ?? {}, context),
    },
    security: {
      rejectInvalidCerts: security?.rejectInvalidCerts ?? true,
      ...evaluateNamed(security?.extensions ?? {}, context),
    },
    ...(cookieJar === undefined ? {} : { cookieJar }),
    ...(clearCookies === undefined ? {} : { clearCookies }),
    ...evaluateNamed(extensions ?? {}, context),
  }
}
