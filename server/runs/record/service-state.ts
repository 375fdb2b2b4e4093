import type { Degradation, serviceAgentStates, serviceStates } from '#db/schema/results.ts'
import type { ProbeMode } from '../../schedule/placement.ts'
import { addStateChange, flappingText, type StateChange } from './flapping.ts'
import type { PreparedRun } from './prepared-run.ts'
import { isLastRunFailed, isServiceFailed, isStreakFailed, type VerdictFacts } from './verdict.ts'

/** `newFailure` becomes the last failure; null keeps it. It is written only, because it is the largest part of a state. */
export type ServiceState = Omit<typeof serviceStates.$inferSelect, 'lastFailure' | 'foldedUntil'> & {
  newFailure: Record<string, unknown> | null
}
export type AgentState = typeof serviceAgentStates.$inferSelect

/** The settings that decide a service's verdicts: its probe mode and system variables. */
export type AlertSettings = {
  probeMode: ProbeMode
  confirmFailures: number
  confirmRecoveries: number
  alertOnRecovery: boolean
  recheckSeconds: number
  recheckWrites: boolean
}

/**
 * What the agents of one service saw: the last state of each, by id, and which of them are alive. `skipped` had their turn
 * last and saw nothing, because their part was skipped.
 */
export type AgentStates = {
  byId: ReadonlyMap<string, AgentState>
  living: readonly string[]
  skipped: ReadonlySet<string>
}

/** A run that changed the state of its service. */
export type ChangingRun = {
  run: PreparedRun
  change: StateChange
  before: ServiceState
  state: ServiceState
  settings: AlertSettings
  /** What each agent of the service saw last, this run included. */
  agents: AgentState[]
  /** What the run's agent saw before. */
  agentBefore: AgentState | undefined
  /** Whether the service may run on several agents, so that a cause names one. */
  isOneOfSeveral: boolean
}

/**
 * Returns what the run's agent saw last, after one more run. The runs of a service on one agent never overlap, so the order
 * in which they are stored is their order; their starts are not, when the agent's workers have different clocks.
 * `serviceRuns` counts the runs of the service on all agents, this one included, and `agentCount` these agents. With
 * `simultaneous`, an agent that was away begins anew.
 */
export function nextAgentState(
  last: AgentState | undefined,
  run: PreparedRun,
  { probeMode, confirmFailures, confirmRecoveries }: AlertSettings,
  serviceRuns: number,
  agentCount: number,
): AgentState | undefined {
  const { result } = run
  if (result.status === 'skipped') return last
  const wasAway = probeMode === 'simultaneous' && last !== undefined && isOutdated(last, serviceRuns, agentCount)
  const before = wasAway ? undefined : last
  const failed = result.status !== 'success'
  const failingRuns = failed ? (before?.failingRuns ?? 0) + 1 : 0
  const passingRuns = failed ? 0 : (before?.passingRuns ?? 0) + 1
  const wasFailed = before?.isFailed ?? false
  return {
    serviceId: run.serviceId,
    agentId: run.agentId,
    organizationId: run.organizationId,
    startedAt: result.startedAt,
    resultId: result.id,
    agentSlug: run.agentSlug,
    status: result.status,
    statusSince: before?.status === result.status ? before.statusSince : result.startedAt,
    failingRuns,
    failingSince: failed ? (before?.failingSince ?? result.startedAt) : null,
    passingRuns,
    isFailed: isStreakFailed({ wasFailed, failingRuns, passingRuns, confirmFailures, confirmRecoveries }),
    serviceRuns,
    summary: run.failure?.summary ?? null,
  }
}

/**
 * Returns the state of a service after one more run, and the change to announce, if any. `agents` includes this run's
 * observation. Confirmation of failures is in verdict.ts. A skipped run changes nothing. `failingFrom` is when the run's
 * slot began to fail: before the run's start if it is a recheck.
 */
export function nextState(
  state: ServiceState,
  { result, failure, failedChecks, failedAssertions, failedAssertionCount, waitedMs = 0 }: PreparedRun,
  settings: AlertSettings,
  agents: AgentStates,
  failingFrom = result.startedAt,
): { state: ServiceState; change: StateChange | null } {
  const { startedAt } = result
  if (result.status === 'skipped') return { state, change: null }
  const failed = result.status !== 'success'
  const failingRuns = failed ? state.failingRuns + 1 : 0
  const passingRuns = failed ? 0 : state.lastStatus === 'success' ? state.lastConsecutive + 1 : 1
  const serviceRuns = state.probesTotal + 1
  const livingAgents = agents.living.flatMap((id) => {
    const seen = agents.byId.get(id)
    if (seen && !isOutdated(seen, serviceRuns, countAgents(agents))) return seen
    // One that had its turn and was skipped is no witness: it would pass for ever.
    return agents.skipped.has(id) ? [] : UNSEEN
  })
  const facts = { ...settings, wasFailed: state.isAlerting, failingRuns, passingRuns, livingAgents }
  const isAlerting = isServiceFailed(facts)
  const status = isLastRunFailed(facts) ? (failed ? result.status : failingStatus(agents)) : 'success'
  const same = state.lastStatus === status
  const change = isAlerting ? 'service.failed' : 'service.recovered'
  const { announced, ...history } =
    isAlerting === state.isAlerting ? { ...historyOf(state), announced: null } : addStateChange(state, change, result)
  return {
    change: announced,
    state: {
      ...state,
      ...history,
      lastStatus: status,
      lastStatusSince: same ? state.lastStatusSince : startedAt,
      lastConsecutive: same ? state.lastConsecutive + 1 : 1,
      lastResponseMs: result.totalResponseMs,
      meanRunMs: Math.round((state.meanRunMs + Math.max(0, result.runDurationMs - waitedMs)) / 2),
      lastRunAt: startedAt,
      lastResultId: result.id,
      newFailure: failure
        ? {
            resultId: result.id,
            startedAt: startedAt.toISOString(),
            status: failure.status,
            error: failure.error,
            summary: failure.summary,
            assertions: failedAssertions,
            assertionsTotal: failedAssertionCount,
          }
        : state.newFailure,
      degradation:
        status === 'success'
          ? nextDegradation({ ...state, ...history }, { result, failedChecks }, agents, facts)
          : null,
      failingRuns,
      failingSince: nextFailingSince(state, facts, failingFrom),
      lastPassingResultId: failed ? state.lastPassingResultId : result.id,
      isAlerting,
      probesTotal: serviceRuns,
      probesSuccess: state.probesSuccess + (failed ? 0 : 1),
      probesFailure: state.probesFailure + (result.status === 'failure' ? 1 : 0),
      probesTimeout: state.probesTimeout + (result.status === 'timeout' ? 1 : 0),
    },
  }
}

