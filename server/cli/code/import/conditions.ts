import { quoted } from '#server/script-import/to-script.ts'

// Conditions of the script language from those of other programs.

/** Operators of other programs. */
export const OPERATORS: Record<string, string> = {
  ...{ '==': 'eq', '!=': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' },
}

/** A value as a literal of the language: numbers and `true`, `false`, `null` as such, everything else as a string. */
export function literal(text: string): string {
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$|^(true|false|null)$/.test(text) ? text : quoted(text)
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
 * Returns the expression of a JSON path such as `$.data.items[0].id`; null for filters, wildcards and other paths that the
 * language does not have.
 */
export function bodyPath(path: string): string | null {
  const rest = path.trim().replace(/^\$/, '').replace(/^\./, '')
  if (rest === '') return 'this.body'
  const parts = rest
    .replaceAll(/\[['"]?([^\]'"]+)['"]?\]/g, '.$1')
    .replace(/^\./, '')
    .split('.')
  const names = parts.map((part) => {
    if (/^\d{1,6}$/.test(part)) return `[${part}]`
    return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : /^[\w -]+$/.test(part) ? `["${part}"]` : null
  })
  return names.includes(null) ? null : `this.body${names.join('')}`
}

export function headerExpression(name: string): string {
  return `this.headers[${quoted(name.toLowerCase())}]`
}

export function contains(text: string, expression = 'this.body'): string {
  return `includes(${quoted(text)}, ${expression})`
}
