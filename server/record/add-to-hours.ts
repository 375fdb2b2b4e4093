import type { Tx } from '#db/client.ts'
import { matchesRows, servicesOf } from '#db/row-match.ts'
import { serviceStates } from '#db/schema/results.ts'
import type { FinishedRun } from './finished-run.ts'
import { sumByHour } from './rollups/additions.ts'
import { addToDays } from './rollups/days.ts'
import { deleteRecentSums } from './rollups/hour-statements.ts'
import { updateHours, upsertHours } from './rollups/hours.ts'

/** Adds runs to the roll-ups of their hours. The caller holds the locks on the states of the services. */
export async function addToHours(tx: Tx, runs: FinishedRun[]): Promise<void> {
  if (runs.length === 0) return
  const states = await tx
    .select({ id: serviceStates.serviceId, foldedUntil: serviceStates.foldedUntil })
    .from(serviceStates)
    .where(matchesRows(serviceStates.serviceId, servicesOf(runs)))
  const foldedUntil = new Map(states.map((state) => [state.id, state.foldedUntil]))
  // The day of a late run may be folded already: then the run is added to the day too, and its hour is not spread again.
  const isLate = (run: FinishedRun) => run.result.startedAt < (foldedUntil.get(run.serviceId) ?? new Date(0))
  const hours = sumByHour(runs, (run) => !isLate(run))
  await deleteRecentSums(tx, hours.runs)
  await upsertHours(tx, await updateHours(tx, hours))
  const late = runs.filter(isLate)
  await addToDays(
    tx,
    sumByHour(late, () => false),
  )
}
