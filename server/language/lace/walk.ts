import type { Call, ChainMethod, Expr, Named } from './ast.ts'

/** The location of an expression in a script. It decides which names and functions the expression may use. */
export type ExprLocation = {
  callIndex: number
  /** Undefined in the config of the call. */
  chainMethod: ChainMethod | undefined
  /** The expect scope, config field or store key that the expression belongs to. */
  field: string
  /** Whether it is inside `options` or a field of an extension, where functions of extensions are allowed. */
  extension: boolean
  /** Whether it is a condition of `.assert()`. */
  condition: boolean
}

export type LocatedExpr = { expr: Expr; location: ExprLocation }

/** Yields the outermost expressions of a call, in the order of the source. */
export function* expressionsOf(call: Call, callIndex: number): Generator<LocatedExpr> {
  const { config, chain } = call
  const at = (location: Partial<ExprLocation>, expr: Expr): LocatedExpr => ({
    expr,
    location: { callIndex, chainMethod: undefined, field: '', extension: false, condition: false, ...location },
  })
  const atEach = function* (location: Partial<ExprLocation>, entries: Named<Expr> | undefined) {
    for (const [key, expr] of Object.entries(entries ?? {})) {
      yield at({ ...location, field: location.field ? `${location.field}.${key}` : key }, expr)
    }
  }
  if (config) {
    yield* atEach({ field: 'headers' }, config.headers)
    if (config.body && config.body.type !== 'raw') yield at({ field: 'body' }, config.body.value)
    yield* atEach({ field: 'cookies' }, config.cookies)
    yield* atEach({ field: 'redirects', extension: true }, config.redirects?.extensions)
    yield* atEach({ field: 'security', extension: true }, config.security?.extensions)
    yield* atEach({ field: 'timeout', extension: true }, config.timeout?.extensions)
    yield* atEach({ extension: true }, config.extensions)
  }
  for (const chainMethod of ['expect', 'check'] as const) {
    for (const [field, scope] of Object.entries(chain[chainMethod] ?? {})) {
      yield at({ chainMethod, field }, scope.value)
      yield* atEach({ chainMethod, field, extension: true }, scope.options)
    }
  }
  for (const field of ['expect', 'check'] as const) {
    for (const { condition, options } of chain.assert?.[field] ?? []) {
      yield at({ chainMethod: 'assert', field, condition: true }, condition)
      yield* atEach({ chainMethod: 'assert', field, extension: true }, options)
    }
  }
  for (const [field, entry] of Object.entries(chain.store ?? {})) yield at({ chainMethod: 'store', field }, entry.value)
}

/** Visits an expression and all expressions inside it. The parser limits the depth of trees. */
export function visitExpr(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr)
  switch (expr.kind) {
    case 'binary':
      visitExpr(expr.left, visit)
      visitExpr(expr.right, visit)
      return
    case 'unary':
      visitExpr(expr.operand, visit)
      return
    case 'funcCall':
      for (const arg of expr.args) visitExpr(arg, visit)
      return
    case 'objectLit':
      for (const entry of expr.entries) visitExpr(entry.value, visit)
      return
    case 'arrayLit':
      for (const item of expr.items) visitExpr(item, visit)
  }
}
