import { and, eq, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { eligibleAgents, isConfirming, NO_AGENT, type ProbeMode, placeRequiredRun } from './placement.ts'
import { queueOrder } from './run-queue.ts'

export type RequestedService = { id: string; organizationId: string; probeMode: ProbeMode }

/**
 * Requests a run of the service, in the caller's transaction. A request is never dropped: it waits for the run in
 * flight, and several requests that wait or are queued share one run. The caller checks that the service is on and has
 * a script.
 */
export async function requestRun(tx: Queryable, service: RequestedService, now: Date): Promise<void> {
  // A deletion locks the service before its rows too: one order, so no deadlock.
  await tx.select({ id: services.id }).from(services).where(eq(services.id, service.id)).for('key share')
  // Every writer of runs locks the schedule first, so two writers cannot both find no run in flight.
  const [schedule] = await tx.select().from(schedules).where(eq(schedules.serviceId, service.id)).for('update')
  const open = await tx
    .select({ state: runs.state, cause: runs.cause })
    .from(runs)
    .where(and(eq(runs.serviceId, service.id), ne(runs.state, 'done')))

  if (open.length > 0) {
    const isRunning = open.some((run) => run.state === 'running')
    if (!isRunning && open.some((run) => run.state === 'queued' && run.cause === 'request')) return
    await addWaitingRun(tx, service, now)
    return
  }
  const [state] = await tx
    .select({ lastStatus: serviceStates.lastStatus, isAlerting: serviceStates.isAlerting })
    .from(serviceStates)
    .where(eq(serviceStates.serviceId, service.id))
  const agents = (await eligibleAgents(tx, [service.id])).get(service.id) ?? []
  const { chosen, lastAgentId } = placeRequiredRun(agents, {
    probeMode: service.probeMode,
    lastAgentId: schedule?.lastAgentId ?? null,
    isConfirming: state !== undefined && isConfirming(state),
  })
  await addQueuedRuns(tx, service, chosen, now)
  if (schedule) await tx.update(schedules).set({ lastAgentId }).where(eq(schedules.serviceId, service.id))
}

/** Inserts the service's one waiting run; a waiting run that exists becomes a requested one. */
export async function addWaitingRun(
  tx: Queryable,
  service: { id: string; organizationId: string },
  now: Date,
): Promise<void> {
  const cause = 'request' as const
  await tx
    .insert(runs)
    .values({
      id: uuidv7(),
      organizationId: service.organizationId,
      serviceId: service.id,
      agentId: NO_AGENT.id,
      slot: await requestSlot(tx, service.id, now),
      cause,
      state: 'waiting',
    })
    .onConflictDoUpdate({ target: runs.serviceId, targetWhere: sql`state = 'waiting'`, set: { cause } })
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

/** The instant of the request, moved on by a millisecond when an earlier request has the same. */
async function requestSlot(tx: Queryable, serviceId: string, now: Date): Promise<Date> {
  const [latest] = await tx
    .select({ slot: sql<Date | null>`max(${runs.slot})`.mapWith(runs.slot) })
    .from(runs)
    .where(and(eq(runs.serviceId, serviceId), eq(runs.cause, 'request')))
  return new Date(Math.max(now.getTime(), latest?.slot ? latest.slot.getTime() + 1 : 0))
}
