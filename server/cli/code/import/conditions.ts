import { quoted } from '#server/script-import/to-script.ts'

// Conditions of the script language from those of other programs.

/** Operators of other programs. */
export const OPERATORS: Record<string, string> = {
  ...{ '==': 'eq', '!=': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' },
}

/** A value as a literal of the language: numbers and `true`, `false`, `null` as such, everything else as a string. */
export function literal(text: string): string {
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$|^(true|false|null)$/.test(text) ? text : stringLiteral(text)
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

/** Any status: a call needs something to expect. */
export const ANY_STATUS = '{ value: 0, op: "gt" }'

/**
 * Returns the expression of a JSON path such as `$.data.name`; null for other paths. In conditions, the language has no
 * index, and no name with other characters.
 */
export function bodyPath(path: string): string | null {
  const names = path.trim().replace(/^\$/, '').replace(/^\./, '')
  if (names === '') return 'this.body'
  return names.split('.').every((name) => /^[A-Za-z_]\w*$/.test(name)) ? `this.body.${names}` : null
}

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
