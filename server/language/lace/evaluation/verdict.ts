import type { AssertionOutcome } from '../result.ts'
import type { Json } from '../values/json.ts'

/** How one scope of `.expect()` or `.check()` compares with the response. */
export type Verdict = {
  outcome: AssertionOutcome
  actual: Json
  expected: Json
  /** Stops the run even in `.check()`. */
  fatal?: boolean
}

/** Returns the outcome of a comparison; null means that it is indeterminate. */
export function outcomeOf(verdict: boolean | null): AssertionOutcome {
  return verdict === null ? 'indeterminate' : verdict ? 'passed' : 'failed'
}
