import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { isUnavailable } from '#db/errors.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { type Json, measureJson } from '#server/lace/values/json.ts'
import { log } from '#server/process/log.ts'
import { brokenRun, type FinishedRun } from './finished-run.ts'
import { findStored } from './result-statements.ts'
import { type RecordOptions, recordRuns } from './store-runs.ts'

/** Runs stored in one transaction, and characters of their JSON, which is written in one go. */
const BATCH_RUNS = 100
const BATCH_CHARACTERS = 2 * 1024 * 1024
const ATTEMPTS_MAX = 8
/** While the database is away: a result in hand is worth more than a second probe. About twenty minutes. */
const UNAVAILABLE_ATTEMPTS_MAX = 600
const FIRST_DELAY_MS = 100
/** Runs wait behind the one that is tried again, and hold their slots: it must not sleep on once the database is back. */
const LONGEST_DELAY_MS = 2_000

export type RecordWriter = {
  /** Resolves when the run is stored: true, or false when it is another attempt's by now. Rejects when it cannot be. */
  write: (run: FinishedRun) => Promise<boolean>
}

type WaitingRun = {
  run: FinishedRun
  characters: number
  resolve: (stored: boolean) => void
  reject: (error: unknown) => void
}

/**
 * Stores runs in batches that form by themselves: while one is being written the next gathers, so a lone run waits for
 * nothing and many share a transaction.
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
        // One that cannot be stored must not take the others with it.
        for (const one of batch) await store([one])
      } else if (only) await storeWithout(only, error)
    }
  }

  /** What the database refuses of a result is left out, so that the run itself is not lost. */
  const storeWithout = async ({ run, resolve, reject }: WaitingRun, error: unknown) => {
    if (!isRefusal(error)) return reject(error)
    log.error({ err: error, runId: run.id, serviceId: run.serviceId }, 'a result could not be stored as it is')
    const { startedAt, runDurationMs } = run.result
    const endedAt = new Date(startedAt.getTime() + runDurationMs)
    const reason = 'the result could not be stored'
    await record([brokenRun(run, startedAt, endedAt, 'failure', reason)]).then(
      (stored) => resolve(stored.has(run.id)),
      reject,
    )
  }

  const record = async (runs: FinishedRun[]): Promise<Set<string>> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await recordRuns(db, runs, options)
        if (attempt === 1) return stored
        // The try before may have been committed, and only its answer been lost.
        return new Set([...stored, ...(await findStored(db, runs))])
      } catch (error) {
        if (attempt >= (isDatabaseAway(error) ? UNAVAILABLE_ATTEMPTS_MAX : ATTEMPTS_MAX) || isRefusal(error))
          throw error
        if (attempt % 10 === 1)
          log.warn({ err: error, runs: runs.length, attempt }, 'storing results failed, and is tried again')
        if (codeOf(error) === '23514') for (const run of runs) await ensurePartitions(db, run.result.startedAt, 0)
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

/** The first that waits, and those behind it that are stored with it. */
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

/** Whether the database objects to the data itself (class 22, and constraints but for a missing partition). */
function isRefusal(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('22') || code === '54000' || (code.startsWith('23') && code !== '23514')
}

/** Whether the database could not be asked, or shuts down, starts or is full: classes 08, 53 and 57. */
function isDatabaseAway(error: unknown): boolean {
  return /^(08|53|57)/.test(codeOf(error)) || causesOf(error).some(isUnavailable)
}

/** The SQLSTATE of a failure, or empty. */
function codeOf(error: unknown): string {
  const codes = causesOf(error).map((cause) => String((cause as { code?: unknown }).code))
  return codes.find((code) => /^[0-9A-Z]{5}$/.test(code)) ?? ''
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) causes.push(cause)
  return causes
}
