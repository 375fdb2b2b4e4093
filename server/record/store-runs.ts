import type { Db, Tx } from '#db/client.ts'
import { servicesOf } from '#db/row-match.ts'
import { type Announcer, addChange, type Changes } from '../live/announce.ts'
import { observeRuns } from '../metrics/runs.ts'
import { failureOn } from '../results/failure.ts'
import { eligibleAgents } from '../schedule/placement.ts'
import { topics } from '../schemas/live/topics.ts'
import type { FinishedRun } from './finished-run.ts'
import { type PreparedRun, prepareRun } from './prepared-run.ts'
import { addVersionRuns, finishAttempts, insertResults, lockServices } from './result-statements.ts'
import { addToHours } from './rollups/hours.ts'
import {
  type AgentState,
  type AlertSettings,
  countAgents,
  type JudgedRun,
  nextAgentState,
  nextState,
  type ServiceState,
} from './service-state.ts'
import { readChangeFacts, storeStateChanges } from './state-changes.ts'
import {
  insertAgentStates,
  insertStates,
  type JudgingFacts,
  lockFacts,
  updateAgentStates,
  updateStates,
} from './state-statements.ts'
import { updateCertificates } from './store-certificates.ts'
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
  const prepared = finished.map(prepareRun)
  const stored = await transactRuns(db, options, async (tx, counted) => {
    if (prepared.some((run) => run.writeBacks.length > 0)) await lockServices(tx, prepared)
    const current = await finishAttempts(tx, prepared)
    changes = await storePrepared(tx, current, counted)
    return new Set(current.map((run) => run.id))
  })
  options.announcer?.add(changes)
  return stored
}

/**
 * Stores results and updates roll-ups, states, variables and alert events. Of runs that were requested with values it
 * stores the results only. The caller has marked the runs done in the same transaction. Returns what the caller announces.
 */
export function storeRuns(tx: Tx, finished: FinishedRun[], options: RecordOptions): Promise<Changes> {
  return storePrepared(tx, finished.map(prepareRun), options)
}

async function storePrepared(tx: Tx, runs: PreparedRun[], options: RecordOptions): Promise<Changes> {
  options.stored?.push(...runs)
  const withValues = runs.filter(({ run }) => run?.hasValues)
  if (withValues.length > 0) await tx.execute(insertResults(withValues))
  const changes = await storeCounted(
    tx,
    runs.filter(({ run }) => !run?.hasValues),
    options,
  )
  for (const { organizationId, serviceId } of withValues) addChange(changes, organizationId, topics.run(serviceId))
  return changes
}

/** Stores runs that count. */
async function storeCounted(tx: Tx, runs: PreparedRun[], { variablesMax }: RecordOptions): Promise<Changes> {
  if (runs.length === 0) return new Map()
  const facts = await requireFacts(tx, runs)
  const { states } = facts
  const before = new Map(states)
  const performed = runs.filter((run) => run.result.status !== 'skipped')
  const { changes, agents } = await judge(tx, performed, facts)
  await writeBack(tx, performed, variablesMax)

  // Sent together, in one round trip.
  const writes: Promise<unknown>[] = [tx.execute(insertResults(runs))]
  if (performed.length > 0) {
    const changed = new Set(performed.map((run) => states.get(run.serviceId) as ServiceState))
    writes.push(updateStates(tx, [...changed]))
    const agentsWhere = (isNew: boolean) => agents.flatMap((one) => (one.isNew === isNew ? one.agent : []))
    writes.push(updateAgentStates(tx, agentsWhere(false)))
    if (agents.some(({ isNew }) => isNew)) writes.push(insertAgentStates(tx, agentsWhere(true)))
  }
  const certificates = updateCertificates(performed)
  if (certificates) writes.push(tx.execute(certificates))
  writes.push(addVersionRuns(tx, performed))
  const [changeFacts] = await Promise.all([readChangeFacts(tx, changes), addToHours(tx, runs), ...writes])
  if (changeFacts) await storeStateChanges(tx, changes, changeFacts)
  const announced = changesOf(runs, before, states)
  for (const { run } of changes) addChange(announced, run.organizationId, topics.event)
  return announced
}

