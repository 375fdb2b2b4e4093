import type { Db, Tx } from '#db/client.ts'
import { type Announcer, addChange, type Changes } from '../live/announce.ts'
import { observeRuns } from '../metrics/runs.ts'
import { topics } from '../schemas/live/topics.ts'
import type { FinishedRun } from './finished-run.ts'
import { type Judgement, judge } from './judge.ts'
import { type JudgingFacts, lockFacts } from './judging-facts.ts'
import { type PreparedRun, prepareRun } from './prepared-run.ts'
import {
  addVersionRuns,
  finishAttempts,
  insertResults,
  lockServices,
  storeAgentStates,
  updateStates,
} from './result-statements.ts'
import { addToHours } from './rollups/hours.ts'
import { storeStateChanges } from './state-changes.ts'
import { storeCertificates } from './store-certificates.ts'
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
 * Stores finished runs in one transaction, and returns the ids of the stored ones. A run whose attempt no longer holds the
 * lease is left out: another attempt stores it.
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

/** Stores runs that the caller has marked done in the same transaction. Returns what the caller announces. */
export function storeRuns(tx: Tx, finished: FinishedRun[], options: RecordOptions): Promise<Changes> {
  return storePrepared(tx, finished.map(prepareRun), options)
}

/** All that runs change. The states of the services are locked first, so their runs are stored one after another. */
async function storePrepared(tx: Tx, runs: PreparedRun[], options: RecordOptions): Promise<Changes> {
  options.stored?.push(...runs)
  // Of a run that was requested with values, only the result is stored.
  const counted = runs.filter(({ run }) => !run?.hasValues)
  const performed = counted.filter(({ result }) => result.status !== 'skipped')
  const facts = await lockFacts(tx, counted)
  const judgement = judge(performed, facts)
  // A refused value adds a warning to its result.
  await writeBack(tx, performed, options.variablesMax)
  await insertResults(tx, runs)
  await updateStates(tx, judgement.states)
  await storeAgentStates(tx, judgement.agents)
  await addVersionRuns(tx, performed)
  await addToHours(tx, counted)
  await storeCertificates(tx, performed)
  await storeStateChanges(tx, judgement.changes, facts.eligible)
  return changesOf(runs, facts, judgement)
}

function changesOf(runs: PreparedRun[], { states }: JudgingFacts, judgement: Judgement): Changes {
  const changes: Changes = new Map()
  for (const { organizationId, serviceId } of runs) addChange(changes, organizationId, topics.run(serviceId))
  for (const { organizationId, serviceId, ...now } of judgement.states) {
    const old = states.get(serviceId)
    const isSame =
      old?.lastStatus === now.lastStatus &&
      old.isAlerting === now.isAlerting &&
      old.degradation?.since === now.degradation?.since
    if (!isSame) addChange(changes, organizationId, topics.state(serviceId))
  }
  for (const { run } of judgement.changes) addChange(changes, run.organizationId, topics.event)
  return changes
}
