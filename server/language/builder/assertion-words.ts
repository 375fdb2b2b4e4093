import type { Assertion } from './steps.ts'

/** Returns what an assertion expects, in words; as it stands in the script where there are no words for it. */
export function assertionText(assertion: Assertion): string {
  switch (assertion.kind) {
    case 'header':
      return /^content-type$/i.test(assertion.name)
        ? `The content type is ${assertion.value}${recorded(assertion)}`
        : `The header ${assertion.name} is ${assertion.value}${recorded(assertion)}`
    case 'scope':
      return scopeText(assertion)
    case 'condition':
      return `${conditionText(assertion.expression)}${recorded(assertion)}`
  }
}

function scopeText(assertion: Extract<Assertion, { kind: 'scope' }>): string {
  const { scope, value, level } = assertion
  const [, below] = /^\{ value: (\d+), op: "lt" \}$/.exec(value) ?? []
  if (scope === 'status' && /^\d+$/.test(value)) return `The status is ${value}${recorded(assertion)}`
  if (scope === 'status' && below !== undefined) return `The status is below ${below}${recorded(assertion)}`
  if (scope === 'totalDelayMs' && /^\d+$/.test(value)) {
    const limit = Number(value).toLocaleString('en')
    return level === 'check'
      ? `A response slower than ${limit} ms is recorded, without failing the run`
      : `The response takes less than ${limit} ms`
  }
  return `${scope}: ${value}${recorded(assertion)}`
}

function conditionText(expression: string): string {
  const [, contained] = /^includes\(("(?:[^"\\]|\\.)*"), this\.body\)$/.exec(expression) ?? []
  if (contained !== undefined) return `The body contains “${unquoted(contained)}”`
  const [, field, value] = /^this\.body\.([\w.]+) eq (.+)$/.exec(expression) ?? []
  return field === undefined ? expression : `The field ${field} is ${value}`
}

function recorded({ level }: Assertion): string {
  return level === 'check' ? ' (only recorded)' : ''
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char)
}
