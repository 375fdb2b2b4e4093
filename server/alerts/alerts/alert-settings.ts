import type { AlertSettings } from '../../schemas/alerts/alerting.ts'
import { SYSTEM_VARIABLES, type SystemVariableKey, systemValueProblem } from '../../schemas/alerts/system-variables.ts'

/** Returns the values of a service's system variables. A missing or invalid one has its initial value. */
export function toAlertSettings(rows: readonly { key: string | null; value: string | null }[]): AlertSettings {
  const textOf = (key: SystemVariableKey) => {
    const value = rows.find((row) => row.key === key)?.value ?? null
    return value === null || systemValueProblem(key, value) ? SYSTEM_VARIABLES[key].initial : value
  }
  return {
    confirmFailures: Number(textOf('confirmFailures')),
    confirmRecoveries: Number(textOf('confirmRecoveries')),
    recheckSeconds: Number(textOf('recheckSeconds')),
    recheckWrites: textOf('recheckWrites') === 'true',
    alertOnRecovery: textOf('alertOnRecovery') === 'true',
    remindMinutes: Number(textOf('remindMinutes')),
  }
}
