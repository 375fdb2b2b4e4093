import type { Chain } from '../ast.ts'
import type { AssertionLog } from './assertions.ts'
import { checkConditions } from './conditions.ts'
import type { EvaluationContext } from './context.ts'
import type { ResponseView } from './response.ts'
import { checkScopes } from './scopes.ts'
import { type Stores, storeValues } from './store.ts'

/**
 * Runs a call's chain in its fixed order, `.wait()` apart. Each method is evaluated to its end before a failure in it
 * counts; a hard failure leaves out what follows. Whether the call succeeded.
 */
export async function runChain(
  chain: Chain,
  response: ResponseView,
  context: EvaluationContext,
  log: AssertionLog,
  stores: Stores,
  breathe: () => Promise<void>,
): Promise<boolean> {
  if (chain.expect) {
    const { failed, fatal } = await checkScopes('expect', chain.expect, response, context, log, breathe)
    if (failed || fatal) return false
  }
  if (chain.check) {
    const { fatal } = await checkScopes('check', chain.check, response, context, log, breathe)
    if (fatal) return false
  }
  if (chain.assert) {
    const { failed } = await checkConditions(chain.assert, context, log, breathe)
    if (failed) return false
  }
  if (chain.store) storeValues(chain.store, stores, context)
  return true
}
