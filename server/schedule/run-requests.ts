import { and, eq, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { eligibleAgents, placeRun } from './placement.ts'
import { queueOrder } from './run-queue.ts'

/** Stands for an agent where a run has none: it waits until one comes, or is recorded as skipped. */
export const NO_AGENT = { id: '00000000-0000-0000-0000-000000000000', slug: 'none' } as const

export type RequestedService = {
  id: string
  organizationId: string
  probeMode: 'consecutive' | 'simultaneous' | 'random'
}

/**
 * Requests a run of the service, in the caller's transaction. A request is never dropped: it waits for the run in
 * flight, and several that wait, or have not begun, are one run. Whether the service is on and has a script is the
 * caller's to check.
 */
export async function requestRun(tx: Queryable, service: RequestedService, now: Date): Promise<void> {
  // In the order of a deletion, which takes the service before what hangs on it.
  await tx.select({ id: services.id }).from(services).where(eq(services.id, service.id)).for('key share')
  // Whoever adds a run of a service holds its schedule's row, so two cannot both find nothing in flight.
  const [schedule] = await tx.select().from(schedules).where(eq(schedules.serviceId, service.id)).for('update')
  const open = await tx
    .select({ state: runs.state, cause: runs.cause })
    .from(runs)
    .where(and(eq(runs.serviceId, service.id), ne(runs.state, 'done')))

  if (open.length > 0) {
    const isRunning = open.some((run) => run.state === 'running')
    if (!isRunning && open.some((run) => run.state === 'queued' && run.cause === 'request')) return
    await addWaitingRun(tx, service, 'request', now)
    return
  }
  const [state] = await tx
    .select({ lastStatus: serviceStates.lastStatus, isAlerting: serviceStates.isAlerting })
    .from(serviceStates)
    .where(eq(serviceStates.serviceId, service.id))
  const agents = (await eligibleAgents(tx, [service])).get(service.id) ?? []
  const live = agents.filter((agent) => agent.isLive)
  const chosen = placeRun(live.length > 0 ? live : agents, {
    probeMode: service.probeMode,
    lastAgentId: schedule?.lastAgentId ?? null,
    isConfirming: state !== undefined && isConfirming(state),
  })
  await addQueuedRuns(tx, service, chosen.length > 0 ? chosen : [NO_AGENT], now)
  const last = chosen.at(-1)
  if (last) await tx.update(schedules).set({ lastAgentId: last.id }).where(eq(schedules.serviceId, service.id))
}

/** Whether a failure has been seen and not been announced. */
export function isConfirming(state: { lastStatus: string | null; isAlerting: boolean }): boolean {
  return (state.lastStatus === 'failure' || state.lastStatus === 'timeout') && !state.isAlerting
}

/** Leaves the service one waiting run; a request that finds one there makes it its own. */
export async function addWaitingRun(
  tx: Queryable,
  service: { id: string; organizationId: string },
  cause: 'schedule' | 'request',
  now: Date,
): Promise<void> {
  const insert = tx.insert(runs).values({
    id: uuidv7(),
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: NO_AGENT.id,
    slot: cause === 'request' ? await requestSlot(tx, service.id, now) : now,
    cause,
    state: 'waiting',
  })
  const where = sql`state = 'waiting'`
  if (cause === 'schedule') await insert.onConflictDoNothing({ target: runs.serviceId, where })
  else await insert.onConflictDoUpdate({ target: runs.serviceId, targetWhere: where, set: { cause } })
}

async function addQueuedRuns(
  tx: Queryable,
  service: RequestedService,
  agents: readonly { id: string }[],
  now: Date,
): Promise<void> {
  const slot = await requestSlot(tx, service.id, now)
  const rows = agents.map((agent) => ({
    id: uuidv7(),
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: agent.id,
    slot,
    cause: 'request' as const,
    ...queueOrder(service.id, 'request'),
  }))
  await tx.insert(runs).values(rows)
}

/** The moment of the request; two within one millisecond have two slots. */
async function requestSlot(tx: Queryable, serviceId: string, now: Date): Promise<Date> {
  const [latest] = await tx
    .select({ slot: sql<Date | null>`max(${runs.slot})`.mapWith(runs.slot) })
    .from(runs)
    .where(and(eq(runs.serviceId, serviceId), eq(runs.cause, 'request')))
  return new Date(Math.max(now.getTime(), latest?.slot ? latest.slot.getTime() + 1 : 0))
}
