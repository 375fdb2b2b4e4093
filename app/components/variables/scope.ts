import type { Scope } from '#server/schemas/scopes.ts'

/** The owner of variables: the organization, or a resource. */
export type VariableOwner = { scope: Scope; id: string }

type Verb = 'create' | 'update' | 'remove'

/**
 * Returns the path of an operation on the variables of a scope. The type is the one of the service's operation: all four
 * scopes have the same input and output, except that the organization's operations ignore the id.
 */
export function variablePath<V extends Verb>(owner: VariableOwner, verb: V) {
  return `variables.${owner.scope}.${verb}` as `variables.service.${V}`
}

export const TYPE_TEXTS: Record<string, { label: string; description: string }> = {
  variable: {
    label: 'Variable',
    description:
      'Configuration, such as a base URL. Members who may change it see its value, and a value that a run uses is visible in its result.',
  },
  secret: {
    label: 'Secret',
    description:
      'Stored encrypted, never shown again, and masked in results. Every script in this scope can send it, so list the allowed hosts.',
  },
  metric: { label: 'Metric', description: 'Stored as plain text. Scripts can also change it.' },
}

/** Descriptions of the variables that every service has. */
export const SYSTEM_VARIABLE_TEXTS: Record<string, string> = {
  confirmFailures: 'How many runs in a row must fail before an alert is sent, 1 to 10.',
  confirmRecoveries: 'How many runs in a row must pass before a failed service has recovered, 1 to 10.',
  recheckSeconds: 'Seconds after which a failed scheduled run is repeated once, up to 300; 0 never repeats it.',
  recheckWrites: 'Whether scripts that send POST, PUT, PATCH or DELETE are repeated too: true or false.',
  alertOnRecovery: 'Whether an alert is also sent when the service recovers: true or false.',
  remindMinutes:
    'Minutes between reminders while the service is failing and its incident is not acknowledged, up to 10080; 0 sends none.',
}
