import type { AssertBlock, Condition, Expr } from '../ast.ts'
import { printExpression } from '../print/expression.ts'
import type { AssertionOutcome } from '../result.ts'
import { INDETERMINATE, type Indeterminate, type Json, nullIfIndeterminate } from '../values/json.ts'
import { BodyNotRead } from '../values/limits.ts'
import type { AssertionLog } from './assertion-log.ts'
import type { EvaluationContext } from './context.ts'
import { applyBinary, compute, evaluateMap } from './evaluate.ts'

const MAX_EXPRESSION_LENGTH = 2_000

/** Evaluates and records all conditions of `.assert()`. Returns whether an `expect` condition failed. */
export function checkConditions(
  block: AssertBlock,
  context: EvaluationContext,
  log: AssertionLog,
): { failed: boolean } {
  let failed = false
  for (const kind of ['expect', 'check'] as const) {
    for (const [index, condition] of (block[kind] ?? []).entries()) {
      const { outcome, lhs, rhs } = judgeCondition(condition, context)
      failed ||= kind === 'expect' && outcome === 'failed'
      log.add({
        method: 'assert',
        kind,
        index,
        outcome,
        expression: printTruncated(condition.condition),
        actualLhs: lhs,
        actualRhs: rhs,
        options: log.options(condition.options ? evaluateMap(condition.options, context) : null),
      })
    }
  }
  return { failed }
}

function printTruncated(expr: Expr): string {
  const text = printExpression(expr)
  return text.length > MAX_EXPRESSION_LENGTH ? `${text.slice(0, MAX_EXPRESSION_LENGTH)}…` : text
}

type Judgement = { outcome: AssertionOutcome; lhs: Json; rhs: Json }

/** Evaluates a condition and its operands; a condition without operator has its value on the left. */
function judgeCondition({ condition }: Condition, context: EvaluationContext): Judgement {
  try {
    if (condition.kind !== 'binary') {
      const value = compute(condition, context)
      return { outcome: outcomeOf(value), lhs: nullIfIndeterminate(value), rhs: null }
    }
    const left = compute(condition.left, context)
    let right: Json | Indeterminate = null
    const readRight = () => {
      right = compute(condition.right, context)
      return right
    }
    const outcome = outcomeOf(applyBinary(condition.op, left, readRight, context))
    return { outcome, lhs: nullIfIndeterminate(left), rhs: nullIfIndeterminate(right) }
  } catch (error) {
    if (error instanceof BodyNotRead) return { outcome: 'failed', lhs: null, rhs: null }
    throw error
  }
}

/** Only `true` passes: a condition on a missing field fails. */
function outcomeOf(value: Json | Indeterminate): AssertionOutcome {
  return value === INDETERMINATE ? 'indeterminate' : value === true ? 'passed' : 'failed'
}
