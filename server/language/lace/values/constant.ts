import type { Expr } from '../ast.ts'
import { type Json, type JsonObject, setOwn } from './json.ts'

/** Returns the value of an expression that consists of literals alone; undefined for one that a run must evaluate. */
export function constantOf(expr: Expr): Json | undefined {
  switch (expr.kind) {
    case 'literal':
      return expr.value
    case 'unary': {
      const operand = expr.op === '-' ? constantOf(expr.operand) : undefined
      return typeof operand === 'number' ? -operand : undefined
    }
    case 'arrayLit': {
      const items = expr.items.map(constantOf)
      return items.includes(undefined) ? undefined : (items as Json[])
    }
    case 'objectLit': {
      const object: JsonObject = {}
      for (const { key, value } of expr.entries) {
        const constant = constantOf(value)
        if (constant === undefined) return undefined
        setOwn(object, key, constant)
      }
      return object
    }
    default:
      return undefined
  }
}
