import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { isUnavailable, sqlErrorOf } from '#db/errors.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { type Json, measureJson } from '../lace/values/json.ts'
import { log } from '../process/log.ts'
import { NOT_STORABLE } from '../schemas/results/agent-faults.ts'
import { brokenRun, type FinishedRun } from './finished-run.ts'
import { findStored } from './result-statements.ts'
import { finishAndStoreRuns, type RecordOptions } from './store-runs.ts'

/** The most runs per transaction, and characters of their JSON: `JSON.stringify` blocks the event loop. */
const BATCH_RUNS = 100
const BATCH_CHARACTERS = 2 * 1024 * 1024
const ATTEMPTS_MAX = 8
/** Attempts while the database is unavailable, about twenty minutes: keeping a result is better than probing again. */
const UNAVAILABLE_ATTEMPTS_MAX = 600
const FIRST_DELAY_MS = 100
/** Short, because other runs wait for the retry and hold their permits, even once the database is back. */
const LONGEST_DELAY_MS = 2_000

export type RecordWriter = {
  /**
   * Resolves with true when the run is stored, with false when the attempt has lost its lease. Rejects when storing
   * fails.
   */
  write: (run: FinishedRun) => Promise<boolean>
}

type WaitingRun = {
  run: FinishedRun
  characters: number
  resolve: (stored: boolean) => void
  reject: (error: unknown) => void
}

/**
 * Stores runs in batches: while one batch is stored, arriving runs form the next one. So a single run is stored at
 * once, and many runs share a transaction.
 */
export function createRecordWriter(db: Db, options: RecordOptions): RecordWriter {
  let waiting: WaitingRun[] = []
  let writing = false

  const drain = async () => {
    writing = true
    while (waiting.length > 0) {
      const batch = takeBatch(waiting)
      waiting = waiting.slice(batch.length)
      await store(batch)
    }
    writing = false
  }

  const store = async (batch: WaitingRun[]): Promise<void> => {
    try {
      const stored = await record(batch.map(({ run }) => run))
      for (const { run, resolve } of batch) resolve(stored.has(run.id))
    } catch (error) {
      const [only] = batch
      if (batch.length > 1) {
        // One run that cannot be stored must not fail the others.
        for (const one of batch) await store([one])
      } else if (only) await storeWithout(only, error)
    }
  }

  /** Stores the run without the result that the database refuses. */
  const storeWithout = async ({ run, resolve, reject }: WaitingRun, error: unknown) => {
    if (!isRefusal(error)) return reject(error)
    log.error(
      { err: error, runId: run.id, serviceId: run.serviceId },
      'the database refused a result: storing the run without it',
    )
    const { startedAt, runDurationMs } = run.result
    const endedAt = new Date(startedAt.getTime() + runDurationMs)
    const broken = brokenRun(run, startedAt, endedAt, 'failure', NOT_STORABLE)
    const { scriptVersion } = run.result
    await record([{ ...broken, result: { ...broken.result, ...(scriptVersion && { scriptVersion }) } }]).then(
      (stored) => resolve(stored.has(run.id)),
      reject,
    )
  }

  const record = async (runs: FinishedRun[]): Promise<Set<string>> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await finishAndStoreRuns(db, runs, options)
        if (attempt === 1) return stored
        // The previous attempt may have been committed although its response was lost.
        return new Set([...stored, ...(await findStored(db, runs))])
      } catch (error) {
        if (attempt >= (isDatabaseDown(error) ? UNAVAILABLE_ATTEMPTS_MAX : ATTEMPTS_MAX) || isRefusal(error))
          throw error
        if (attempt % 10 === 1) log.warn({ err: error, runs: runs.length, attempt }, 'storing results failed: retrying')
        if (isPartitionMissing(error)) for (const run of runs) await ensurePartitions(db, run.result.startedAt, 0)
        else await sleep(Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS))
      }
    }
  }

  return {
    write: (run) =>
      new Promise((resolve, reject) => {
        waiting.push({ run, characters: sizeOf(run), resolve, reject })
        if (!writing) void drain()
      }),
  }
}

/** Returns the first waiting runs that fit into a batch; at least one. */
function takeBatch(waiting: WaitingRun[]): WaitingRun[] {
  let characters = 0
  const end = waiting.findIndex((one, at) => {
    characters += one.characters
    return at >= BATCH_RUNS || (at > 0 && characters > BATCH_CHARACTERS)
  })
  return end < 0 ? waiting : waiting.slice(0, end)
}

function sizeOf({ result: { raw, steps } }: FinishedRun): number {
  return measureJson([raw, steps] as unknown as Json, BATCH_CHARACTERS).size
}

/** Whether the database refuses the data itself: class 22, and constraints except a missing partition. */
function isRefusal(error: unknown): boolean {
  const { sqlState } = sqlErrorOf(error)
  return sqlState.startsWith('22') || sqlState === '54000' || (sqlState.startsWith('23') && !isPartitionMissing(error))
}

function isPartitionMissing(error: unknown): boolean {
  return sqlErrorOf(error).sqlState === '23514'
}

/** Whether the database is out of reach, shutting down, starting or out of resources: classes 08, 53 and 57. */
function isDatabaseDown(error: unknown): boolean {
  return /^(08|53|57)/.test(sqlErrorOf(error).sqlState) || isUnavailable(error)
}
