import { type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { log } from '#server/process/log.ts'
import { nextSlot } from '#server/schedule/cron.ts'
import { type EligibleAgent, eligibleAgents, type Placement, placeRun } from '#server/schedule/placement.ts'
import { isOpen, RecurrenceError } from '#server/schedule/recurrence.ts'
import { queueOrder } from '#server/schedule/run-queue.ts'
import { isConfirming, NO_AGENT } from '#server/schedule/run-requests.ts'
import { createSlices } from '#server/slices.ts'
import type { Liveness } from '../liveness.ts'
import { skippedRun } from '../record/finished-run.ts'
import { type RecordOptions, storeRuns } from '../record/store-runs.ts'

/** Schedules taken in one transaction. */
const BATCH = 2_000

type DueSchedule = {
  service_id: string
  organization_id: string
  cron: string
  offset_seconds: number
  next_slot: string
  last_agent_id: string | null
  probe_mode: 'consecutive' | 'simultaneous' | 'random'
  queue_policy: 'skip' | 'enqueue_once'
  service_window: string | null
  timezone: string
  now: string
}

type NewRun = {
  id: string
  organization_id: string
  service_id: string
  agent_id: string
  agent_slug: string
  slot: string
  state: 'queued' | 'waiting' | 'done'
}

/**
 * Dispatches what is due: at most one run per service, however many of its times were missed. Any number of processes
 * may do it at once; a schedule is in the hands of one of them. Answers how many schedules it moved on.
 */
export function dispatchDue(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  return db.transaction(async (tx) => {
    const taken = await lockDueSchedules(tx)
    if (taken.length === 0) return 0
    const now = new Date(taken[0]?.now ?? 0)
    const agents = await eligibleAgents(
      tx,
      taken.map((one) => ({ id: one.service_id, organizationId: one.organization_id })),
    )
    // Right after an outage an agent may only seem dead: services wait that have one like that, and the others need not.
    const due = canTrustHeartbeats(now) ? taken : taken.filter((one) => areAllLive(agents.get(one.service_id) ?? []))
    if (due.length === 0) return 0
    const closed = await servicesInMaintenance(due, now)
    const ready = due.filter((one) => !closed.has(one.service_id))
    const open = await servicesWithOpenRuns(tx, ready)
    const confirming = await confirmingServices(tx, ready)

    const added: NewRun[] = []
    const lastAgent = new Map<string, string>()
    for (const one of ready) {
      if (open.has(one.service_id)) {
        if (one.queue_policy === 'enqueue_once') added.push(newRun(one, NO_AGENT, 'waiting'))
        continue
      }
      const placed = placeLive(agents.get(one.service_id) ?? [], {
        probeMode: one.probe_mode,
        lastAgentId: one.last_agent_id,
        isConfirming: confirming.has(one.service_id),
      })
      for (const agent of placed.chosen) added.push(newRun(one, agent, 'queued'))
      for (const agent of placed.missed) added.push(newRun(one, agent, 'done'))
      const last = placed.chosen.at(-1)
      if (last) lastAgent.set(one.service_id, last.id)
    }
    await insertRuns(tx, added, now, options)
    await advanceSchedules(tx, due, now, lastAgent)
    return due.length
  })
}

function areAllLive(agents: EligibleAgent[]): boolean {
  return agents.length > 0 && agents.every((agent) => agent.isLive)
}

/** Locks schedules that nobody else has in hand; the service as well, so that no deletion gets in between. */
function lockDueSchedules(tx: Tx): Promise<DueSchedule[]> {
  return tx.execute<DueSchedule>(sql`
    select s.service_id, s.organization_id, s.cron, s.offset_seconds, s.next_slot, s.last_agent_id, v.probe_mode,
      v.queue_policy, v.service_window, o.timezone, now() as now
    from schedules s join services v on v.id = s.service_id join organizations o on o.id = s.organization_id
    where s.next_run_at <= now() order by s.next_run_at limit ${BATCH}
    for update of s skip locked for key share of v skip locked`)
}

type WithWindow = { service_id: string; service_window: string | null; timezone: string }

/** The services that are under maintenance, by id. A window that cannot be read keeps nothing from being probed. */
export async function servicesInMaintenance(services: WithWindow[], now: Date): Promise<Set<string>> {
  const found = new Set<string>()
  // A window takes milliseconds to work out when it is new or its next time has come.
  const slice = createSlices()
  for (const { service_id, service_window, timezone } of services) {
    if (service_window === null) continue
    await slice()
    try {
      if (isOpen(service_window, 'serviceWindow', now, timezone)) found.add(service_id)
    } catch (error) {
      if (!(error instanceof RecurrenceError)) throw error
      log.warn({ serviceId: service_id, reason: error.message }, 'a maintenance window cannot be read')
    }
  }
  return found
}

async function servicesWithOpenRuns(tx: Tx, due: DueSchedule[]): Promise<Set<string>> {
  const rows = await tx.execute<{ service_id: string }>(sql`
    select distinct service_id from runs where service_id = ${anyOf(due)} and state <> 'done'`)
  return new Set(rows.map((row) => row.service_id))
}

async function confirmingServices(tx: Tx, due: DueSchedule[]): Promise<Set<string>> {
  const rows = await tx.execute<{ service_id: string; last_status: string; is_alerting: boolean }>(sql`
    select service_id, last_status, is_alerting from service_states
    where service_id = ${anyOf(due)} and last_status <> 'success' and not is_alerting`)
  const confirming = rows.filter((row) => isConfirming({ lastStatus: row.last_status, isAlerting: row.is_alerting }))
  return new Set(confirming.map((row) => row.service_id))
}

/**
 * The living agents the run goes to, and those it should have gone to and could not: with `simultaneous` each agent that
 * the service names and that is dead, in the other modes one when all are.
 */
export function placeLive(
  agents: EligibleAgent[],
  placing: Placement,
): { chosen: EligibleAgent[]; missed: { id: string; slug: string }[] } {
  const live = agents.filter((agent) => agent.isLive)
  const dead = agents.filter((agent) => !agent.isLive)
  if (placing.probeMode === 'simultaneous' && agents[0]?.isNamed) return { chosen: live, missed: dead }
  if (live.length > 0) return { chosen: placeRun(live, placing), missed: [] }
  return { chosen: [], missed: [placeRun(agents, { ...placing, probeMode: 'consecutive' })[0] ?? NO_AGENT] }
}

function newRun(one: DueSchedule, agent: { id: string; slug: string }, state: NewRun['state']): NewRun {
  return {
    id: uuidv7(),
    organization_id: one.organization_id,
    service_id: one.service_id,
    agent_id: agent.id,
    agent_slug: agent.slug,
    slot: one.next_slot,
    state,
  }
}

/** Enters runs into the ledger; a run that stands there already is not made a second time. */
async function insertRuns(tx: Tx, added: NewRun[], now: Date, options: RecordOptions): Promise<void> {
  if (added.length === 0) return
  const { rankAt, isSlow } = queueOrder(sql`i.service_id`, 'schedule')
  const entered = await tx.execute<{ id: string }>(sql`
    insert into runs (id, organization_id, service_id, agent_id, slot, cause, state, finished_at, rank_at, is_slow)
    select i.id, i.organization_id, i.service_id, i.agent_id, i.slot, 'schedule', i.state,
      case when i.state = 'done' then now() end, ${rankAt}, ${isSlow}
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as i(id uuid, organization_id uuid, service_id uuid, agent_id uuid, slot timestamptz, state text)
    on conflict do nothing returning id`)
  const ids = new Set(entered.map((row) => row.id))
  const skipped = added
    .filter((run) => run.state === 'done' && ids.has(run.id))
    .map((run) => {
      const {
        id,
        organization_id: organizationId,
        service_id: serviceId,
        agent_id: agentId,
        agent_slug: agentSlug,
      } = run
      return skippedRun({ id, attempt: 0, organizationId, serviceId, agentId, agentSlug }, now)
    })
  await storeRuns(tx, skipped, options)
}

/** Missed times are passed over: the next one is after now. */
async function advanceSchedules(tx: Tx, due: DueSchedule[], now: Date, lastAgent: Map<string, string>): Promise<void> {
  const rows = due.map((one) => {
    const offsetMs = one.offset_seconds * 1_000
    const from = Math.max(Date.parse(one.next_slot), now.getTime() - offsetMs)
    const slot = nextSlot(one.cron, new Date(from))
    return {
      service_id: one.service_id,
      next_slot: slot,
      next_run_at: new Date(slot.getTime() + offsetMs),
      last_agent_id: lastAgent.get(one.service_id) ?? one.last_agent_id,
    }
  })
  await tx.execute(sql`
    update schedules s set next_slot = i.next_slot, next_run_at = i.next_run_at, last_agent_id = i.last_agent_id
    from jsonb_populate_recordset(null::schedules, ${JSON.stringify(rows)}::jsonb) i
    where s.service_id = i.service_id`)
}

function anyOf(rows: { service_id: string }[]): SQL {
  return sql`any(${uuids(rows.map((row) => row.service_id))})`
}
