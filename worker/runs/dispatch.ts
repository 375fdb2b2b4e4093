import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { announce } from '#server/live/announce.ts'
import { observeDispatch, observeRuns } from '#server/metrics/runs.ts'
import { skippedRun } from '#server/record/finished-run.ts'
import { type RecordOptions, type StoredRuns, storeRuns } from '#server/record/store-runs.ts'
import { absenceText } from '#server/runs/skip-reasons.ts'
import { nextSlot } from '#server/schedule/cron.ts'
import {
  isConfirming,
  NO_AGENT,
  type PlaceableAgent,
  placeableAgents,
  placeScheduledRun,
} from '#server/schedule/placement.ts'
import { createRunId } from '#server/schedule/run-ids.ts'
import { scheduledOrder } from '#server/schedule/run-queue.ts'
import type { Liveness } from '../liveness.ts'
import {
  type BusyService,
  type DueSchedule,
  expectLater,
  findBusyServices,
  insertRuns,
  type LastAgent,
  moveBack,
  moveDueSchedules,
  type NewRun,
  updateLastAgents,
} from './dispatch-statements.ts'
import { servicesInMaintenance } from './maintenance.ts'
import {
  FIRST_SERVICE,
  findDueGroups,
  findDueTimes,
  groupSchedules,
  moveGroups,
  type ScheduleGroup,
} from './schedule-groups.ts'

/** Schedules dispatched in one transaction. */
const BATCH = 2_000
/** Groups walked together: their next slots are computed in one turn. */
const GROUPS = 100

/**
 * Dispatches all due schedules (this is the scheduler): queues at most one run per service and agent, even if several slots
 * were missed. A service in maintenance gets no run. A busy service gets none either, unless its policy is
 * `enqueue_once`, or unless all its open runs have values. Any number of processes may dispatch
 * at once, also the schedules of one group. Returns the number of schedules that it moved to their next slot.
 */
export async function dispatchDue(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  while ((await groupSchedules(db)) > 0);
  const { groups, now } = await findDueGroups(db)
  let dispatched = 0
  for (let first = 0; first < groups.length; first += GROUPS) {
    const some = groups.slice(first, first + GROUPS)
    const dueAt = new Map<ScheduleGroup, number>()
    let batch: Batch | null = { groups: some, after: FIRST_SERVICE, now }
    while (batch) {
      const { moved, dueTimes, rest }: Dispatched = await dispatchBatch(db, batch, options, canTrustHeartbeats)
      dispatched += moved
      for (const [group, ms] of dueTimes) dueAt.set(group, Math.min(dueAt.get(group) ?? ms, ms))
      batch = rest
    }
    await moveGroups(db, some, dueAt)
  }
  return dispatched
}

/** Where a dispatcher is in due groups: in the first one behind the service `after`. `now` is the database's clock. */
type Batch = { groups: readonly ScheduleGroup[]; after: string; now: Date }

/** How many schedules a transaction moved, when those that it passed are due now, and what is left; null for nothing. */
type Dispatched = { moved: number; dueTimes: ReadonlyMap<ScheduleGroup, number>; rest: Batch | null }

