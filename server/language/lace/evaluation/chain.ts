import type { Chain } from '../ast.ts'
import type { AssertionLog } from './assertion-log.ts'
import { checkConditions } from './conditions.ts'
import type { EvaluationContext } from './context.ts'
import { checkExpectScopes } from './expect-scopes.ts'
import type { ResponseView } from './response.ts'
import { type StoredValues, storeValues } from './store.ts'

/**
 * Runs a call's chain in its fixed order, except `.wait()`. All checks are evaluated, so one run shows all faults;
 * after a hard failure `.store()` is skipped. Returns whether the call succeeded.
 */
export async function runChain(
  chain: Chain,
  response: ResponseView,
  context: EvaluationContext,
  log: AssertionLog,
  stores: StoredValues,
): Promise<boolean> {
  let passed = true
  if (chain.expect) {
    const { failed, fatal } = await checkExpectScopes('expect', chain.expect, response, context, log)
    if (failed || fatal) passed = false
  }
  if (chain.check) {
    const { fatal } = await checkExpectScopes('check', chain.check, response, context, log)
    if (fatal) passed = false
  }
  if (chain.assert) {
    const { failed } = checkConditions(chain.assert, context, log)
    if (failed) passed = false
  }
  if (passed && chain.store) storeValues(chain.store, stores, context)
  return passed
}
