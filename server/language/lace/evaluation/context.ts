import type { Json, JsonObject } from '../values/json.ts'
import type { StepBudget, TextLimit } from '../values/limits.ts'
import type { ResponseView } from './response.ts'

/** The values and limits that the expressions of one call are evaluated with. */
export type EvaluationContext = {
  variables: JsonObject
  runVars: JsonObject
  prev: Json
  /** Null while the request is built. */
  response: ResponseView | null
  scopes: ReadonlySet<string>
  /** Warnings of the call. Evaluation adds each warning once. */
  warnings: string[]
  budget: StepBudget
  /** The limit on the string that is being built. */
  textLimit: TextLimit
}

const MAX_WARNINGS = 100
const MAX_WARNING_LENGTH = 1_000

export function warn(context: Pick<EvaluationContext, 'warnings'>, warning: string): void {
  const text = warning.length > MAX_WARNING_LENGTH ? `${warning.slice(0, MAX_WARNING_LENGTH)}…` : warning
  if (context.warnings.length < MAX_WARNINGS && !context.warnings.includes(text)) context.warnings.push(text)
}
