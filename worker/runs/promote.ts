import type { Db, Tx } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { isConfirming, placeableAgents, placeRequiredRun } from '#server/schedule/placement.ts'
import { deleteRuns } from './delete-runs.ts'
import { servicesInMaintenance } from './maintenance.ts'
import {
  findPlacementRows,
  findServicesInFlight,
  lockSchedules,
  lockWaitingRuns,
  queueWaitingRun,
  type WaitingRun,
} from './promote-statements.ts'

/** Waiting runs promoted in one transaction. */
const BATCH = 500

/**
 * Queues the waiting runs whose service no longer has a run in flight. Scheduled runs are deleted instead when their
 * service was switched off or is under maintenance now. Returns the number of waiting runs that it queued or deleted.
 */
export function promoteWaiting(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const locked = await lockWaitingRuns(tx, BATCH)
    if (locked.length === 0) return 0
    const held = await lockSchedules(tx, servicesOf(locked))
    const candidates = locked.filter((run) => !held.has(run.service_id))
    // Checked again under the locks on the schedules, where it can no longer change.
    const inFlight = await findServicesInFlight(tx, servicesOf(candidates))
    const free = candidates.filter((run) => !inFlight.has(run.service_id))
    const scheduled = free.filter((run) => run.cause !== 'request')
    const inMaintenance = await servicesInMaintenance(scheduled, new Date(locked[0]?.now ?? 0))
    const unwanted = new Set(scheduled.filter((run) => !run.is_active || inMaintenance.has(run.service_id)))
    await deleteRuns(tx, [...unwanted])
    await queueRuns(
      tx,
      free.filter((run) => !unwanted.has(run)),
    )
    return free.length
  })
}

async function queueRuns(tx: Tx, waiting: WaitingRun[]): Promise<void> {
  if (waiting.length === 0) return
  const agents = await placeableAgents(tx, servicesOf(waiting))
  const placementRows = await findPlacementRows(tx, servicesOf(waiting))
  for (const run of waiting) {
    const row = placementRows.get(run.service_id)
    const { chosen, lastAgentId } = placeRequiredRun(agents.get(run.service_id) ?? [], {
      probeMode: run.probe_mode,
      lastAgentId: row?.last_agent_id ?? null,
      isConfirming: isConfirming({ lastStatus: row?.last_status ?? null, isAlerting: row?.is_alerting ?? false }),
    })
    await queueWaitingRun(tx, run, chosen, lastAgentId)
  }
}

function servicesOf(runs: WaitingRun[]): RowKey<string>[] {
  return runs.map((run) => ({ organizationId: run.organization_id, id: run.service_id }))
}
