/** The fields that assertion results and failure summaries have in common. */
type Assertion = {
  method: string
  scope?: string | null
  op?: string | null
  expected?: unknown
  actual?: unknown
  expression?: string | null
  actualLhs?: unknown
  actualRhs?: unknown
}

const OPERATORS: Record<string, string> = { eq: '=', neq: '≠', lt: '<', lte: '≤', gt: '>', gte: '≥' }

/** Returns the expectation, such as `status = 200`, or the condition as the script has it. */
export function expectedText(assertion: Assertion): string {
  if (assertion.expression) return assertion.expression
  const operator = assertion.op ? (OPERATORS[assertion.op] ?? assertion.op) : '='
  return `${assertion.scope ?? 'value'} ${operator} ${valueText(assertion.expected)}`
}

/** Returns the actual value, or the values on both sides of a condition. */
export function actualText(assertion: Assertion): string {
  if (!assertion.expression) return valueText(assertion.actual)
  return `${valueText(assertion.actualLhs)} and ${valueText(assertion.actualRhs)}`
}

/** Returns the value as JSON, cut to 300 characters. */
export function valueText(value: unknown): string {
  if (value === undefined) return '–'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
