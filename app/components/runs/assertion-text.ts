/** What an assertion says, in the fields that records and failure summaries share. */
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

/** What was asked for: `status = 200`, or the condition as written. */
export function expectedText(assertion: Assertion): string {
  if (assertion.expression) return assertion.expression
  const operator = assertion.op ? (OPERATORS[assertion.op] ?? assertion.op) : '='
  return `${assertion.scope ?? 'value'} ${operator} ${valueText(assertion.expected)}`
}

/** What was found: the value, or both sides of a condition. */
export function actualText(assertion: Assertion): string {
  if (!assertion.expression) return valueText(assertion.actual)
  return `${valueText(assertion.actualLhs)} and ${valueText(assertion.actualRhs)}`
}

/** A value as JSON, short enough for a table's cell. */
export function valueText(value: unknown): string {
  if (value === undefined) return '–'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
