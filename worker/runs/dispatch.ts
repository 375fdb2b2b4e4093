import { v7 as uuidv7 } from 'uuid'
import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import { insertRows, rowsOf } from '#db/rows.ts'
import { services } from '#db/schema/resources.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { shouldYield, yieldToEventLoop } from '#server/language/lace/event-loop.ts'
import { announce } from '#server/live/announce.ts'
import { observeDispatch, observeRuns } from '#server/observe/metrics/runs.ts'
import { log } from '#server/process/log.ts'
import { skippedRun } from '#server/runs/record/finished-run.ts'
import { type RecordOptions, type StoredRuns, storeRuns } from '#server/runs/record/store-runs.ts'
import { absenceText } from '#server/runs/runs/skip-reasons.ts'
import { nextSlot } from '#server/schedule/cron-slots.ts'
import { readMaintained } from '#server/schedule/maintenance/holding.ts'
import {
  isConfirming,
  NO_AGENT,
  type PlaceableAgent,
  type ProbeMode,
  placeableAgents,
  placeScheduledRun,
} from '#server/schedule/placement.ts'
import { isOpen, RecurrenceError } from '#server/schedule/recurrence.ts'
import { createRunId } from '#server/schedule/run-ids.ts'
import { scheduledOrder } from '#server/schedule/run-queue.ts'
import { zoneOrUtc } from '#server/schedule/time-zones.ts'
import type { Liveness } from '../liveness.ts'

/** Schedules dispatched in one transaction. */
const BATCH = 1_000
/** A timer may fire this early by the database's clock. */
const EARLY_MS = 1

/**
 * Dispatches all due schedules, the oldest first (this is the scheduler): queues at most one run per service and agent,
 * even if several slots were missed. Any number of processes may dispatch at once: each schedule is locked by one of
 * them. Returns the number of schedules that it moved to their next slot.
 */
export async function dispatchDue(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  /** The services whose schedules stay due. */
  const left: string[] = []
  for (let moved = 0; ; ) {
    const batch = await dispatchBatch(db, left, options, canTrustHeartbeats)
    moved += batch.moved
    left.push(...batch.left)
    if (batch.moved + batch.left.length < BATCH) return moved
  }
}

/** Returns in how many milliseconds the next service or recheck gets due; null for none. */
export async function nextDueInMs(db: Db): Promise<number | null> {
  const [row] = await db.execute<{ ms: number | null }>(sql`
    select (extract(epoch from least(
      (select min(next_run_at) from schedules where next_run_at > now()),
      (select min(rank_at) from runs where state = 'waiting_recheck' and rank_at > now())) - now()) * 1000)::float8 as ms`)
  return row && row.ms !== null ? Math.ceil(row.ms) + EARLY_MS : null
}