/** Inserts missing states. Another writer may store the first runs of a service meanwhile, so everything is read again. */
async function requireFacts(tx: Tx, runs: FinishedRun[]): Promise<JudgingFacts> {
  const facts = await lockFacts(tx, runs)
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

/** The last state of an agent, and whether it is the first one that is stored. */
type JudgedAgent = { agent: AgentState; isNew: boolean }

/**
 * Applies the runs to the states of their services, in order, and returns the runs with what they changed, and the
 * agents' last states. The states are locked, so runs of one service are judged one after another.
 */
async function judge(
  tx: Tx,
  runs: PreparedRun[],
  { states, settings, agents }: JudgingFacts,
): Promise<{ changes: JudgedRun[]; agents: JudgedAgent[] }> {
  if (runs.length === 0) return { changes: [], agents: [] }
  const eligible = await readEligible(tx, settings, runs)
  const changes: JudgedRun[] = []
  const updated = new Map<string, JudgedAgent>()
  for (const recorded of runs) {
    const may = eligible.get(recorded.serviceId) ?? NONE
    const run = may.several ? withAgentNamed(recorded) : recorded
    const byId = agents.get(run.serviceId) as Map<string, AgentState>
    const before = states.get(run.serviceId) as ServiceState
    const serviceSettings = settings.get(run.serviceId) as AlertSettings
    const agentBefore = byId.get(run.agentId)
    const seen = { byId, living: may.living }
    const agent = nextAgentState(agentBefore, recorded, serviceSettings, before.probesTotal + 1, countAgents(seen))
    if (agent) {
      byId.set(run.agentId, agent)
      const key = `${run.serviceId} ${run.agentId}`
      updated.set(key, { agent, isNew: updated.get(key)?.isNew ?? agentBefore === undefined })
    }
    const { state, change } = nextState(before, run, serviceSettings, seen)
    states.set(run.serviceId, state)
    if (change) {
      const observed = { agents: [...byId.values()], agentBefore, isOneOfSeveral: may.several }
      changes.push({ run, change, before, state, settings: serviceSettings, ...observed })
    }
  }
  return { changes, agents: [...updated.values()] }
}

/** Which agents a service may run on: those that are alive, for the verdict, and whether there are several. */
type Eligible = { living: string[]; several: boolean }

const NONE: Eligible = { living: [], several: false }

/**
 * Reads the agents of the services that run on all agents at once, whose verdict depends on them, and of those that fail,
 * whose cause names one. The agent of a run is alive, even when its heartbeat is late.
 */
async function readEligible(
  tx: Tx,
  settings: Map<string, AlertSettings>,
  runs: PreparedRun[],
): Promise<Map<string, Eligible>> {
  const isSimultaneous = (id: string) => settings.get(id)?.probeMode === 'simultaneous'
  const read = servicesOf(
    runs.filter(({ serviceId, failure, failedChecks }) => isSimultaneous(serviceId) || failure || failedChecks),
  )
  if (read.length === 0) return new Map()
  const reporting = new Set(runs.map((run) => `${run.serviceId} ${run.agentId}`))
  return new Map(
    [...(await eligibleAgents(tx, read))].map(([id, agents]) => {
      const living = agents
        .filter((agent) => agent.isAlive || reporting.has(`${id} ${agent.id}`))
        .map((agent) => agent.id)
      return [id, { living: isSimultaneous(id) ? living : [], several: agents.length > 1 }]
    }),
  )
}

function withAgentNamed(run: PreparedRun): PreparedRun {
  const { failure, failedChecks, agentSlug } = run
  return {
    ...run,
    failure: failure && failureOn(failure, agentSlug),
    failedChecks: failedChecks && `${failedChecks} (on ${agentSlug})`,
  }
}
