import type { ValidationContext } from '@hyperjump/json-schema/experimental'
import type { JsonNode } from '@hyperjump/json-schema/instance/experimental'
import type { Json } from '../values/json.ts'

// What the parts of an evaluation share.

/** `size`: the steps of the engine's program. A character may take it through all of them. */
export type Pattern = { source: string; size: number; matches: (text: string) => boolean }

// What keywords come to when they are compiled, where it is not their value as written.
/** `cost`: of comparing with all of them, in steps. */
export type AllowedValues = { values: Json[]; cost: number }
export type PatternSchemas = [Pattern, schemaUri: string][]
export type Additional = { names: Set<string>; patterns: Pattern[]; schemaUri: string }

/** Stands among the evaluated fields of an object when a schema says anything about objects. */
export const DESCRIBED = Symbol('described')

/** What does not match: a node of the value, or what is beneath it by one step. */
export type FoundMismatch = {
  node: JsonNode
  step?: string | number
  detail: string
  /** Nothing would match there. */
  isNothing?: boolean
}

/** A keyword that does not hold. */
export type FailedKeyword = {
  keyword: string
  /** Its value as compiled. */
  value: unknown
  instance: JsonNode
  /** How many schemas, or items, it tried, and how many matched. */
  tried: number
  matched: number
  /** The mismatch within it, where its own is only that. */
  inner: FoundMismatch | undefined
}

/** What the evaluation of one schema or keyword knows: of the validator's plugins, and of ours. */
export type EvaluationState = ValidationContext & {
  evaluatedProperties?: Set<string | symbol>
  schemaEvaluatedProperties?: Set<string | symbol>
  schemaEvaluatedItems?: Set<number>
  /** The first mismatch. */
  mismatch?: FoundMismatch
  /** How many schemas, or items, matched. */
  matched?: number
  tried?: number
}
