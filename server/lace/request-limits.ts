import type { BodyValue, Expr, Script } from './ast.ts'
import { parseTemplate, type TemplateRef } from './interpolation.ts'
import { expressionsOf } from './walk.ts'

// What a call may send once its variables are put in. What is sent is also kept, so this bounds results as well.

/** Characters. */
export const LONGEST_URL = 8 * 1024
export const LONGEST_HEADER = 16 * 1024
/** Names and values of one request, cookies among them, in characters. */
export const LONGEST_HEADERS = 64 * 1024
export const MOST_HEADERS = 100
/** Of a script. */
export const MOST_CALLS = 1_000
/** Bytes. */
export const LARGEST_BODY = 10 * 1024 * 1024

/** A part of a call that grows too long with the values of its variables. */
export type TooLong = { callIndex: number; field: string; detail: string; node: object }

type Lookup = (ref: TemplateRef) => string | null | undefined

/**
 * The first part of a script's calls that is too long whatever a run adds to it; null when there is none. `lookup` gives
 * a script variable's value as text. Nothing is put together for it: lengths are counted, and no further than the bound.
 */
export function findTooLong(ast: Script, lookup: Lookup, scopes: Iterable<string> = []): TooLong | null {
  if (ast.calls.length > MOST_CALLS) {
    const detail = `a script makes at most ${MOST_CALLS} calls`
    return { callIndex: MOST_CALLS, field: 'calls', detail, node: ast.calls[MOST_CALLS]! }
  }
  const measured = new Measure(lookup, new Set(scopes))
  for (const [callIndex, call] of ast.calls.entries()) {
    const { url, config } = call
    const found = (field: string, what: string, limit: string, node: object = call): TooLong => ({
      callIndex,
      field,
      node,
      detail: `${what} of call ${callIndex + 1} is longer than ${limit} once its variables are put in`,
    })
    if (measured.template(url, LONGEST_URL) > LONGEST_URL) return found('url', 'the URL', `${LONGEST_URL} characters`)
    const headers = Object.entries(config?.headers ?? {})
    if (headers.length > MOST_HEADERS) {
      return {
        callIndex,
        field: 'headers',
        detail: `call ${callIndex + 1} has more than ${MOST_HEADERS} headers`,
        node: call,
      }
    }
    for (const { expr, place } of expressionsOf(call, callIndex)) {
      if (place.chainMethod !== undefined || !/^(headers|cookies)\./.test(place.field)) continue
      if (measured.expression(expr, LONGEST_HEADER) <= LONGEST_HEADER) continue
      return found(place.field, `\`${place.field}\``, `${LONGEST_HEADER} characters`, expr)
    }
    if (config?.body && measured.body(config.body) > LARGEST_BODY) {
      return found('body', 'the body', `${LARGEST_BODY} bytes`)
    }
  }
  return null
}

/** Counts what is known of a length, and stops past the limit. */
class Measure {
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
    return body.type === 'raw' ? this.template(body.value, LARGEST_BODY) : this.expression(body.value, LARGEST_BODY)
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
