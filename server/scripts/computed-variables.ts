import type { Scope } from '../schemas/scopes.ts'

/** The data that computed variables derive from. Only a service that has run has a state. */
export type ComputedSource = {
  name: string | null
  state?: { lastStatus: string | null; lastStatusSince: Date | null; lastConsecutive: number | null } | null
}

type ComputedValue = string | number | null
type ComputedVariable = { key: string; description: string; compute: (source: ComputedSource) => ComputedValue }

/** The read-only variables of each scope. Their keys are reserved there. */
export const COMPUTED_VARIABLES: Record<Scope, readonly ComputedVariable[]> = {
  organization: [],
  workspace: [nameOf('workspace')],
  project: [nameOf('project')],
  service: [
    nameOf('service'),
    {
      key: 'lastStatus',
      description: 'The status of the last run; null before the first run.',
      compute: ({ state }) => state?.lastStatus ?? null,
    },
    {
      key: 'lastStatusSince',
      description: 'When the status last changed, ISO-8601; null before the first run.',
      compute: ({ state }) => state?.lastStatusSince?.toISOString() ?? null,
    },
    {
      key: 'lastStatusConsecutive',
      description: 'How many runs in a row ended with the last status.',
      compute: ({ state }) => state?.lastConsecutive ?? 0,
    },
  ],
}

function nameOf(scope: Scope): ComputedVariable {
  return { key: 'name', description: `The name of the ${scope}.`, compute: ({ name }) => name }
}

/** Returns the values of a scope's computed variables, by key. */
export function computeVariables(scope: Scope, source: ComputedSource): Record<string, ComputedValue> {
  return Object.fromEntries(COMPUTED_VARIABLES[scope].map(({ key, compute }) => [key, compute(source)]))
}

/** How a script addresses each scope. */
export const SCOPE_PREFIXES: Record<Scope, string> = {
  organization: '$o.',
  workspace: '$w.',
  project: '$p.',
  service: '$s.',
}
