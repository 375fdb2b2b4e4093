import type { EvaluationPlugin, Keyword } from '@hyperjump/json-schema/experimental'
import type { JsonNode } from '@hyperjump/json-schema/instance/experimental'
import * as Instance from '@hyperjump/json-schema/instance/experimental'
import { isObject, type Json, measureJson } from '../values/json.ts'
import { SchemaRejected } from './check.ts'
import { describeMismatch } from './mismatch.ts'
import {
  type Additional,
  type AllowedValues,
  DESCRIBED,
  type EvaluationState,
  type FoundMismatch,
  type Pattern,
  type PatternSchemas,
} from './types.ts'

/** About one second of CPU time. */
const MAX_STEPS = 3_000_000
const MAX_DEPTH = 1_000
/** Cost of the regex engine per character, and at worst per program step (20 ns measured). */
const CHARACTER_COST = 2
const PROGRAM_STEP_COST = 1 / 15
/** About 100 bytes each. */
const MAX_NODES = 1_000_000

type KeywordNode = [keywordId: string, location: string, value: unknown]

/** Keywords that iterate over all items or fields of a value. */
const WALKING = new Set([
  ...['contains', 'items', 'prefixItems', 'unevaluatedItems'],
  ...['declared', 'properties', 'propertyNames', 'unevaluatedProperties'],
])
const DESCRIBING = new Set(['properties', 'patternProperties', 'additionalProperties', 'required'])

/** Monitors an evaluation: limits its cost and records the first mismatch. */
export class EvaluationMonitor implements EvaluationPlugin<EvaluationState> {
  readonly id = 'watch'
  /** The first mismatch of the whole evaluation. */
  mismatch: FoundMismatch | null = null
  private steps = 0
  private depth = 0

  beforeSchema(): void {
    this.spend(2)
    if (++this.depth > MAX_DEPTH) throw new SchemaRejected('it refers to itself endlessly')
  }

  beforeKeyword([, location, value]: KeywordNode, instance: JsonNode): void {
    this.spend(1 + costOf(nameOf(location), value, instance))
  }

  afterKeyword(
    [, location, value]: KeywordNode,
    instance: JsonNode,
    context: EvaluationState,
    isValid: boolean,
    schemaContext: EvaluationState,
    keyword: Keyword<unknown>,
  ): void {
    const name = nameOf(location)
    if (isDescribing(name, value)) schemaContext.schemaEvaluatedProperties?.add(DESCRIBED)
    if (isValid || schemaContext.mismatch) return
    const { tried = 0, matched = 0 } = context
    const inner = keyword.simpleApplicator ? context.mismatch : undefined
    schemaContext.mismatch = describeMismatch({ keyword: name, value, instance, tried, matched, inner })
  }

  afterSchema(_: string, instance: JsonNode, context: EvaluationState, isValid: boolean): void {
    // The validator copies the evaluated fields from schema to schema.
    this.spend(((context.schemaEvaluatedProperties?.size ?? 0) + (context.schemaEvaluatedItems?.size ?? 0)) / 2)
    this.depth--
    context.tried = (context.tried ?? 0) + 1
    if (isValid) context.matched = (context.matched ?? 0) + 1
    else context.mismatch ??= { node: instance, detail: 'nothing is allowed here', isNothing: true }
    if (this.depth === 0) this.mismatch = context.mismatch ?? null
  }

  private spend(steps: number): void {
    this.steps += steps
    if (this.steps > MAX_STEPS) throw new SchemaRejected('matching the body would take too long')
  }
}

/** Returns whether a keyword describes objects. */
function isDescribing(name: string, value: unknown): boolean {
  if (name !== 'type') return DESCRIBING.has(name)
  return value === 'object' || (Array.isArray(value) && value.includes('object'))
}

function nameOf(location: string): string {
  return location.slice(location.lastIndexOf('/') + 1)
}

/** Returns the cost of a keyword itself, without its subschemas. */
function costOf(name: string, compiled: unknown, instance: JsonNode): number {
  const value = Instance.value<Json>(instance)
  switch (name) {
    case 'minLength':
    case 'maxLength':
      return typeof value === 'string' ? value.length / 8 : 0
    case 'pattern':
      return typeof value === 'string' ? costOfMatch(value, compiled as Pattern) : 0
    case 'patternProperties':
      return costOfNames(
        value,
        (compiled as PatternSchemas).map(([pattern]) => pattern),
      )
    case 'additionalProperties':
      return costOfNames(value, (compiled as Additional).patterns)
    case 'const':
    case 'enum':
      return (compiled as AllowedValues).cost
    case 'type':
      return Array.isArray(compiled) ? compiled.length / 4 : 0
    case 'required':
    case 'dependentSchemas':
      return (compiled as unknown[]).length
    case 'dependentRequired':
      return (compiled as [string, string[]][]).reduce((sum, [, needed]) => sum + 1 + needed.length, 0)
    case 'uniqueItems':
      return Array.isArray(value) ? measureJson(value, MAX_STEPS * 4).size / 4 : 0
    default:
      return WALKING.has(name) ? instance.children.length : 0
  }
}

function costOfMatch(text: string, { size }: Pattern): number {
  return 10 + text.length * (CHARACTER_COST + size * PROGRAM_STEP_COST)
}

function costOfNames(value: Json, patterns: Pattern[]): number {
  if (!isObject(value)) return 0
  let cost = 0
  for (const name of Object.keys(value)) {
    cost += 1
    for (const pattern of patterns) cost += costOfMatch(name, pattern)
    if (cost > MAX_STEPS) break
  }
  return cost
}

/**
 * Converts a value to the nodes that the validator walks: one per item, three per field.
 *
 * @throws SchemaRejected when the nodes would take too much memory
 */
export function nodesOf(value: Json): JsonNode {
  let nodes = 1
  const stack = [value]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (typeof at !== 'object' || at === null) continue
    const inner = Object.values(at)
    nodes += inner.length * (Array.isArray(at) ? 1 : 3)
    if (nodes > MAX_NODES) throw new SchemaRejected('the body has too many values to be matched')
    for (const one of inner) stack.push(one)
  }
  return Instance.fromJs(value)
}
