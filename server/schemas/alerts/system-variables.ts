/** The system variables that every service has: how its runs become alerts. */
export const SYSTEM_VARIABLES = {
  /** Failures in a row until the service is failed, and successes in a row until it has recovered. */
  confirmFailures: { systemType: 'integer', initial: '1', min: 1, max: 10 },
  confirmRecoveries: { systemType: 'integer', initial: '1', min: 1, max: 10 },
  /** Seconds after which a failed scheduled run is repeated; 0 is never. */
  recheckSeconds: { systemType: 'integer', initial: '10', min: 0, max: 300 },
  /** Whether runs of a script that writes are repeated too. */
  recheckWrites: { systemType: 'boolean', initial: 'false' },
  /** Whether a recovery is announced. */
  alertOnRecovery: { systemType: 'boolean', initial: 'true' },
  /** Minutes between reminders of an open incident that is not acknowledged; 0 is never, a week is the maximum. */
  remindMinutes: { systemType: 'integer', initial: '0', min: 0, max: 10_080 },
} as const satisfies Record<string, SystemVariable>

export type SystemVariable =
  | { systemType: 'integer'; initial: string; min: number; max: number }
  | { systemType: 'boolean'; initial: string }

export type SystemVariableKey = keyof typeof SYSTEM_VARIABLES

/** Returns what is wrong with a value of a system variable, or null. */
export function systemValueProblem(key: string, value: string): string | null {
  const variable: SystemVariable | undefined = SYSTEM_VARIABLES[key as SystemVariableKey]
  if (variable?.systemType === 'boolean') return value === 'true' || value === 'false' ? null : 'must be true or false'
  if (variable === undefined) return null
  const isInRange = /^(0|[1-9]\d{0,8})$/.test(value) && Number(value) >= variable.min && Number(value) <= variable.max
  return isInRange ? null : `must be an integer from ${variable.min} to ${variable.max}`
}
