import type { FinishedRun } from '../finished-run.ts'
import { rollupKey } from './keys.ts'

type CountedAssertion = { key: string; definition: () => Record<string, unknown>; failed: boolean }

/**
 * Returns the assertions of a run. When all pass, which is nearly always, they are one set, so that a run updates one row.
 * The runs of a script pass the same assertions, so there are few sets. A single assertion is its own row.
 */
export function assertionsOf({ assertions }: FinishedRun): CountedAssertion[] {
  if (assertions.length < 2 || assertions.some(({ failed }) => failed)) {
    return assertions.map(({ key, definition, failed }) => ({ key, definition: () => definition, failed }))
  }
  const definition = () => ({ assertions: assertions.map(({ key, definition }) => ({ key, definition })) })
  return [{ key: rollupKey(assertions.map(({ key }) => key).join(' ')), definition, failed: false }]
}