/** Dispatches due schedules in one transaction. */
async function dispatchBatch(
  db: Db,
  { groups, after, now: before }: Batch,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<Dispatched> {
  const moving = groups.map((group) => ({ ...group, toSlot: slotAfter(group, before) }))
  const latenessMs: number[] = []
  const { skipped, ...dispatched } = await db.transaction(async (tx) => {
    const { due, now } = await moveDueSchedules(tx, moving, after, BATCH)
    const last = due.length < BATCH ? null : (due.at(-1) ?? null)
    const rest = last && { groups: groups.slice(last.n), after: last.service_id, now }
    if (due.length === 0) return { moved: 0, dueTimes: await findDueTimes(tx, groups, after, last), rest, skipped: [] }
    const named = new Map(
      due.flatMap(({ service_id, agent_ids }) => (agent_ids ? [[service_id, new Set(agent_ids)]] : [])),
    )
    const [agents, busy] = await Promise.all([
      placeableAgents(tx, servicesOf(due), named),
      findBusyServices(tx, servicesOf(due)),
    ])
    const agentsOf = (schedule: DueSchedule) => agents.get(schedule.service_id) ?? []
    // Right after an outage a live agent may look dead: services that may run on such an agent wait.
    const decided = canTrustHeartbeats(now) ? due : due.filter((schedule) => areAllAlive(agentsOf(schedule)))
    if (decided.length < due.length) {
      const isDecided = new Set(decided)
      await moveBack(
        tx,
        due.filter((schedule) => !isDecided.has(schedule)),
      )
    }
    const inMaintenance = await servicesInMaintenance(decided, now)
    if (inMaintenance.size > 0) {
      await expectLater(
        tx,
        decided.filter(({ service_id }) => inMaintenance.has(service_id)),
      )
    }
    const runs: NewPart[] = []
    const lastAgents: LastAgent[] = []
    for (const schedule of decided) {
      const { organization_id, service_id, last_agent_id } = schedule
      if (inMaintenance.has(service_id)) continue
      const added = runsOf(schedule, agentsOf(schedule), busy.get(service_id) ?? null, now)
      runs.push(...added)
      const lastAgent = added.findLast(({ state }) => state === 'queued')?.agentId ?? last_agent_id
      if (lastAgent && lastAgent !== last_agent_id)
        lastAgents.push({ organizationId: organization_id, serviceId: service_id, lastAgentId: lastAgent })
    }
    const skipped = await addRuns(tx, runs, now, options)
    if (lastAgents.length > 0) await updateLastAgents(tx, lastAgents)
    for (const { n, next_slot } of decided) {
      const offsetMs = (groups[n]?.offset_seconds ?? 0) * 1_000
      latenessMs.push(now.getTime() - Date.parse(next_slot) - offsetMs)
    }
    return { moved: decided.length, dueTimes: await findDueTimes(tx, groups, after, last), rest, skipped }
  })
  observeRuns(skipped, options.metricsPerService)
  observeDispatch(latenessMs)
  return dispatched
}

function areAllAlive(agents: PlaceableAgent[]): boolean {
  return agents.length > 0 && agents.every((agent) => agent.isAlive || agent.isSwitchedOff)
}

/** Returns the runs of a due service: none, one that waits, or one per agent. */
function runsOf(schedule: DueSchedule, agents: PlaceableAgent[], busy: BusyService | null, now: Date): NewPart[] {
  const confirms = isConfirming({ lastStatus: schedule.last_status, isAlerting: schedule.is_alerting ?? false })
  const cause = confirms ? 'confirmation' : 'schedule'
  if (busy) {
    // Runs with values delay the service's runs, and never replace them.
    const waits = (busy.all_have_values || schedule.queue_policy === 'enqueue_once') && !busy.has_waiting
    return waits ? newRun(schedule, cause, now, [[NO_AGENT, 'waiting']]) : []
  }
  const { chosen, missed } = placeScheduledRun(agents, {
    probeMode: schedule.probe_mode,
    lastAgentId: schedule.last_agent_id,
    isConfirming: confirms,
  })
  return newRun(schedule, cause, now, [
    ...chosen.map((agent): Part => [agent, 'queued']),
    // Recorded as skipped.
    ...missed.map((agent): Part => [agent, 'done', absenceText(agent)]),
  ])
}

type Part = [agent: { id: string; slug: string; isShared: boolean }, state: NewRun['state'], skipReason?: string]

/** The row of an agent's part; with the reason if it is skipped. */
type NewPart = NewRun & { agentSlug: string; isOwnAgent: boolean; skipReason: string }

/** Returns the rows of a run: one per agent. */
function newRun(schedule: DueSchedule, cause: NewRun['cause'], now: Date, parts: Part[]): NewPart[] {
  const runId = createRunId(now)
  return parts.map(([agent, state, skipReason = ''], index) => ({
    ...(index === 0 ? { id: runId, runId: null } : { id: uuidv7(), runId }),
    cause,
    organizationId: schedule.organization_id,
    serviceId: schedule.service_id,
    agentId: agent.id,
    agentSlug: agent.slug,
    isOwnAgent: !agent.isShared,
    slot: new Date(schedule.next_slot),
    state,
    ...scheduledOrder(schedule.mean_run_ms, now),
    finishedAt: state === 'done' ? now : null,
    skipReason,
  }))
}

/** Inserts runs, and stores a skipped result for those that are done already. Returns the skipped ones. */
async function addRuns(tx: Tx, runs: NewPart[], now: Date, options: RecordOptions): Promise<StoredRuns['runs']> {
  if (runs.length === 0) return []
  const inserted = await insertRuns(tx, runs)
  const skipped = runs.filter((run) => run.state === 'done' && inserted.has(run.id))
  const stored = await storeRuns(
    tx,
    skipped.map((run) =>
      skippedRun(
        {
          id: run.id,
          run: { id: run.runId ?? run.id, cause: run.cause, hasValues: false },
          attempt: 0,
          organizationId: run.organizationId,
          serviceId: run.serviceId,
          agentId: run.agentId,
          agentSlug: run.agentSlug,
          isOwnAgent: run.isOwnAgent,
        },
        now,
        run.skipReason,
      ),
    ),
    options,
  )
  await announce(tx, stored.changes)
  return stored.runs
}

/** Returns the first slot after now of the schedules of a group that are due. Missed slots get no run. */
function slotAfter({ cron, offset_seconds }: ScheduleGroup, now: Date): Date {
  return nextSlot(cron, new Date(now.getTime() - offset_seconds * 1_000))
}

function servicesOf(schedules: DueSchedule[]): RowKey<string>[] {
  return schedules.map((schedule) => ({ organizationId: schedule.organization_id, id: schedule.service_id }))
}
