import type { SQL } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { sumByHour } from './additions.ts'
import { insertAlertEvents } from './alert-events.ts'
import { addToDays } from './days.ts'
import type { FinishedRun } from './finished-run.ts'
import { addAssertions, addEndpointHours, addRunHours, deleteRecentSums } from './hours.ts'
import {
  finishAttempts,
  insertResults,
  lockServices,
  lockStates,
  readAlertSettings,
  updatePrevious,
  updateStates,
} from './result-statements.ts'
import { nextState, type ServiceState, type StateChange } from './service-state.ts'
import { writeBack } from './write-back.ts'

export type RecordOptions = { variablesMax: number }

/**
 * Stores finished runs with their roll-ups, states and variables, in one transaction, and returns the ids of the stored
 * runs. A run whose attempt no longer holds the lease is left out: another attempt stores it.
 */
export function finishAndStoreRuns(db: Db, finished: FinishedRun[], options: RecordOptions): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    if (finished.some((run) => run.writeBacks.length > 0)) await lockServices(tx, finished)
    const ids = await finishAttempts(tx, finished)
    await storeRuns(
      tx,
      finished.filter((run) => ids.has(run.id)),
      options,
    )
    return ids
  })
}

/**
 * Stores results and updates roll-ups, states, variables and alert events. The caller has marked the runs done in the
 * same transaction.
 */
export async function storeRuns(tx: Tx, runs: FinishedRun[], { variablesMax }: RecordOptions): Promise<void> {
  if (runs.length === 0) return
  const states = new Map((await lockStates(tx, runs)).map((state) => [state.serviceId, state]))
  const settings = await readAlertSettings(tx, [...states.keys()])
  const performed = runs.filter((run) => run.result.status !== 'skipped')
  const changes: { run: FinishedRun; change: StateChange }[] = []
  for (const run of performed) {
    const before = states.get(run.serviceId) as ServiceState
    const { state, change } = nextState(before, run, settings(run.serviceId))
    states.set(run.serviceId, state)
    if (change) changes.push({ run, change })
  }
  await writeBack(tx, performed, variablesMax)

  const hours = sumByHour(runs)
  const statements: SQL[] = [insertResults(runs), addRunHours(hours.runs), deleteRecentSums(hours.runs)]
  if (hours.endpoints.length > 0) statements.push(addEndpointHours(hours.endpoints))
  if (hours.assertions.length > 0) statements.push(addAssertions('hour', hours.assertions))
  if (performed.length > 0) {
    const changed = new Set(performed.map((run) => states.get(run.serviceId) as ServiceState))
    statements.push(updateStates([...changed]), updatePrevious(performed))
  }
  // Sent together, in one round trip. The connection executes them in this order.
  await Promise.all(statements.map((statement) => tx.execute(statement)))
  // The day of a late run may be folded already: then the run is added to the day too.
  const late = runs.filter((run) => run.result.startedAt < (states.get(run.serviceId) as ServiceState).foldedUntil)
  await addToDays(tx, sumByHour(late))
  if (changes.length > 0) await insertAlertEvents(tx, changes)
}
