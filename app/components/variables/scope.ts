import type { Scope } from '#server/schemas/scopes.ts'

/** What variables belong to. The id of the organization's own is the organization's. */
export type VariableOwner = { scope: Scope; id: string }

type Verb = 'create' | 'update' | 'remove'

/**
 * The operation of a scope. All four scopes take and answer the same, but that the organization's needs no id and
 * ignores one, so pages are typed by one of them.
 */
export function variablePath<V extends Verb>(owner: VariableOwner, verb: V) {
  return `variables.${owner.scope}.${verb}` as `variables.service.${V}`
}

export const TYPE_TEXTS: Record<string, { label: string; description: string }> = {
  variable: {
    label: 'Variable',
    description:
      'Stored encrypted and shown masked. Whoever may read a result can see a value that shaped it, such as a base URL.',
  },
  secret: {
    label: 'Secret',
    description:
      'Stored encrypted, never shown again, and masked wherever it would appear in results. Every script beneath can send it: name the hosts it may go to.',
  },
  metric: { label: 'Metric', description: 'Plain text that scripts may also write back.' },
}

/** What the variables that every service comes with are for. */
export const SYSTEM_VARIABLE_TEXTS: Record<string, string> = {
  confirmFailures: 'How many runs in a row must fail before the service counts as failed and alerts go out, 1 to 10.',
  alertOnRecovery: 'Whether alerts also go out when the service recovers: true or false.',
}