/** Dispatches due schedules in one transaction. Returns how many it moved, and the services whose schedules it left due. */
async function dispatchBatch(
  db: Db,
  leftBefore: readonly string[],
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<{ moved: number; left: string[] }> {
  const latenessMs: number[] = []
  const { skipped, ...batch } = await db.transaction(async (tx) => {
    const due = await readServices(tx, await lockDueSchedules(tx, leftBefore))
    if (due.length === 0) return { moved: 0, left: [], skipped: [] }
    const now = new Date(due[0]?.now ?? 0)
    const agentsOf = await placeableAgents(tx, keysOf(due))
    const busyServices = await findBusyServices(tx, keysOf(due))
    const maintained = await readMaintained(tx, keysOf(due))
    const isTrusted = canTrustHeartbeats(now)
    const left: string[] = []
    const moved: MovedSchedule[] = []
    const added: NewRun[] = []
    const hurried: RowKey<string>[] = []
    for (const service of due) {
      const agents = agentsOf.get(service.service_id) ?? []
      // Right after an outage a live agent may look dead: services that may run on such an agent wait.
      if (!isTrusted && !areAllAlive(agents)) {
        left.push(service.service_id)
        continue
      }
      const held = maintained.get(service.service_id) ?? []
      const isPaused = held.some(({ mode }) => mode === 'skip') || (await isInWindow(service, now))
      const busy = busyServices.get(service.service_id)
      const newRuns = isPaused ? [] : runsOf(service, agents, busy, now)
      added.push(...newRuns)
      if (busy?.has_recheck && !isPaused)
        hurried.push({ organizationId: service.organization_id, id: service.service_id })
      moved.push({
        ...scheduleAfter(service, now),
        lastAgentId: newRuns.findLast(({ state }) => state === 'queued')?.agentId ?? service.last_agent_id,
        // This slot passes without a run that counts, and that is as it should be.
        expectedFrom: isPaused || held.length > 0 ? now : new Date(service.expected_from),
      })
      latenessMs.push(now.getTime() - Date.parse(service.next_run_at))
    }
    await moveSchedules(tx, moved)
    await hurryRechecks(tx, hurried)
    const skipped = await addRuns(tx, added, now, options)
    return { moved: moved.length, left, skipped }
  })
  observeRuns(skipped, options.metricsPerService)
  observeDispatch(latenessMs)
  return batch
}

type DueSchedule = {
  service_id: string
  organization_id: string
  cron: string
  cron_timezone: string
  offset_seconds: number
  next_slot: string
  next_run_at: string
  last_agent_id: string | null
  expected_from: string
  now: string
}

type DueService = DueSchedule & {
  probe_mode: ProbeMode
  queue_policy: 'skip' | 'enqueue_once'
  service_window: string | null
  timezone: string
  last_status: string | null
  is_alerting: boolean | null
  mean_run_ms: number
}

/**
 * Locks due schedules, the oldest first. Skips those that another transaction holds, and those of the services that were
 * left. The deletion of a service waits for the lock of its schedule.
 */
function lockDueSchedules(tx: Tx, left: readonly string[]): Promise<DueSchedule[]> {
  return tx.execute<DueSchedule>(sql`
    select *, now() as now from schedules where next_run_at <= now() and service_id <> all(${uuids(left)})
    order by next_run_at limit ${BATCH}::int for update skip locked`)
}

/** Adds to schedules what their services are set to, and the state of these. */
async function readServices(tx: Tx, due: DueSchedule[]): Promise<DueService[]> {
  const rows = await tx.execute<Omit<DueService, keyof DueSchedule> & { id: string }>(sql`
    select v.id, v.probe_mode, v.queue_policy, v.service_window, o.timezone, t.last_status, t.is_alerting,
      coalesce(t.mean_run_ms, 0) as mean_run_ms
    from ${rowsOf(services, keysOf(due))} join services v on (v.organization_id, v.id) = (i.organization_id, i.id)
      join organizations o on o.id = i.organization_id
      left join service_states t on (t.organization_id, t.service_id) = (i.organization_id, i.id)`)
  const found = new Map(rows.map(({ id, ...row }) => [id, row]))
  return due.flatMap((schedule) => {
    const row = found.get(schedule.service_id)
    return row ? [{ ...schedule, ...row }] : []
  })
}

function keysOf(due: DueSchedule[]): RowKey<string>[] {
  return due.map(({ organization_id, service_id }) => ({ organizationId: organization_id, id: service_id }))
}

type BusyService = {
  service_id: string
  /** Each of its open runs was requested with values. */
  all_have_values: boolean
  /** A run without values waits for the one in flight. */
  has_waiting: boolean
  /** A recheck waits for its time. */
  has_recheck: boolean
}

/** Returns which of the services have a run that waits, is queued or is running. */
async function findBusyServices(tx: Tx, services: readonly RowKey<string>[]): Promise<Map<string, BusyService>> {
  const rows = await tx.execute<BusyService>(sql`
    select service_id, bool_and(values_digest is not null) as all_have_values, bool_or(state = 'waiting') as has_waiting,
      bool_or(state = 'waiting_recheck') as has_recheck
    from runs where state <> 'done' and (organization_id, service_id) in (select * from ${rowKeys(services)})
    group by service_id`)
  return new Map(rows.map((row) => [row.service_id, row]))
}

function areAllAlive(agents: PlaceableAgent[]): boolean {
  return agents.length > 0 && agents.every((agent) => agent.isAlive || agent.isSwitchedOff)
}

/** Whether the service's own maintenance window is open at `now`. An unreadable window does not block probing. */
export async function isInWindow(
  service: Pick<DueService, 'service_id' | 'service_window' | 'timezone'>,
  now: Date,
): Promise<boolean> {
  if (service.service_window === null) return false
  // A window that is not cached takes milliseconds to compute.
  if (shouldYield()) await yieldToEventLoop()
  try {
    return isOpen(service.service_window, 'serviceWindow', now, zoneOrUtc(service.timezone))
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error
    log.warn({ serviceId: service.service_id, reason: error.message }, 'a maintenance window cannot be read')
    return false
  }
}

/** Returns the runs of a due service: none, one that waits, or one per agent. */
function runsOf(service: DueService, agents: PlaceableAgent[], busy: BusyService | undefined, now: Date): NewRun[] {
  if (busy) {
    // The recheck runs now, in place of this slot.
    if (busy.has_recheck) return []
    // Runs with values delay the service's runs, and never replace them.
    const waits = (busy.all_have_values || service.queue_policy === 'enqueue_once') && !busy.has_waiting
    return waits ? newRun(service, now, [[NO_AGENT, 'waiting']]) : []
  }
  const { chosen, missed } = placeScheduledRun(agents, {
    probeMode: service.probe_mode,
    lastAgentId: service.last_agent_id,
    isConfirming: isConfirming({ lastStatus: service.last_status, isAlerting: service.is_alerting ?? false }),
  })
  return newRun(service, now, [
    ...chosen.map((agent): Part => [agent, 'queued']),
    // Recorded as skipped.
    ...missed.map((agent): Part => [agent, 'done', absenceText(agent)]),
  ])
}

type Part = [agent: { id: string; slug: string; isShared: boolean }, state: NewRun['state'], skipReason?: string]

/** The row of an agent's part; with the reason if it is skipped. */
type NewRun = {
  id: string
  /** Null for the first row of a run. */
  runId: string | null
  cause: 'schedule'
  organizationId: string
  serviceId: string
  agentId: string
  agentSlug: string
  isOwnAgent: boolean
  slot: Date
  state: 'queued' | 'waiting' | 'done'
  rankAt: Date
  isSlow: boolean
  /** Null unless it is done. */
  finishedAt: Date | null
  skipReason: string
}

/** Returns the rows of a run: one per agent. */
function newRun(service: DueService, now: Date, parts: Part[]): NewRun[] {
  const runId = createRunId(now)
  return parts.map(([agent, state, skipReason = ''], index) => ({
    ...(index === 0 ? { id: runId, runId: null } : { id: uuidv7(), runId }),
    cause: 'schedule',
    organizationId: service.organization_id,
    serviceId: service.service_id,
    agentId: agent.id,
    agentSlug: agent.slug,
    isOwnAgent: !agent.isShared,
    slot: new Date(service.next_slot),
    state,
    ...scheduledOrder(service.mean_run_ms, now),
    finishedAt: state === 'done' ? now : null,
    skipReason,
  }))
}

/** Inserts runs, and stores a skipped result for those that are done already. Returns the skipped ones. */
async function addRuns(tx: Tx, added: NewRun[], now: Date, options: RecordOptions): Promise<StoredRuns['runs']> {
  // A slot has runs already if a clock went back.
  const inserted = await insertRows(tx, runs, added, sql`on conflict do nothing returning id`)
  const ids = new Set(inserted.map(({ id }) => id))
  const skipped = added.filter((run) => run.state === 'done' && ids.has(run.id))
  if (skipped.length === 0) return []
  const finished = skipped.map((run) => {
    const { id, organizationId, serviceId, agentId, agentSlug, isOwnAgent, skipReason } = run
    const ofRun = { id: run.runId ?? id, cause: run.cause, hasValues: false }
    const part = { id, run: ofRun, attempt: 0, organizationId, serviceId, agentId, agentSlug, isOwnAgent }
    return skippedRun(part, now, skipReason)
  })
  const stored = await storeRuns(tx, finished, options)
  await announce(tx, stored.changes)
  return stored.runs
}

type MovedSchedule = Omit<typeof schedules.$inferSelect, 'cron' | 'cronTimezone' | 'offsetSeconds'>

/** Returns when a service is due after `now`. Missed slots get no run. */
function scheduleAfter(service: DueService, now: Date) {
  const offsetMs = service.offset_seconds * 1_000
  const { cron_timezone: timezone, service_id: serviceId } = service
  const zone = zoneOrUtc(timezone)
  if (zone !== timezone) log.warn({ serviceId, timezone }, 'a time zone is unknown here: the schedule is read in UTC')
  const slot = nextSlot(service.cron, new Date(now.getTime() - offsetMs), zone)
  return {
    organizationId: service.organization_id,
    serviceId: service.service_id,
    nextSlot: slot,
    nextRunAt: new Date(slot.getTime() + offsetMs),
  }
}

async function moveSchedules(tx: Tx, moved: MovedSchedule[]): Promise<void> {
  await tx.execute(sql`
    update schedules s set next_slot = i.next_slot, next_run_at = i.next_run_at, last_agent_id = i.last_agent_id,
      expected_from = i.expected_from
    from ${rowsOf(schedules, moved)}
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}

/** Makes waiting rechecks due: a slot of their service is, which they take the place of. */
async function hurryRechecks(tx: Tx, services: readonly RowKey<string>[]): Promise<void> {
  if (services.length === 0) return
  // The column rounds to milliseconds: rounded up, it would not be due yet.
  await tx.execute(sql`
    update runs set rank_at = date_trunc('milliseconds', now())
    where (organization_id, service_id) in (select * from ${rowKeys(services)}) and state = 'waiting_recheck'`)
}
