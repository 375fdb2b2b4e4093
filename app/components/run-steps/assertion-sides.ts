import { actualText, type ShownAssertion, valueText } from '#server/schemas/results/assertion-text.ts'

const COMPARISON = /^(.+?) (?:eq|neq|lt|lte|gt|gte) (.+)$/

/** Returns the actual value of an assertion. Those of a condition are named by its sides: `this.body.count = 4`. */
export function actualSides(assertion: ShownAssertion): string[] {
  const { expression, actualLhs, actualRhs } = assertion
  if (!expression) return [actualText(assertion)]
  const [left, right] = sidesOf(expression)
  const leftText = `${left} = ${valueText(actualLhs)}`
  // A literal is its own value.
  return right === null || isLiteral(right) ? [leftText] : [leftText, `${right} = ${valueText(actualRhs)}`]
}

/** Returns the sides of a condition as written if it is one comparison. One without an operator has only a left side. */
function sidesOf(expression: string): [string, string | null] {
  const hasSeveral = / (?:and|or) /.test(expression)
  const [, left, right] = COMPARISON.exec(expression) ?? []
  if (left === undefined || right === undefined) return hasSeveral ? ['left side', 'right side'] : [expression, null]
  return hasSeveral || COMPARISON.test(right) ? ['left side', 'right side'] : [left, right]
}

function isLiteral(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
