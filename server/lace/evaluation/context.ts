import type { Json, JsonObject } from '../values/json.ts'
import type { StepBudget, TextLimit } from '../values/limits.ts'
import type { ResponseView } from './response.ts'

/** What the expressions of one call can see. */
export type EvaluationContext = {
  variables: JsonObject
  runVars: JsonObject
  prev: Json
  /** Null while the request is being built. */
  response: ResponseView | null
  scopes: ReadonlySet<string>
  /** Warnings of the call; evaluation adds to them, each once. */
  warnings: string[]
  budget: StepBudget
  /** Of what is evaluated now, as a text: the most it may be, in characters, and what it is called. */
  textLimit: TextLimit
}

const MAX_WARNINGS = 100
const MAX_WARNING_LENGTH = 1_000

export function warn(context: Pick<EvaluationContext, 'warnings'>, warning: string): void {
  const text = warning.length > MAX_WARNING_LENGTH ? `${warning.slice(0, MAX_WARNING_LENGTH)}…` : warning
  if (context.warnings.length < MAX_WARNINGS && !context.warnings.includes(text)) context.warnings.push(text)
}
