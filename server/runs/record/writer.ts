import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { isTransient, sqlErrorOf } from '#db/errors.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { type Json, measureJson } from '../../language/lace/values/json.ts'
import { log } from '../../process/log.ts'
import type { FinishedRun } from './finished-run.ts'
import { unrecordedRun } from './prepared-run.ts'
import { findStored, finishAttempts } from './result-statements.ts'
import { finishAndStoreRuns, type RecordOptions } from './store-runs.ts'

/** The most runs per transaction, and characters of their JSON: `JSON.stringify` blocks the event loop. */
const BATCH_RUNS = 100
const BATCH_CHARACTERS = 2 * 1024 * 1024
/** Attempts while the database cannot store anything, about twenty minutes: keeping a result is better than probing again. */
const ATTEMPTS_MAX = 600
const FIRST_DELAY_MS = 100
/** Short, because other runs wait for the retry and hold their permits, even once the database is back. */
const LONGEST_DELAY_MS = 2_000

export type RecordWriter = {
  /**
   * Resolves with true when the run is done, with false when the attempt has lost its lease. A run that cannot be stored
   * as it is is stored as failed. Rejects when the database cannot store anything.
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
      if (isTransient(error)) for (const { reject } of batch) reject(error)
      else if (batch.length > 1) {
        // One run is at fault: one half of the batch is stored without it, and the other is halved again.
        const middle = Math.ceil(batch.length / 2)
        await store(batch.slice(0, middle))
        await store(batch.slice(middle))
      } else if (only) await storeFailed(only, error)
    }
  }

  /** Stores the failed form of a run, or drops the run when not even that can be stored. */
  const storeFailed = async ({ run, resolve, reject }: WaitingRun, fault: unknown) => {
    try {
      resolve((await record([unrecordedRun(run, fault)])).has(run.id))
    } catch (error) {
      if (isTransient(error)) return reject(error)
      log.error({ err: error, runId: run.id, serviceId: run.serviceId }, 'a run is dropped: it cannot be stored at all')
      // Without a lease it is not executed again.
      await db.transaction((tx) => finishAttempts(tx, [run])).then((done) => resolve(done.length > 0), reject)
    }
  }

  const record = async (runs: FinishedRun[]): Promise<Set<string>> => {
    let lacksPartition = false
    for (let attempt = 1; ; attempt++) {
      try {
        if (lacksPartition) for (const run of runs) await ensurePartitions(db, run.result.startedAt, 0)
        const stored = await finishAndStoreRuns(db, runs, options)
        if (attempt === 1) return stored
        // The previous attempt may have been committed although its response was lost.
        return new Set([...stored, ...(await findStored(db, runs))])
      } catch (error) {
        if (isPartitionMissing(error) && !lacksPartition) lacksPartition = true
        else if (isTransient(error) && attempt < ATTEMPTS_MAX) {
          if (attempt % 10 === 1)
            log.warn({ err: error, runs: runs.length, attempt }, 'storing results failed: trying again')
          await sleep(retryDelayMs(attempt))
        } else throw error
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

/** The pause after the attempt of this number, which counts from 1. */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS)
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

/** The error has the code of a violated check, but names no constraint. */
function isPartitionMissing(error: unknown): boolean {
  const { sqlState, constraint } = sqlErrorOf(error)
  return sqlState === '23514' && constraint === null
}
