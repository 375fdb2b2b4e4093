import type { StoreBlock } from '../ast.ts'
import { readStoreKey } from '../store-key.ts'
import { quote } from '../suggest.ts'
import { type JsonObject, measureJson } from '../values/json.ts'
import { BodyNotRead, CallError } from '../values/limits.ts'
import { type EvaluationContext, warn } from './context.ts'
import { evaluate } from './evaluate.ts'

/** Limits of `.store()` per run: characters of JSON, and depth. */
export const MAX_STORE_SIZE = 1024 * 1024
const MAX_STORE_DEPTH = 600
/** Per character of JSON that is measured. */
const MEASURE_STEPS = 5

export type StoredValues = {
  runVars: JsonObject
  /** Values that are written back, by name. */
  writtenBack: JsonObject
  remaining: number
}

/** Stores values in the order of the script. A value that is too large is skipped with a warning. */
export function storeValues(block: StoreBlock, stores: StoredValues, context: EvaluationContext): void {
  for (const [key, entry] of Object.entries(block)) {
    const target = readStoreKey(key, context.scopes)
    if (target.kind === 'run' && Object.hasOwn(stores.runVars, target.name)) {
      warn(context, `${quote(key)} was not stored: a run variable can be assigned only once`)
      continue
    }
    const value = evaluateStored(key, entry.value, context)
    const { size, depth } = measureJson(value, stores.remaining)
    context.budget.spend(Math.min(size, stores.remaining) * MEASURE_STEPS)
    if (size > stores.remaining || depth > MAX_STORE_DEPTH) {
      warn(context, `${quote(key)} was not stored: a run can store at most ${MAX_STORE_SIZE} characters of JSON`)
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
