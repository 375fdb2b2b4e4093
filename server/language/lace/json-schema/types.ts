import type { ValidationContext } from '@hyperjump/json-schema/experimental'
import type { JsonNode } from '@hyperjump/json-schema/instance/experimental'
import type { Json } from '../values/json.ts'

// Types that the parts of an evaluation share.

/** `size` is the number of steps of the compiled program. A character may run through all of them. */
export type Pattern = { source: string; size: number; matches: (text: string) => boolean }

// The compiled values of our keywords.
/** `cost` is the number of steps to compare a value with all of them. */
export type AllowedValues = { values: Json[]; cost: number }
export type PatternSchemas = [Pattern, schemaUri: string][]
export type Additional = { names: Set<string>; patterns: Pattern[]; schemaUri: string }

/** Marks, among the evaluated fields of an object, that a schema describes the object. */
export const DESCRIBED = Symbol('described')

/** A node of the value that does not match; with `step`, one of its fields or items. */
export type FoundMismatch = {
  node: JsonNode
  step?: string | number
  detail: string
  /** The schema is `false`, so no value would match. */
  isNothing?: boolean
}

/** A keyword that does not match. */
export type FailedKeyword = {
  keyword: string
  /** Its compiled value. */
  value: unknown
  instance: JsonNode
  /** Number of schemas, or items, that it tried, and number of matches. */
  tried: number
  matched: number
  /** The mismatch of a subschema, when it explains this one. */
  inner: FoundMismatch | undefined
}

/** The state of evaluating one schema or keyword. The first three fields belong to the validator's plugins. */
export type EvaluationState = ValidationContext & {
  evaluatedProperties?: Set<string | symbol>
  schemaEvaluatedProperties?: Set<string | symbol>
  schemaEvaluatedItems?: Set<number>
  /** The first mismatch. */
  mismatch?: FoundMismatch
  /** Number of schemas, or items, that matched. */
  matched?: number
  tried?: number
}