/**
 * The agents take turns, one run each. An agent that missed more turns than this was away: its earlier state is
 * outdated, so it counts as unseen until its next run.
 */
const MISSED_ROUNDS_MAX = 2

function isOutdated(seen: AgentState, serviceRuns: number, agentCount: number): boolean {
  return serviceRuns - seen.serviceRuns > MISSED_ROUNDS_MAX * agentCount
}

/** Returns how many agents run a service: those that are alive, or those that ever ran it if they are more. */
export function countAgents({ byId, living }: Pick<AgentStates, 'byId' | 'living'>): number {
  return Math.max(byId.size, living.length)
}

/** An agent that has not run the service yet. */
const UNSEEN = { failingRuns: 0, failingSince: null, isFailed: false }

function historyOf({ changedAt, flapping }: ServiceState) {
  return { changedAt, flapping }
}

/** Returns since when the service fails without interruption, or null: with `simultaneous`, since when half of the agents do. */
function nextFailingSince(state: ServiceState, facts: VerdictFacts, failingFrom: Date): Date | null {
  const { probeMode, failingRuns, livingAgents } = facts
  if (probeMode !== 'simultaneous') return failingRuns > 0 ? (state.failingSince ?? failingFrom) : null
  if (livingAgents.length === 0) return state.failingSince
  const starts = livingAgents.flatMap(({ failingSince }) => failingSince ?? [])
  return starts.toSorted((a, b) => a.getTime() - b.getTime())[Math.ceil(livingAgents.length / 2) - 1] ?? null
}

/** Returns what is wrong although the service counts as passing, or null. */
function nextDegradation(
  state: ServiceState,
  { result, failedChecks }: Pick<PreparedRun, 'result' | 'failedChecks'>,
  agents: AgentStates,
  { probeMode, livingAgents }: VerdictFacts,
): Degradation | null {
  const summary =
    (state.flapping && `flapping: ${flappingText(state.flapping, result.startedAt)}`) ??
    (probeMode === 'simultaneous' ? minorityText(agents, livingAgents) : aloneText(agents, state.changedAt.at(-1))) ??
    failedChecks
  if (summary === null) return null
  return { since: state.degradation?.since ?? result.startedAt.toISOString(), summary }
}

/** `simultaneous`: what a minority of the living agents sees. */
function minorityText({ byId, living }: AgentStates, livingAgents: VerdictFacts['livingAgents']): string | null {
  const failing = livingAgents.filter(({ failingRuns }) => failingRuns > 0).length
  if (failing === 0) return null
  const agent = living.map((id) => byId.get(id)).find((one) => one && one.failingRuns > 0)
  const on = agent ? `${agent.agentSlug}, ` : ''
  return `${agent?.summary ?? 'the run failed'} (on ${on}${failing} of ${livingAgents.length} agents)`
}

/** Agents that a text names. */
const NAMED_MAX = 3

/** The other modes: what agents see whose last run failed since the service recovered, while other agents pass. */
function aloneText({ byId, living }: AgentStates, recoveredAt: Date | undefined): string | null {
  const failing = living
    .map((id) => byId.get(id))
    .filter((one) => one !== undefined)
    .filter(({ failingRuns, startedAt }) => failingRuns > 0 && (!recoveredAt || startedAt >= recoveredAt))
  const [first] = failing
  if (!first) return null
  const slugs = failing.slice(0, NAMED_MAX).map(({ agentSlug }) => agentSlug)
  const more = failing.length - slugs.length
  const names = more > 0 ? [...slugs, `${more} more`] : slugs
  const last = names.at(-1)
  const from = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
  return `${first.summary ?? 'the run failed'} (fails from ${from} only)`
}

/** Returns the status of the living agents that fail, when this run's agent does not. */
function failingStatus({ byId, living }: AgentStates): 'failure' | 'timeout' {
  const isFailure = living.some((id) => byId.get(id)?.status === 'failure')
  return isFailure ? 'failure' : 'timeout'
}
