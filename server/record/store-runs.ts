import type { SQL } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { type Announcer, addChange, type Changes } from '../live/announce.ts'
import { observeRuns } from '../metrics/runs.ts'
import { eligibleAgents } from '../schedule/placement.ts'
import { topics } from '../schemas/live/topics.ts'
import { sumByHour } from './additions.ts'
import { updateCertificates } from './certificates.ts'
import { addToDays } from './days.ts'
import type { FinishedRun } from './finished-run.ts'
import { addToHours, deleteRecentSums } from './hours.ts'
import {
  addVersionRuns,
  finishAttempts,
  insertResults,
  insertStates,
  type JudgingFacts,
  lockFacts,
  lockServices,
  updateAgentStates,
  updateStates,
} from './result-statements.ts'
import {
  type AgentState,
  type AlertSettings,
  countAgents,
  type JudgedRun,
  nextAgentState,
  nextState,
  type ServiceState,
} from './service-state.ts'
import { storeStateChanges } from './state-changes.ts'
import { writeBack } from './write-back.ts'

export type RecordOptions = {
  variablesMax: number
  /** Announces stored runs to open pages. */
  announcer?: Announcer
  /** Whether metrics count the runs of each service. */
  metricsPerService?: boolean
  /** Collects the runs that `storeRuns` stored, for `transactRuns`. */
  stored?: FinishedRun[]
}

/** Runs a transaction that stores runs with the options it is given, and counts them in the metrics once it is committed. */
export async function transactRuns<T>(
  db: Db,
  options: RecordOptions,
  work: (tx: Tx, options: RecordOptions) => Promise<T>,
): Promise<T> {
  const stored: FinishedRun[] = []
  const result = await db.transaction((tx) => work(tx, { ...options, stored }))
  observeRuns(stored, options.metricsPerService)
  return result
}

/**
 * Stores finished runs with their roll-ups, states and variables, in one transaction, and returns the ids of the stored
 * runs. A run whose attempt no longer holds the lease is left out: another attempt stores it.
 */
export async function finishAndStoreRuns(
  db: Db,
  finished: FinishedRun[],
  options: RecordOptions,
): Promise<Set<string>> {
  let changes: Changes = new Map()
  const stored = await transactRuns(db, options, async (tx, counted) => {
    if (finished.some((run) => run.writeBacks.length > 0)) await lockServices(tx, finished)
    const counting = finished.filter(({ run }) => !run?.isApart)
    const [current, facts] = await Promise.all([finishAttempts(tx, finished), lockFacts(tx, counting)])
    changes = await storeRuns(tx, current, counted, facts)
    return new Set(current.map((run) => run.id))
  })
  options.announcer?.add(changes)
  return stored
}

/**
 * Stores results and updates roll-ups, states, variables and alert events. Of runs with values of their own it stores the
 * results alone. The caller has marked the runs done in the same transaction; `facts` are what it has locked for them
 * already. Returns what the caller announces.
 */
export async function storeRuns(
  tx: Tx,
  finished: FinishedRun[],
  options: RecordOptions,
  facts?: JudgingFacts,
): Promise<Changes> {
  options.stored?.push(...finished)
  const apart = finished.filter(({ run }) => run?.isApart)
  if (apart.length > 0) await tx.execute(insertResults(apart))
  const changes = await storeCounted(
    tx,
    finished.filter(({ run }) => !run?.isApart),
    options,
    facts,
  )
  for (const { organizationId, serviceId } of apart) addChange(changes, organizationId, topics.run(serviceId))
  return changes
}

