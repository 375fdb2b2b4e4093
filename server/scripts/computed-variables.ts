import type { Scope } from '../schemas/scopes.ts'

/** The scripts' read-only variables per scope. Their names are reserved there. */
export const COMPUTED_VARIABLES: Record<Scope, { key: string; description: string }[]> = {
  organization: [],
  workspace: [{ key: 'name', description: 'The name of the workspace.' }],
  project: [{ key: 'name', description: 'The name of the project.' }],
  service: [
    { key: 'name', description: 'The name of the service.' },
    { key: 'lastStatus', description: 'The status of the last run; null before the first.' },
    {
      key: 'lastStatusSince',
      description: 'Since when the status has been what it is, ISO-8601; null before the first run.',
    },
    { key: 'lastStatusConsecutive', description: 'How many runs in a row ended with that status.' },
  ],
}

/** How a script addresses each scope. */
export const SCOPE_PREFIXES: Record<Scope, string> = {
  organization: '$o.',
  workspace: '$w.',
  project: '$p.',
  service: '$s.',
}
