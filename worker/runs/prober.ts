import type { Db } from '#db/client.ts'
import { isTransient } from '#db/errors.ts'
import { offsetClock } from '#server/language/lace/executor/clock.ts'
import { GRACE_MS } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import { type ClaimedRun, renewLeases, requeueRun, type WorkerIdentity } from '#server/runs/probes/leases.ts'
import { recordRunSpans } from '#server/runs/probes/run-spans.ts'
import type { Attempt } from '#server/runs/record/current-attempts.ts'
import type { RecordWriter } from '#server/runs/record/writer.ts'
import type { RunTransports } from '../http/shared-transport.ts'
import { type ExecuteOptions, executeRun } from '../probe/execute.ts'

export type Prober = {
  /** Executes a run and stores its result. Never rejects. Resolves with false when the database was away. */
  perform: (run: ClaimedRun) => Promise<boolean>
  /** Renews the leases of the runs in flight. Stops the runs whose lease another worker holds. */
  renewLeases: (db: Db) => Promise<void>
  /** Resolves when the runs in flight have ended. After `GRACE_MS` they are stopped and queued again. */
  drain: () => Promise<void>
}

/** `stop` aborts with `LEASE_LOST` when another attempt holds the run, and otherwise when the worker stops. */
type InFlightRun = Attempt & { stop: AbortController; ended: Promise<boolean> }

const LEASE_LOST = new Error('another attempt holds the run')

/**
 * Executes claimed runs. `onEnded` is called when a run has ended, so that a waiting run of its service can be queued.
 */
export function createProber(
  db: Db,
  worker: WorkerIdentity,
  options: Omit<ExecuteOptions, 'transport'> & { transportOf: RunTransports },
  writer: RecordWriter,
  onEnded: () => void,
): Prober {
  const inFlight = new Set<InFlightRun>()
  let isStopping = false

  const execute = async (claimed: ClaimedRun, stop: AbortSignal): Promise<boolean> => {
    const { id, run: of, attempt, organizationId, serviceId, key } = claimed
    const shared = options.transportOf({ organizationId, key }, performance.now() + options.runTimeoutMs)
    try {
      const { agentId, agentSlug } = worker
      const run = { id, run: of, attempt, organizationId, serviceId, agentId, agentSlug }
      const finished = await executeRun(
        run,
        { ...options, transport: shared.transport, clock: offsetClock(claimed.clockAheadMs) },
        stop,
      )
      if (finished === null) return true
      const stored = await writer.write({ ...finished, waitedMs: shared.waitedMs() })
      if (!stored) log.warn({ runId: id, attempt }, 'a result came too late: another attempt holds the run')
      else recordRunSpans(finished)
      onEnded()
      return true
    } catch (error) {
      if (stop.reason === LEASE_LOST) log.warn({ runId: id, attempt }, 'a run was stopped: another attempt holds it')
      else if (stop.aborted) await requeueRun(db, { organizationId, id, attempt })
      // Unless the database was away, its lease expires, and the run is queued again.
      else {
        log.error({ err: error, runId: id, serviceId, attempt }, 'a run could not be executed or stored')
        return !isTransient(error)
      }
      return true
    } finally {
      shared.release()
    }
  }

  return {
    async perform(run) {
      const stop = new AbortController()
      if (isStopping) stop.abort()
      const ended = execute(run, stop.signal).catch((error) => {
        log.error({ err: error, runId: run.id, attempt: run.attempt }, 'a run could not be queued again')
        return true
      })
      const { organizationId, id, attempt } = run
      const entry: InFlightRun = { organizationId, id, attempt, stop, ended }
      inFlight.add(entry)
      const isOver = await ended
      inFlight.delete(entry)
      return isOver
    },

    async renewLeases(db) {
      const running = [...inFlight]
      const held = await renewLeases(db, worker, running)
      for (const run of running) if (!held.has(run.id)) run.stop.abort(LEASE_LOST)
    },

    async drain() {
      const grace = setTimeout(() => {
        isStopping = true
        for (const { stop } of inFlight) stop.abort()
      }, GRACE_MS)
      await Promise.all([...inFlight].map(({ ended }) => ended))
      clearTimeout(grace)
    },
  }
}
