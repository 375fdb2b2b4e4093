import { failureOn } from '../../results/results/failure.ts'
import type { JudgingFacts } from './judging-facts.ts'
import type { PreparedRun } from './prepared-run.ts'
import type { Rechecks } from './rechecks/rechecks.ts'
import {
  type AgentState,
  type AlertSettings,
  type ChangingRun,
  countAgents,
  nextAgentState,
  nextState,
  type ServiceState,
} from './service-state.ts'

/** The states after a batch of runs, each once, and the runs that changed one, in their order. */
export type Judgement = { states: ServiceState[]; agents: AgentState[]; changes: ChangingRun[] }

/**
 * Applies runs to the states of their services, in order. A run that is rechecked changes only what its agent saw. The facts
 * stay as they are.
 */
export function judge(runs: PreparedRun[], facts: JudgingFacts, rechecks: Rechecks): Judgement {
  const states = new Map<string, ServiceState>()
  const agents = new Map<string, Map<string, AgentState>>()
  const nextAgents = new Map<string, AgentState>()
  const changes: ChangingRun[] = []
  const performed = runs.filter(({ result }) => result.status !== 'skipped')
  const reporting = new Set(performed.map((run) => `${run.serviceId} ${run.agentId}`))
  const skippedOn = new Map<string, Set<string>>()
  for (const recorded of runs) {
    const { serviceId, agentId } = recorded
    const skipped = skippedOn.get(serviceId) ?? new Set(facts.skipped.get(serviceId))
    skippedOn.set(serviceId, skipped)
    if (recorded.result.status === 'skipped') {
      skipped.add(agentId)
      continue
    }
    skipped.delete(agentId)
    const settings = facts.settings.get(serviceId) as AlertSettings
    const eligible = facts.eligible.get(serviceId) ?? []
    const isOneOfSeveral = eligible.length > 1
    const run = isOneOfSeveral ? withAgentNamed(recorded) : recorded
    // The agent of a run is alive, even when its heartbeat is late.
    const isLiving = (id: string, isAlive: boolean) => isAlive || reporting.has(`${serviceId} ${id}`)
    const living = eligible.filter(({ id, isAlive }) => isLiving(id, isAlive)).map(({ id }) => id)
    const byId = agents.get(serviceId) ?? new Map(facts.agents.get(serviceId))
    agents.set(serviceId, byId)
    const seen = { byId, living, skipped }
    const before = states.get(serviceId) ?? (facts.states.get(serviceId) as ServiceState)
    const agentBefore = byId.get(agentId)
    const agent = nextAgentState(agentBefore, recorded, settings, before.probesTotal + 1, countAgents(seen))
    if (agent && !recorded.isStored) {
      byId.set(agentId, agent)
      nextAgents.set(`${serviceId} ${agentId}`, agent)
    }
    if (rechecks.asked.has(recorded.id)) continue
    const { state, change } = nextState(before, run, settings, seen, rechecks.first.get(recorded.id)?.startedAt)
    states.set(serviceId, state)
    if (change) {
      changes.push({ run, change, before, state, settings, agents: [...byId.values()], agentBefore, isOneOfSeveral })
    }
  }
  return { states: [...states.values()], agents: [...nextAgents.values()], changes }
}

function withAgentNamed(run: PreparedRun): PreparedRun {
  const { failure, failedChecks, agentSlug } = run
  return {
    ...run,
    failure: failure && failureOn(failure, agentSlug),
    failedChecks: failedChecks && `${failedChecks} (on ${agentSlug})`,
  }
}
