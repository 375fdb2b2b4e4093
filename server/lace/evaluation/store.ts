import type { StoreBlock } from '../ast.ts'
import { readStoreKey } from '../store-key.ts'
import { quote } from '../suggest.ts'
import { type JsonObject, measure } from '../values/json.ts'
import { BodyMissing, RunFault } from '../values/limits.ts'
import { type EvaluationContext, warn } from './context.ts'
import { evaluate } from './evaluate.ts'

/** What `.store()` may keep of one run, in characters of JSON, and how deep it may nest. */
export const STORE_SIZE = 1024 * 1024
const STORE_DEPTH = 600
/** Of a character of JSON that is measured. */
const MEASURE_STEPS = 5

export type Stores = {
  runVars: JsonObject
  /** What is written back, by name; empty when nothing is. */
  writtenBack: JsonObject
  left: number
}

/** Stores in the order written. What is too large is left out, with a warning. */
export function storeValues(block: StoreBlock, stores: Stores, context: EvaluationContext): void {
  for (const [key, entry] of Object.entries(block)) {
    const target = readStoreKey(key, context.scopes)
    if (target.kind === 'run' && Object.hasOwn(stores.runVars, target.name)) {
      warn(context, `${quote(key)} was not stored: it is written once only`)
      continue
    }
    const value = evaluateStored(key, entry.value, context)
    const { size, depth } = measure(value, stores.left)
    context.work.spend(Math.min(size, stores.left) * MEASURE_STEPS)
    if (size > stores.left || depth > STORE_DEPTH) {
      warn(context, `${quote(key)} was not stored: what a run stores may take ${STORE_SIZE} characters of JSON`)
      continue
    }
    stores.left -= size
    if (target.kind === 'run') stores.runVars[target.name] = value
    else stores.writtenBack[target.name] = value
  }
}

function evaluateStored(key: string, value: StoreBlock[string]['value'], context: EvaluationContext) {
  try {
    return evaluate(value, context)
  } catch (error) {
    if (error instanceof BodyMissing) throw new RunFault(`${quote(key)} cannot be stored: ${error.message}`)
    throw error
  }
}
