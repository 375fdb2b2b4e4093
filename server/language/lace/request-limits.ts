import type { BodyValue, Expr, Script } from './ast.ts'
import { parseTemplate, type TemplateRef } from './interpolation.ts'
import { expressionsOf } from './walk.ts'

// Limits on the requests of calls, after interpolation. Results record the requests, so these limits bound results too.

/** Characters. */
export const MAX_URL_LENGTH = 8 * 1024
export const MAX_HEADER_LENGTH = 16 * 1024
/** Names and values of one request, cookies among them, in characters. */
export const MAX_HEADERS_LENGTH = 64 * 1024
export const MAX_HEADERS = 100
/** Per script. */
export const MAX_CALLS = 1_000
/** Bytes. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024

/** A part of a call that exceeds its limit after interpolation. */
export type LimitViolation = { callIndex: number; field: string; detail: string; node: object }

type Lookup = (ref: TemplateRef) => string | null | undefined

/**
 * Returns the first part of a script that exceeds its limit even before run variables are known, or null. `lookup`
 * returns a script variable's value as a string. Only lengths are added up, and no further than the limit.
 */
export function findLimitViolation(ast: Script, lookup: Lookup, scopes: Iterable<string> = []): LimitViolation | null {
  if (ast.calls.length > MAX_CALLS) {
    const detail = `a script can make at most ${MAX_CALLS} calls`
    return { callIndex: MAX_CALLS, field: 'calls', detail, node: ast.calls[MAX_CALLS]! }
  }
  const meter = new LengthMeter(lookup, new Set(scopes))
  for (const [callIndex, call] of ast.calls.entries()) {
    const { url, config } = call
    const violation = (field: string, what: string, limit: string, node: object = call): LimitViolation => ({
      callIndex,
      field,
      node,
      detail: `${what} of call ${callIndex + 1} is longer than ${limit} with the values of its variables`,
    })
    if (meter.template(url, MAX_URL_LENGTH) > MAX_URL_LENGTH)
      return violation('url', 'the URL', `${MAX_URL_LENGTH} characters`)
    const headers = Object.entries(config?.headers ?? {})
    if (headers.length > MAX_HEADERS) {
      return {
        callIndex,
        field: 'headers',
        detail: `call ${callIndex + 1} has more than ${MAX_HEADERS} headers`,
        node: call,
      }
    }
    for (const { expr, location } of expressionsOf(call, callIndex)) {
      if (location.chainMethod !== undefined || !/^(headers|cookies)\./.test(location.field)) continue
      if (meter.expression(expr, MAX_HEADER_LENGTH) <= MAX_HEADER_LENGTH) continue
      return violation(location.field, `\`${location.field}\``, `${MAX_HEADER_LENGTH} characters`, expr)
    }
    if (config?.body && meter.body(config.body) > MAX_BODY_BYTES) {
      return violation('body', 'the body', `${MAX_BODY_BYTES} bytes`)
    }
  }
  return null
}

/** Adds up the known parts of a length, and stops past the limit. */
class LengthMeter {
  private readonly lookup: Lookup
  private readonly scopes: ReadonlySet<string>

  constructor(lookup: Lookup, scopes: ReadonlySet<string>) {
    this.lookup = lookup
    this.scopes = scopes
  }

  template(text: string, limit: number): number {
    let length = 0
    for (const part of parseTemplate(text, this.scopes)) {
      if (part.kind === 'text') length += part.text.length
      else if (part.kind === 'script') length += this.lookup(part)?.length ?? 0
      if (length > limit) break
    }
    return length
  }

  body(body: BodyValue): number {
    return body.type === 'raw' ? this.template(body.value, MAX_BODY_BYTES) : this.expression(body.value, MAX_BODY_BYTES)
  }

  expression(expr: Expr, limit: number): number {
    switch (expr.kind) {
      case 'literal':
        return typeof expr.value === 'string' ? this.template(expr.value, limit) : 0
      case 'scriptVar': {
        const ref = { kind: 'script', name: expr.name, path: expr.path ?? [], text: '' } as const
        return this.lookup(ref)?.length ?? 0
      }
      case 'binary':
        return expr.op === '+' ? this.sum([expr.left, expr.right], limit) : 0
      case 'objectLit':
        return this.sum(
          expr.entries.map(({ value }) => value),
          limit,
        )
      case 'arrayLit':
        return this.sum(expr.items, limit)
      default:
        return 0
    }
  }

  private sum(parts: Expr[], limit: number): number {
    let length = 0
    for (const part of parts) {
      length += this.expression(part, limit)
      if (length > limit) break
    }
    return length
  }
}
