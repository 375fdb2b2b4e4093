import { quoted } from '../../../language/script-import/to-script.ts'
import type { Comparison } from './body-schema.ts'

// Conditions of the script language from those of other programs.

/** Operators of other programs. */
export const OPERATORS: Record<string, Comparison> = {
  ...{ '==': 'eq', '!=': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' },
}

/** Returns whether the status is one of `200`, `200-299` and so on, as a condition; null when one cannot be read. */
export function statusCondition(codes: readonly string[]): string | null {
  const parts = codes.map((code) => {
    const [, from, to] = /^(\d{3})(?:\s*-\s*(\d{3}))?$/.exec(code.trim()) ?? []
    if (!from) return null
    return to ? `(this.status gte ${from} and this.status lte ${to})` : `this.status eq ${from}`
  })
  return parts.includes(null) || parts.length === 0 ? null : parts.join(' or ')
}

/** Returns the condition that is true for the statuses with the property; null when no status has it. */
export function statusWhere(has: (status: number) => boolean): string | null {
  const ranges: [from: number, to: number][] = []
  for (let status = 100; status < 1_000; status++) {
    if (!has(status)) continue
    const last = ranges.at(-1)
    if (last?.[1] === status - 1) last[1] = status
    else ranges.push([status, status])
  }
  const parts = ranges.map(([from, to]) =>
    from === to ? `this.status eq ${from}` : `(this.status gte ${from} and this.status lte ${to})`,
  )
  return parts.length === 0 ? null : `(${parts.join(' or ')})`
}

/** Any status: a call needs something to expect. */
export const ANY_STATUS = '{ value: 0, op: "gt" }'

/** Null for a name with a hyphen, which a condition cannot have. */
export function headerExpression(name: string): string | null {
  return /^[A-Za-z_]\w*$/.test(name) ? `this.headers.${name.toLowerCase()}` : null
}

export function contains(text: string, expression = 'this.body'): string {
  return `includes(${stringLiteral(text)}, ${expression})`
}

/** A string of the language. A dollar sign that would start a variable is a variable itself. */
export function stringLiteral(text: string): string {
  return quoted(text).replaceAll(/\$(?=[A-Za-z_{$])/g, () => `\${$s.dollar}`)
}
