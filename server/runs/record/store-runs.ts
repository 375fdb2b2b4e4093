import type { Db, Tx } from '#db/client.ts'
import { type Announcer, addChange, type Changes } from '../../live/announce.ts'
import { observeRuns } from '../../observe/metrics/runs.ts'
import { topics } from '../../schemas/live/topics.ts'
import type { FinishedRun } from './finished-run.ts'
import { type Judgement, judge } from './judge.ts'
import { type JudgingFacts, lockFacts } from './judging-facts.ts'
import { markMaintained } from './maintenance.ts'
import { type PreparedRun, prepareRun } from './prepared-run.ts'
import { findRechecks, mayBeRechecked, NO_RECHECKS, type Rechecks, storeRechecks } from './rechecks/rechecks.ts'
import { markCounted, type RecheckRef, readFirsts, readUnchecked } from './rechecks/unchecked.ts'
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
}

/** What a transaction stored. Metrics count the runs after its commit. */
export type StoredRuns = { runs: PreparedRun[]; changes: Changes }

/**
 * Stores finished runs in one transaction, and returns the ids of the stored ones. A run whose attempt no longer holds the
 * lease is left out: another attempt stores it.
 */
export async function finishAndStoreRuns(
  db: Db,
  finished: FinishedRun[],
  options: RecordOptions,
): Promise<Set<string>> {
  const prepared = finished.map(prepareRun)
  const { runs, changes } = await db.transaction(async (tx) => {
    const locking = prepared.filter((run) => run.writeBacks.length > 0 || mayBeRechecked(run))
    if (locking.length > 0) await lockServices(tx, locking)
    return storePrepared(tx, await finishAttempts(tx, prepared), options)
  })
  observeRuns(runs, options.metricsPerService)
  options.announcer?.add(changes)
  return new Set(runs.map((run) => run.id))
}

/** Stores runs that the caller has marked done in the same transaction. The caller announces the changes. */
export function storeRuns(tx: Tx, finished: FinishedRun[], options: RecordOptions): Promise<StoredRuns> {
  return storePrepared(tx, finished.map(prepareRun), options)
}

/** All that runs change. The states of the services are locked first, so their runs are stored one after another. */
async function storePrepared(tx: Tx, prepared: PreparedRun[], options: RecordOptions): Promise<StoredRuns> {
  const runs = await markMaintained(tx, prepared)
  // Of a run that was requested with values, and of one during a maintenance, only the result is stored.
  const own = runs.filter(({ run }) => !run?.hasValues)
  // Where a recheck never ran, the failure that it was to look at again stands for their slot.
  const unchecked = await readUnchecked(tx, own)
  const judged = own.flatMap((run) => unchecked.get(run.id) ?? (run.duringMaintenance ? [] : run))
  const facts = await lockFacts(tx, judged)
  const rechecks = { ...(await findRechecks(tx, own, facts.settings)), unchecked }
  const judgement = judge(judged, facts, rechecks)
  await insertResults(tx, await writeBack(tx, runs, options.variablesMax), rechecks)
  await storeRechecks(tx, own, rechecks)
  await countRuns(tx, judged, facts, rechecks, judgement)
  return { runs, changes: changesOf(runs, facts, judgement) }
}

/** Counts the first results of rechecks that will not run, and returns what it changed. The rows of their runs are locked. */
export async function countFirsts(tx: Tx, dropped: readonly RecheckRef[]): Promise<Changes> {
  const firsts = await readFirsts(tx, dropped)
  if (firsts.length === 0) return new Map()
  const facts = await lockFacts(tx, firsts)
  const judgement = judge(firsts, facts, NO_RECHECKS)
  await countRuns(tx, firsts, facts, NO_RECHECKS, judgement)
  return changesOf(firsts, facts, judgement)
}

/** What follows from runs that count: states, statistics, incidents and events. */
async function countRuns(
  tx: Tx,
  judged: PreparedRun[],
  facts: JudgingFacts,
  rechecks: Rechecks,
  judgement: Judgement,
): Promise<void> {
  const counted = judged.filter(({ id }) => !rechecks.asked.has(id))
  await markCounted(
    tx,
    judged.filter(({ isStored }) => isStored),
  )
  await updateStates(tx, judgement.states)
  await storeAgentStates(tx, judgement.agents)
  await addVersionRuns(tx, counted)
  await addToHours(tx, counted)
  await storeCertificates(
    tx,
    judged.filter(({ result, isStored }) => result.status !== 'skipped' && !isStored),
  )
  await storeStateChanges(tx, judgement.changes, facts.eligible)
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
