import type { variables } from '#db/schema/scoped.ts'
import { MASK, type Variable } from '../schemas/variables.ts'

/** Returns the wire shape of a variable. With `hidden` a metric is masked too. */
export function presentVariable(row: Omit<typeof variables.$inferSelect, 'sealed'>, hidden = false): Variable {
  const masked = row.type !== 'metric' || hidden
  return {
    id: row.id,
    key: row.key,
    value: masked ? MASK : (row.value ?? ''),
    type: row.type,
    masked,
    systemType: row.systemType,
    isScriptWritten: row.isScriptWritten,
    allowedHosts: row.allowedHosts,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
