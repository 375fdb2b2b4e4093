import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { announce } from '#server/live/announce.ts'
import { observeDispatch } from '#server/metrics/runs.ts'
import { skippedRun } from '#server/record/finished-run.ts'
import { type RecordOptions, storeRuns, transactRuns } from '#server/record/store-runs.ts'
import { nextSlot } from '#server/schedule/cron.ts'
import { type EligibleAgent, NO_AGENT, placeableAgents, placeScheduledRun } from '#server/schedule/placement.ts'
import { createRunId } from '#server/schedule/run-ids.ts'
import type { Liveness } from '../liveness.ts'
import {
  type DueSchedule,
  findBusyServices,
  findConfirmingServices,
  insertRuns,
  lockDueSchedules,
  type NewRun,
  updateSchedules,
} from './dispatch-statements.ts'
import { servicesInMaintenance } from './maintenance.ts'

/** Schedules dispatched in one transaction. */
const BATCH = 2_000

/**
 * Dispatches due schedules (this is the scheduler): queues at most one run per service and agent, even if several slots
 * were missed. A service in maintenance gets no run. A busy service gets none either, unless its policy is
 * `enqueue_once`, or unless it is busy only with runs that have values of their own. Any number of processes may dispatch at once. Returns the number of schedules that it moved to their
 * next slot.
 */
export async function dispatchDue(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  const latenessMs: number[] = []
  const dispatched = await transactRuns(db, options, async (tx, counted) => {
    const locked = await lockDueSchedules(tx, BATCH)
    if (locked.length === 0) return 0
    const now = new Date(locked[0]?.now ?? 0)
    const agents = await placeableAgents(tx, servicesOf(locked))
    const agentsOf = (schedule: DueSchedule) => agents.get(schedule.service_id) ?? []
    // Right after an outage a live agent may look dead: services that may run on such an agent wait.
    const decided = canTrustHeartbeats(now) ? locked : locked.filter((schedule) => areAllAlive(agentsOf(schedule)))
    if (decided.length === 0) return 0
    const inMaintenance = await servicesInMaintenance(decided, now)
    const ready = decided.filter((schedule) => !inMaintenance.has(schedule.service_id))
    const busy = await findBusyServices(tx, servicesOf(ready))
    const confirming = await findConfirmingServices(tx, servicesOf(ready))

    const runs: NewRun[] = []
    const lastAgents = new Map<string, string>()
    for (const schedule of ready) {
      const cause = confirming.has(schedule.service_id) ? 'confirmation' : 'schedule'
      const busyWith = busy.get(schedule.service_id)
      if (busyWith) {
        // Runs with values of their own delay the service's runs, and never replace them.
        if (busyWith === 'apart' || schedule.queue_policy === 'enqueue_once')
          runs.push(...newRun(schedule, cause, now, [[NO_AGENT, 'waiting']]))
        continue
      }
      const { chosen, missed: dead } = placeScheduledRun(agentsOf(schedule), {
        probeMode: schedule.probe_mode,
        lastAgentId: schedule.last_agent_id,
        isConfirming: cause === 'confirmation',
      })
      const parts = [
        ...chosen.map((agent): Part => [agent, 'queued']),
        // Recorded as skipped.
        ...dead.map((agent): Part => [agent, 'done']),
      ]
      runs.push(...newRun(schedule, cause, now, parts))
      const last = chosen.at(-1)
      if (last) lastAgents.set(schedule.service_id, last.id)
    }
    await addRuns(tx, runs, now, counted)
    await updateSchedules(
      tx,
      decided.map((schedule) => ({
        ...slotAfter(schedule, now),
        last_agent_id: lastAgents.get(schedule.service_id) ?? schedule.last_agent_id,
      })),
    )
    for (const schedule of decided) latenessMs.push(now.getTime() - dueAt(schedule))
    return decided.length
  })
  observeDispatch(latenessMs)
  return dispatched
}

/** Returns when a schedule was due, in epoch milliseconds. */
function dueAt({ next_slot, offset_seconds }: DueSchedule): number {
  return Date.parse(next_slot) + offset_seconds * 1_000
}

function areAllAlive(agents: EligibleAgent[]): boolean {
  return agents.length > 0 && agents.every((agent) => agent.isAlive)
}

type Part = [agent: { id: string; slug: string }, state: NewRun['state']]

/** Returns the rows of a run: one per agent. */
function newRun(schedule: DueSchedule, cause: NewRun['cause'], now: Date, parts: Part[]): NewRun[] {
  const runId = createRunId(now)
  return parts.map(([agent, state], index) => ({
    ...(index === 0 ? { id: runId, run_id: null } : { id: uuidv7(), run_id: runId }),
    cause,
    organization_id: schedule.organization_id,
    service_id: schedule.service_id,
    agent_id: agent.id,
    agent_slug: agent.slug,
    slot: schedule.next_slot,
    state,
  }))
}

/** Inserts runs, and stores a skipped result for those that are done already. */
async function addRuns(tx: Tx, runs: NewRun[], now: Date, options: RecordOptions): Promise<void> {
  if (runs.length === 0) return
  const inserted = await insertRuns(tx, runs)
  const skipped = runs.filter((run) => run.state === 'done' && inserted.has(run.id))
  const changes = await storeRuns(
    tx,
    skipped.map((run) =>
      skippedRun(
        {
          id: run.id,
          run: { id: run.run_id ?? run.id, cause: run.cause, isApart: false },
          attempt: 0,
          organizationId: run.organization_id,
          serviceId: run.service_id,
          agentId: run.agent_id,
          agentSlug: run.agent_slug,
        },
        now,
      ),
    ),
    options,
  )
  await announce(tx, changes)
}

/** Returns the first slot after now. Missed slots get no run. */
function slotAfter({ organization_id, service_id, cron, offset_seconds, next_slot }: DueSchedule, now: Date) {
  const offsetMs = offset_seconds * 1_000
  const slot = nextSlot(cron, new Date(Math.max(Date.parse(next_slot), now.getTime() - offsetMs)))
  return { organization_id, service_id, next_slot: slot, next_run_at: new Date(slot.getTime() + offsetMs) }
}

function servicesOf(schedules: DueSchedule[]): RowKey<string>[] {
  return schedules.map((schedule) => ({ organizationId: schedule.organization_id, id: schedule.service_id }))
}
