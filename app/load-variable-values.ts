import type { Scope } from '#server/schemas/scopes.ts'
import type { Variable } from '#server/schemas/variables.ts'
import type { Load } from './prefetch.tsx'

/** Loads the values of the configuration in a scope, as `ScopeSection` shows them to members who may write there. */
export async function loadVariableValues(load: Load, scope: Scope, resourceId: string, variables: Variable[]) {
  if (variables.some(({ type }) => type === 'variable')) await load('variables.values', { scope, resourceId })
}
