import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { type AgentObservation, incidents } from '#db/schema/alerts.ts'
import { failureOf, type RunFailure } from '#server/results/failure.ts'
import { runErrorOf } from '#server/results/run-error.ts'
import { readServiceNames, type ServiceNames, storeEvents } from './events.ts'
import type { FinishedRun } from './finished-run.ts'
import type { AgentState, AlertSettings, ServiceState, StateChange } from './service-state.ts'

// What follows from a change of a service's state, in the transaction that stores the run: an incident opens or closes,
// an event is stored, and a job notifies its recipients.

/** A run that changed the state of its service, or the status of its agent while the service is failed. */
export type JudgedRun = {
  run: FinishedRun
  change: StateChange | null
  before: ServiceState
  state: ServiceState
  settings: AlertSettings
  /** What each agent of the service saw last, this run included. */
  agents: AgentState[]
}

type Incident = Pick<typeof incidents.$inferSelect, 'id' | 'openedAt' | 'failingSince' | 'summary'>

export async function storeStateChanges(tx: Tx, judged: JudgedRun[]): Promise<void> {
  if (judged.length === 0) return
  const ids = judged.map(({ run }) => run.serviceId)
  const names = await readServiceNames(tx, ids)
  for (const one of judged) {
    const named = names.find(({ service }) => service.id === one.run.serviceId)
    if (!named) continue
    const agents = one.agents.flatMap(observationOf)
    if (one.change === 'service.failed') {
      const failure = failureBehind(one)
      await storeEvent(tx, one, named, agents, await openIncident(tx, one, failure, agents), failure)
    } else if (one.change === 'service.recovered') {
      await storeEvent(tx, one, named, agents, await closeIncident(tx, one, agents), null)
    } else {
      await tx.update(incidents).set({ agents }).where(openIncidentOf(one.run.serviceId))
    }
  }
}

/** Selects the open incident of a service; there is at most one. */
export function openIncidentOf(serviceId: string) {
  return and(eq(incidents.serviceId, serviceId), isNull(incidents.closedAt))
}

async function openIncident(
  tx: Tx,
  { run, state, before, agents: states }: JudgedRun,
  failure: RunFailure,
  agents: AgentObservation[],
): Promise<Incident> {
  const failing = states.filter(({ failingRuns, statusSince }) => failingRuns > 0 && statusSince !== null)
  const seen = failing.map(({ statusSince }) => (statusSince as Date).getTime())
  const failingSince = state.failingSince ?? new Date(Math.min(run.result.startedAt.getTime(), ...seen))
  const incident = {
    id: uuidv7(),
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    openedAt: run.result.startedAt,
    failingSince,
    summary: failure.summary,
    failure,
    firstResultId: run.result.id,
    lastPassingResultId: before.lastPassingResultId,
    agents,
  }
  await tx.insert(incidents).values(incident)
  return incident
}

/** Returns null for a service that failed before incidents were recorded. */
async function closeIncident(tx: Tx, { run }: JudgedRun, agents: AgentObservation[]): Promise<Incident | null> {
  const [closed] = await tx
    .update(incidents)
    .set({ closedAt: run.result.startedAt, recoveredResultId: run.result.id, agents })
    .where(openIncidentOf(run.serviceId))
    .returning()
  return closed ?? null
}

async function storeEvent(
  tx: Tx,
  { run, change, settings }: JudgedRun,
  names: ServiceNames,
  agents: AgentObservation[],
  incident: Incident | null,
  failure: RunFailure | null,
): Promise<void> {
  const { id, status, startedAt, runDurationMs, totalResponseMs } = run.result
  const isSuppressed = change === 'service.recovered' && !settings.alertOnRecovery
  const event = {
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    resultId: id,
    incidentId: incident?.id ?? null,
    kind: change as StateChange,
    suppressedReason: isSuppressed ? 'alertOnRecovery is false' : null,
    payload: {
      ...names,
      incident: incident && {
        id: incident.id,
        openedAt: incident.openedAt.toISOString(),
        failingSince: incident.failingSince.toISOString(),
        summary: incident.summary,
        downMs: change === 'service.recovered' ? startedAt.getTime() - incident.failingSince.getTime() : null,
      },
      result: {
        id,
        status,
        startedAt: startedAt.toISOString(),
        agentSlug: run.agentSlug,
        runDurationMs,
        totalResponseMs,
        assertions: run.failedAssertions,
        error: runErrorOf(run.result),
      },
      failure,
      agents,
    },
  }
  await storeEvents(tx, [event])
}

/** Returns why a service is failed: by this run, or by an agent that fails while this one passes. */
function failureBehind({ run, agents }: JudgedRun): RunFailure {
  const own = failureOf(run.result, run.excerpt ?? null)
  if (own) return own
  const failing = agents.find(({ failingRuns }) => failingRuns > 0)
  const summary = failing?.summary ?? 'the run failed'
  const status = failing?.status === 'timeout' ? 'timeout' : 'failure'
  return { ...EMPTY_FAILURE, summary, cause: summary, status }
}

const EMPTY_FAILURE = { step: null, assertion: null, error: null, phase: null, moreFailed: 0, excerpt: null }

/** States that an older release stored have no status, and are left out. */
function observationOf(state: AgentState): AgentObservation[] {
  const { agentId, agentSlug, status, statusSince, failingRuns, summary, resultId } = state
  if (agentSlug === null || status === null || statusSince === null) return []
  return [{ agentId, agentSlug, status, since: statusSince.toISOString(), failingRuns, summary, resultId }]
}
