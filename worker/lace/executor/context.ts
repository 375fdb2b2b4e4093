import type { Json, JsonObject } from './json.ts'
import type { ResponseView } from './response.ts'
import type { Work } from './work.ts'

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
  work: Work
}

export function warn(context: Pick<EvaluationContext, 'warnings'>, warning: string): void {
  if (!context.warnings.includes(warning)) context.warnings.push(warning)
}
