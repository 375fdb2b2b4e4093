import { and, isNotNull } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { variables } from '#db/schema/scoped.ts'
import type { AlertSettings } from '../schemas/alerts/alerting.ts'
import { SYSTEM_VARIABLES, type SystemVariableKey, systemValueProblem } from '../schemas/alerts/system-variables.ts'

/** Returns the values of a service's system variables. A missing or invalid one has its initial value. */
export async function readAlertSettings(db: Queryable, service: RowKey<string>): Promise<AlertSettings> {
  const rows = await db
    .select({ key: variables.key, value: variables.value })
    .from(variables)
    .where(and(matchesRow(variables.serviceId, service), isNotNull(variables.systemType)))
  return toAlertSettings(rows)
}

export function toAlertSettings(rows: readonly { key: string | null; value: string | null }[]): AlertSettings {
  const textOf = (key: SystemVariableKey) => {
    const value = rows.find((row) => row.key === key)?.value ?? null
    return value === null || systemValueProblem(key, value) ? SYSTEM_VARIABLES[key].initial : value
  }
  return {
    confirmFailures: Number(textOf('confirmFailures')),
    alertOnRecovery: textOf('alertOnRecovery') === 'true',
    remindMinutes: Number(textOf('remindMinutes')),
  }
}
