import type { Call } from '../ast.ts'
import type { CallConfigRecord } from '../result.ts'
import type { EvaluationContext } from './context.ts'
import { evaluate, evaluateNamed, interpolate, textOf, toForm } from './evaluate.ts'
import { toJson } from './operators.ts'

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

export function resolveRequest(call: Call, context: EvaluationContext, defaults: CallDefaults): ResolvedRequest {
  const { config } = call
  const url = interpolate(call.url, context)
  const headers: [string, string][] = Object.entries(config?.headers ?? {}).map(([name, expr]) => {
    return [name, textOf(evaluate(expr, context), `header ${name}`, context)]
  })
  const has = (name: string) => headers.some(([header]) => header.toLowerCase() === name)
  if (!has('user-agent')) headers.unshift(['User-Agent', defaults.userAgent])
  const { body, type } = resolveBody(call, context)
  if (type !== null && !has('content-type')) headers.push(['Content-Type', type])
  const cookies: [string, string][] = Object.entries(config?.cookies ?? {}).map(([name, expr]) => {
    return [name, textOf(evaluate(expr, context), `cookie ${name}`, context)]
  })
  return { method: call.method.toUpperCase() as ResolvedRequest['method'], url, headers, cookies, body }
}

function resolveBody(call: Call, context: EvaluationContext): { body: Buffer | null; type: string | null } {
  const body = call.config?.body
  if (!body) return { body: null, type: null }
  if (body.type === 'raw') return { body: Buffer.from(interpolate(body.value, context)), type: null }
  const value = evaluate(body.value, context)
  if (body.type === 'json') return { body: Buffer.from(toJson(value, context.work)), type: 'application/json' }
  return { body: Buffer.from(toForm(value, context)), type: 'application/x-www-form-urlencoded' }
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
