import type { StoreBlock } from '../ast.ts'
import { readStoreKey } from '../store-key.ts'
import { quote } from '../suggest.ts'
import { type JsonObject, measureJson } from '../values/json.ts'
import { BodyNotRead, CallError } from '../values/limits.ts'
import { type EvaluationContext, warn } from './context.ts'
import { evaluate } from './evaluate.ts'

/** What `.store()` may keep of one run, in characters of JSON, and how deep it may nest. */
export const MAX_STORE_SIZE = 1024 * 1024
const MAX_STORE_DEPTH = 600
/** Of a character of JSON that is measured. */
const MEASURE_STEPS = 5

export type StoredValues = {
  runVars: JsonObject
  /** What is written back, by name; empty when nothing is. */
  writtenBack: JsonObject
  remaining: number
}

/** Stores in the order written. What is too large is left out, with a warning. */
export function storeValues(block: StoreBlock, stores: StoredValues, context: EvaluationContext): void {
  for (const [key, entry] of Object.entries(block)) {
    const target = readStoreKey(key, context.scopes)
    if (target.kind === 'run' && Object.hasOwn(stores.runVars, target.name)) {
      warn(context, `${quote(key)} was not stored: it is written once only`)
      continue
    }
    const value = evaluateStored(key, entry.value, context)
    const { size, depth } = measureJson(value, stores.remaining)
    context.budget.spend(Math.min(size, stores.remaining) * MEASURE_STEPS)
    if (size > stores.remaining || depth > MAX_STORE_DEPTH) {
      warn(context, `${quote(key)} was not stored: what a run stores may take ${MAX_STORE_SIZE} characters of JSON`)
      continue
    }
    stores.remaining -= size
    if (target.kind === 'run') stores.runVars[target.name] = value
    else stores.writtenBack[target.name] = value
  }
}

function evaluateStored(key: string, value: StoreBlock[string]['value'], context: EvaluationContext) {
  try {
    return evaluate(value, context)
  } catch (error) {
    if (error instanceof BodyNotRead) throw new CallError(`${quote(key)} cannot be stored: ${error.message}`)
    throw error
  }
}
