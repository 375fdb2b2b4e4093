import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { asc, sql } from '#db/drizzle.cjs'
import { matchesRows, servicesOf } from '#db/row-match.ts'
import { insertRows } from '#db/rows.ts'
import { variables } from '#db/schema/scoped.ts'
import { VariableKey, VariableValue } from '../../schemas/variables.ts'
import { COMPUTED_VARIABLES } from '../../scripts/computed-variables.ts'
import type { FinishedRun } from './finished-run.ts'

type Row = Pick<typeof variables.$inferSelect, 'type' | 'systemType'>

const METRIC: Row = { type: 'metric', systemType: null }

const RESERVED = new Set(COMPUTED_VARIABLES.service.map((computed) => computed.key))

/**
 * Writes the values that scripts stored back to variables of their services. Returns the runs, with a warning in the
 * result for each refused value. The given runs stay as they are, because a failed transaction is tried again with them.
 */
export async function writeBack<T extends FinishedRun>(tx: Tx, runs: T[], limit: number): Promise<T[]> {
  const writing = runs.filter((run) => run.writeBacks.length > 0)
  if (writing.length === 0) return runs
  const serviceIds = [...new Set(writing.map((run) => run.serviceId))].sort()
  // The API takes the same lock when it creates a variable, so the limit holds for both.
  for (const id of serviceIds) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`variables:${id}`}, 0))`)
  }
  const existing = new Map<string, Map<string, Row>>(serviceIds.map((id) => [id, new Map()]))
  const rows = await tx
    .select({
      serviceId: variables.serviceId,
      key: variables.key,
      type: variables.type,
      systemType: variables.systemType,
    })
    .from(variables)
    .where(matchesRows(variables.serviceId, servicesOf(writing)))
    .orderBy(asc(variables.id))
  for (const row of rows) existing.get(row.serviceId ?? '')?.set(row.key, row)

  const written = new Map<string, typeof variables.$inferInsert>()
  const warned = new Map<T, T>()
  for (const run of writing) {
    const { organizationId, serviceId } = run
    const own = existing.get(serviceId) as Map<string, Row>
    for (const { key, value, callIndex } of run.writeBacks) {
      const reason = refusal(key, value, own, limit)
      if (reason) {
        const warning = `"${key}" was not written back: ${reason}`
        warned.set(run, withWarning(warned.get(run) ?? run, callIndex, warning))
      } else {
        own.set(key, METRIC)
        const row = { id: uuidv7(), organizationId, serviceId, key, value, ...METRIC, isScriptWritten: true }
        written.set(`${serviceId} ${key}`, row)
      }
    }
  }
  const isMetric = sql`variables.type = 'metric' and variables.system_type is null`
  await insertRows(
    tx,
    variables,
    [...written.values()],
    sql`
    on conflict on constraint variables_key_key
    do update set value = excluded.value, updated_at = now() where ${isMetric}`,
  )
  return runs.map((run) => warned.get(run) ?? run)
}

/** Returns the reason why the key is not written, or null. */
function refusal(key: string, value: string, own: Map<string, Row>, limit: number): string | null {
  if (!VariableKey.safeParse(key).success) return 'it is not a valid variable name'
  if (RESERVED.has(key)) return 'the name is reserved'
  if (!VariableValue.safeParse(value).success) return 'the value is longer than 4096 characters'
  const row = own.get(key)
  if (row?.systemType) return 'it is a system variable'
  if (row && row.type !== 'metric') return `a ${row.type} of that name exists`
  const count = [...own.values()].filter((row) => row.systemType === null).length
  return !row && count >= limit ? `the service has reached its limit of ${limit} variables` : null
}

/** Returns the run with a warning in the call that stored the value. */
function withWarning<T extends FinishedRun>(run: T, callIndex: number, warning: string): T {
  const { calls } = (run.result.raw ?? {}) as { calls?: { warnings: string[] }[] }
  const warned = calls?.map((call, i) => (i === callIndex ? { ...call, warnings: [...call.warnings, warning] } : call))
  return { ...run, result: { ...run.result, raw: { ...run.result.raw, calls: warned } } }
}
