import type { AssertBlock, Condition, Expr } from '../ast.ts'
import { printExpression } from '../print-expression.ts'
import type { AssertionLog } from './assertions.ts'
import type { EvaluationContext } from './context.ts'
import { evaluate, evaluateNamed, truth } from './evaluate.ts'
import type { Json } from './json.ts'
import { arithmetic, compare } from './operators.ts'
import { outcomeOf } from './scopes.ts'
import { BodyMissing } from './work.ts'

const LONGEST_EXPRESSION = 2_000

/** Evaluates all conditions of `.assert()` and records them. Whether one of its `expect` conditions failed. */
export async function checkConditions(
  block: AssertBlock,
  context: EvaluationContext,
  log: AssertionLog,
  breathe: () => Promise<void>,
): Promise<{ failed: boolean }> {
  let failed = false
  for (const kind of ['expect', 'check'] as const) {
    for (const [index, condition] of (block[kind] ?? []).entries()) {
      await breathe()
      const { verdict, lhs, rhs } = judge(condition, context)
      const outcome = outcomeOf(verdict)
      failed ||= kind === 'expect' && outcome === 'failed'
      log.add({
        method: 'assert',
        kind,
        index,
        outcome,
        expression: shown(condition.condition),
        actualLhs: lhs,
        actualRhs: rhs,
        options: log.options(condition.options ? evaluateNamed(condition.options, context) : null),
      })
    }
  }
  return { failed }
}

function shown(expr: Expr): string {
  const text = printExpression(expr)
  return text.length > LONGEST_EXPRESSION ? `${text.slice(0, LONGEST_EXPRESSION)}…` : text
}

type Judgement = { verdict: boolean | null; lhs: Json; rhs: Json }

/** The condition's truth with both its sides; a condition without sides has its value on the left. */
function judge({ condition }: Condition, context: EvaluationContext): Judgement {
  try {
    if (condition.kind !== 'binary') {
      const value = evaluate(condition, context)
      return { verdict: truth(value), lhs: value, rhs: null }
    }
    const { op } = condition
    const lhs = evaluate(condition.left, context)
    if (op === 'and' || op === 'or') {
      const decided = truth(lhs) === (op === 'or')
      const rhs = decided ? null : evaluate(condition.right, context)
      return { verdict: decided ? op === 'or' : connect(op, truth(lhs), truth(rhs)), lhs, rhs }
    }
    const rhs = evaluate(condition.right, context)
    if (op === '+' || op === '-' || op === '*' || op === '/' || op === '%') {
      return { verdict: truth(arithmetic(op, lhs, rhs, context.work)), lhs, rhs }
    }
    return { verdict: compare(op, lhs, rhs, context.work), lhs, rhs }
  } catch (error) {
    if (error instanceof BodyMissing) return { verdict: false, lhs: null, rhs: null }
    throw error
  }
}

/** The three-valued `and` and `or` of a left side that did not decide by itself. */
function connect(op: 'and' | 'or', left: boolean | null, right: boolean | null): boolean | null {
  const deciding = op === 'or'
  if (right === deciding) return deciding
  return left === null || right === null ? null : !deciding
}