/** Stores runs that count. */
async function storeCounted(
  tx: Tx,
  runs: FinishedRun[],
  { variablesMax }: RecordOptions,
  locked?: JudgingFacts,
): Promise<Changes> {
  if (runs.length === 0) return new Map()
  const facts = await completeFacts(tx, runs, locked ?? (await lockFacts(tx, runs)))
  const { states } = facts
  const before = new Map(states)
  const performed = runs.filter((run) => run.result.status !== 'skipped')
  const { changes, agents } = await judge(tx, performed, facts)
  await writeBack(tx, performed, variablesMax)

  const hours = sumByHour(runs)
  const statements: SQL[] = [insertResults(runs), deleteRecentSums(hours.runs)]
  if (performed.length > 0) {
    const changed = new Set(performed.map((run) => states.get(run.serviceId) as ServiceState))
    statements.push(updateStates([...changed], before), updateAgentStates(agents))
  }
  for (const statement of [updateCertificates(performed), addVersionRuns(performed)]) {
    if (statement) statements.push(statement)
  }
  // Sent together, in one round trip. The connection executes them in this order.
  await Promise.all([...statements.map((statement) => tx.execute(statement)), addToHours(tx, hours)])
  // The day of a late run may be folded already: then the run is added to the day too.
  const late = runs.filter((run) => run.result.startedAt < (states.get(run.serviceId) as ServiceState).foldedUntil)
  await addToDays(tx, sumByHour(late))
  await storeStateChanges(tx, changes)
  return changesOf(runs, before, states)
}

/** Another writer may store the first runs of a service meanwhile, so everything is read again. */
async function completeFacts(tx: Tx, runs: FinishedRun[], facts: JudgingFacts): Promise<JudgingFacts> {
  const missing = runs.filter((run) => !facts.states.has(run.serviceId))
  if (missing.length === 0) return facts
  await insertStates(tx, missing)
  return await lockFacts(tx, runs)
}

function changesOf(
  runs: FinishedRun[],
  before: ReadonlyMap<string, ServiceState>,
  after: ReadonlyMap<string, ServiceState>,
): Changes {
  const changes: Changes = new Map()
  for (const { organizationId, serviceId } of runs) {
    const [old, now] = [before.get(serviceId), after.get(serviceId)]
    addChange(changes, organizationId, topics.run(serviceId))
    const isSame =
      old?.lastStatus === now?.lastStatus &&
      old?.isAlerting === now?.isAlerting &&
      old?.degradation?.since === now?.degradation?.since
    if (!isSame) {
      addChange(changes, organizationId, topics.state(serviceId))
    }
  }
  return changes
}

/**
 * Applies the runs to the states of their services, in order, and returns the runs with what they changed, and the
 * agents' last states. The states are locked, so runs of one service are judged one after another.
 */
async function judge(
  tx: Tx,
  runs: FinishedRun[],
  { states, settings, agents }: JudgingFacts,
): Promise<{ changes: JudgedRun[]; agents: AgentState[] }> {
  if (runs.length === 0) return { changes: [], agents: [] }
  const living = await livingAgents(tx, settings, runs)
  const changes: JudgedRun[] = []
  const updated = new Map<string, AgentState>()
  for (const run of runs) {
    const byId = agents.get(run.serviceId) as Map<string, AgentState>
    const before = states.get(run.serviceId) as ServiceState
    const serviceSettings = settings.get(run.serviceId) as AlertSettings
    const agentBefore = byId.get(run.agentId)
    const seen = { byId, living: living.get(run.serviceId) ?? [] }
    const agent = nextAgentState(agentBefore, run, serviceSettings, before.probesTotal + 1, countAgents(seen))
    if (agent) {
      byId.set(run.agentId, agent)
      updated.set(`${run.serviceId} ${run.agentId}`, agent)
    }
    const { state, change } = nextState(before, run, serviceSettings, seen)
    states.set(run.serviceId, state)
    if (change) {
      const observed = { agents: [...byId.values()], agentBefore }
      changes.push({ run, change, before, state, settings: serviceSettings, ...observed })
    }
  }
  return { changes, agents: [...updated.values()] }
}

/**
 * Returns the living agents of the services that run on all agents at once: only their verdict depends on them. The agent
 * of a run is alive, even when its heartbeat is late.
 */
async function livingAgents(
  tx: Tx,
  settings: Map<string, AlertSettings>,
  runs: FinishedRun[],
): Promise<Map<string, string[]>> {
  const simultaneous = [...settings].filter(([, { probeMode }]) => probeMode === 'simultaneous').map(([id]) => id)
  if (simultaneous.length === 0) return new Map()
  const eligible = await eligibleAgents(tx, simultaneous)
  const reporting = new Set(runs.map((run) => `${run.serviceId} ${run.agentId}`))
  return new Map(
    [...eligible].map(([serviceId, agents]) => [
      serviceId,
      agents.filter(({ id, isAlive }) => isAlive || reporting.has(`${serviceId} ${id}`)).map(({ id }) => id),
    ]),
  )
}
