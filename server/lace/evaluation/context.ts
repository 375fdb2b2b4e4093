import type { Json, JsonObject } from '../values/json.ts'
import { LONGEST_TEXT, RunFault, type Work } from '../values/limits.ts'
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
  work: Work
  /** Of what is evaluated now, as a text: the most it may be, in characters, and what it is called. */
  bound: Bound
}

export type Bound = { longest: number; what: string }

export const TEXT_BOUND: Bound = { longest: LONGEST_TEXT, what: 'a text' }

/** Throws `RunFault` for what is longer than it may be. */
export function requireWithin(length: number, { longest, what }: Bound): void {
  if (length > longest) throw new RunFault(`${what} grows longer than ${longest} characters`)
}

const MOST_WARNINGS = 100
const LONGEST_WARNING = 1_000

export function warn(context: Pick<EvaluationContext, 'warnings'>, warning: string): void {
  const text = warning.length > LONGEST_WARNING ? `${warning.slice(0, LONGEST_WARNING)}…` : warning
  if (context.warnings.length < MOST_WARNINGS && !context.warnings.includes(text)) context.warnings.push(text)
}
