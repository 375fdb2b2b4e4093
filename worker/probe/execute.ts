import type { Db } from '#db/client.ts'
import { systemClock } from '#server/language/lace/executor/clock.ts'
import { messageOf, warnOperator } from '#server/observe/system/warnings.ts'
import { log } from '#server/process/log.ts'
import { type BodyCapture, type BodyTarget, captureBodies, NO_BODIES } from '#server/runs/probes/body-capture.ts'
import { finishRun } from '#server/runs/probes/finish.ts'
import type { LoadedRun } from '#server/runs/probes/load.ts'
import type { RunLoader } from '#server/runs/probes/run-loader.ts'
import { mayWrite } from '#server/runs/probes/script-facts.ts'
import { brokenRun, type FinishedRun, type RunAttempt } from '#server/runs/record/finished-run.ts'
import { type RunLimits, runLoaded } from './run-loaded.ts'

export type ExecuteOptions = RunLimits & {
  db: Db
  bodies: BodyTarget
  load: RunLoader
}

/**
 * Executes a run and returns the finished run, with secrets masked. Null when the service is deleted or has no script.
 * Rejects with the signal's reason when it aborts, and when the database does not respond.
 */
export async function executeRun(
  run: RunAttempt,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<FinishedRun | null> {
  const loaded = await options.load(run)
  if (loaded === null) return null
  const finished = await executeLoaded(run, loaded, options, signal)
  // A run that was requested with values writes no variables.
  const writeBacks = run.run?.hasValues ? [] : finished.writeBacks
  return {
    ...finished,
    writeBacks,
    writes: mayWrite(loaded.ast),
    result: { ...finished.result, scriptVersion: loaded.version },
  }
}

async function executeLoaded(
  run: RunAttempt,
  loaded: LoadedRun,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<FinishedRun> {
  if (loaded.refusal !== null) {
    const at = new Date((options.clock ?? systemClock).now())
    return brokenRun(run, at, at, 'failure', loaded.refusal)
  }
  let capture: BodyCapture | null = null
  return runLoaded(
    run,
    loaded,
    options,
    {
      bodySink(startedAt, redactor) {
        if (!loaded.saveBodies) return null
        capture = captureBodies(options.bodies, { ...run, startedAt }, redactor, (error) => {
          log.warn({ err: error, serviceId: run.serviceId }, 'a response body could not be stored')
          warnOperator(options.db, 'body_store_failed', options.bodies.id, messageOf(error))
        })
        return capture.sink
      },
      async finished(probe, redactor, beside) {
        const captured = capture ? await capture.settle() : NO_BODIES
        return finishRun(run, probe, loaded.ast, captured, redactor, beside)
      },
      broken: (startedAt, endedAt, status, reason) => brokenRun(run, startedAt, endedAt, status, reason),
    },
    signal,
  )
}
