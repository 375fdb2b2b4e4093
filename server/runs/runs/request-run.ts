import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { and, asc, eq, ne, or, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { ApiError } from '../../errors.ts'
import { isConfirming, NO_AGENT, type ProbeMode, placeableAgents, placeRequiredRun } from '../../schedule/placement.ts'
import { createRunId } from '../../schedule/run-ids.ts'
import { meanRunMsOf, queueOrder } from '../../schedule/run-queue.ts'
import { digestRunValues, type RunValues, sealRunValues } from '../../schedule/run-values.ts'
import type { Vault } from '../../vault.ts'

export type RequestedService = { id: string; organizationId: string; probeMode: ProbeMode }

/** The parts of a request besides its service. */
export type RunDemand = {
  note?: string | null
  /** Values for this run alone. The caller has judged the script with them. */
  values?: { vault: Vault; values: RunValues } | null
}

/** The run of a request, and whether it was there already: it waits or is queued, and nothing of it has started. */
export type RequestedRun = { runId: string; joined: boolean }

/** Runs with values that may wait for one service. */
export const WAITING_RUNS_MAX = 20

/**
 * Requests a run of the service, in the caller's transaction. A request is never dropped: it waits for the run in
 * flight, and several requests that wait or are queued share one run. Requests with values share one only when values and
 * note are equal. The caller checks that the service is on and has a script.
 * @throws ApiError `run_limit_reached` when too many runs with values wait
 */
export async function requestRun(
  tx: Queryable,
  service: RequestedService,
  now: Date,
  demand: RunDemand = {},
): Promise<RequestedRun> {
  // A deletion locks the service before its rows too: one order, so no deadlock.
  await tx.select({ id: services.id }).from(services).where(matchesRow(services.id, service)).for('key share')
  // Every writer of runs locks the schedule first, so two writers cannot both find no run in flight.
  const [schedule] = await tx.select().from(schedules).where(matchesRow(schedules.serviceId, service)).for('update')
  const { values, note = null } = demand
  const digest = values ? digestRunValues(values.vault, values.values, note) : null
  const requested = await joinOrAddRun(tx, service, { now, digest, lastAgentId: schedule?.lastAgentId ?? null })
  await storeRequest(tx, service, requested, now, demand)
  return requested
}

type NewRun = { now: Date; digest: string | null; lastAgentId: string | null }

async function joinOrAddRun(tx: Queryable, service: RequestedService, run: NewRun): Promise<RequestedRun> {
  const open = await tx
    .select({ id: runs.id, state: runs.state, cause: runs.cause, digest: runs.valuesDigest, runId: runs.runId })
    .from(runs)
    .where(and(matchesRow(runs.serviceId, service), ne(runs.state, 'done')))
  const queued = open.find((row) => row.state === 'queued' && row.cause === 'request' && row.digest === run.digest)
  const queuedId = queued && (queued.runId ?? queued.id)
  if (queuedId && (await lockUnstarted(tx, service, queuedId, 'queued'))) return { runId: queuedId, joined: true }
  if (open.length === 0) return { runId: await addQueuedRun(tx, service, run), joined: false }
  if (run.digest === null) return addWaitingRun(tx, service, run.now)

  const waiting = open.filter((row) => row.state === 'waiting_with_values')
  const same = waiting.find((row) => row.digest === run.digest)
  if (same && (await lockUnstarted(tx, service, same.id, 'waiting_with_values')))
    return { runId: same.id, joined: true }
  if (waiting.length >= WAITING_RUNS_MAX) throw new ApiError('run_limit_reached', { max: WAITING_RUNS_MAX })
  const row = await waitingRow(tx, service, run.now)
  await tx.insert(runs).values({ ...row, state: 'waiting_with_values', valuesDigest: run.digest })
  return { runId: row.id, joined: false }
}

/**
 * Locks the rows of a run, and returns whether all of them are in this state. It waits for no worker and holds none up:
 * a row that a worker has taken counts as started, and a running one is not locked.
 */
async function lockUnstarted(
  tx: Queryable,
  { organizationId }: RequestedService,
  runId: string,
  state: 'queued' | 'waiting_with_values',
): Promise<boolean> {
  const ofRun = and(eq(runs.organizationId, organizationId), or(eq(runs.id, runId), eq(runs.runId, runId)))
  const locked = await tx
    .select({ id: runs.id })
    .from(runs)
    .where(and(ofRun, eq(runs.state, state)))
    .orderBy(asc(runs.id))
    .for('update', { skipLocked: true })
  return locked.length > 0 && locked.length === (await tx.$count(runs, ofRun))
}

/** Inserts the service's one waiting run without values; a waiting run that exists becomes a requested one. */
export async function addWaitingRun(
  tx: Queryable,
  service: { id: string; organizationId: string },
  now: Date,
): Promise<RequestedRun> {
  const row = await waitingRow(tx, service, now)
  const [added] = await tx
    .insert(runs)
    .values({ ...row, state: 'waiting' })
    .onConflictDoUpdate({
      target: [runs.organizationId, runs.serviceId],
      targetWhere: sql`state = 'waiting'`,
      set: { cause: row.cause },
    })
    .returning({ id: runs.id })
  const runId = added?.id ?? row.id
  return { runId, joined: runId !== row.id }
}

async function waitingRow(tx: Queryable, service: { id: string; organizationId: string }, now: Date) {
  return {
    id: createRunId(now),
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: NO_AGENT.id,
    slot: await requestSlot(tx, service, now),
    cause: 'request' as const,
  }
}

/** Queues a run of a service that has none in flight, on the agents that its probe mode chooses. Returns its id. */
async function addQueuedRun(tx: Queryable, service: RequestedService, run: NewRun): Promise<string> {
  const [state] = await tx
    .select({ lastStatus: serviceStates.lastStatus, isAlerting: serviceStates.isAlerting })
    .from(serviceStates)
    .where(matchesRow(serviceStates.serviceId, service))
  const agents = (await placeableAgents(tx, [service])).get(service.id) ?? []
  const { chosen, lastAgentId } = placeRequiredRun(agents, {
    probeMode: service.probeMode,
    lastAgentId: run.lastAgentId,
    isConfirming: state !== undefined && isConfirming(state),
  })
  const slot = await requestSlot(tx, service, run.now)
  const runId = createRunId(run.now)
  const rows = chosen.map((agent, index) => ({
    ...(index === 0 ? { id: runId } : { id: uuidv7(), runId }),
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: agent.id,
    slot,
    cause: 'request' as const,
    valuesDigest: run.digest,
    ...queueOrder(meanRunMsOf(service), 'request'),
  }))
  await tx.insert(runs).values(rows)
  // A run with values says nothing about the service, so the rotation of its agents goes on as if it had not been.
  if (run.digest === null) {
    await tx.update(schedules).set({ lastAgentId }).where(matchesRow(schedules.serviceId, service))
  }
  return runId
}

/**
 * Stores the note and values of the request. Of several requests of one run, the first stays; its note may come later.
 */
async function storeRequest(
  tx: Queryable,
  service: RequestedService,
  { runId: id, joined }: RequestedRun,
  requestedAt: Date,
  { note = null, values }: RunDemand,
): Promise<void> {
  const { organizationId } = service
  // A run that is joined has its values already.
  const sealed = values && !joined ? sealRunValues(values.vault, { id, organizationId }, values.values) : null
  await tx
    .insert(runRequests)
    .values({
      id,
      organizationId,
      serviceId: service.id,
      requestedAt,
      note,
      sealed,
    })
    .onConflictDoUpdate({
      target: [runRequests.organizationId, runRequests.id],
      set: { note: sql`coalesce(${runRequests.note}, excluded.note)` },
    })
}

/** The instant of the request, moved on by a millisecond when an earlier request has the same. */
async function requestSlot(
  tx: Queryable,
  service: Pick<RequestedService, 'id' | 'organizationId'>,
  now: Date,
): Promise<Date> {
  const [latest] = await tx
    .select({ slot: sql<Date | null>`max(${runs.slot})`.mapWith(runs.slot) })
    .from(runs)
    .where(and(matchesRow(runs.serviceId, service), eq(runs.cause, 'request')))
  return new Date(Math.max(now.getTime(), latest?.slot ? latest.slot.getTime() + 1 : 0))
}
