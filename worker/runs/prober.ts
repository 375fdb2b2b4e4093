import type { Db } from '#db/client.ts'
import { offsetClock } from '#server/lace/executor/clock.ts'
import { log } from '#server/process/log.ts'
import { shareTransport } from '../http/shared-transport.ts'
import { type ClaimedRun, renewLeases, requeueRun, type WorkerIdentity } from '../leases.ts'
import { type ExecuteOptions, executeRun } from '../probe/execute.ts'
import type { LastTaken } from '../queue/in-flight.ts'
import { GRACE_MS } from '../queue/runner.ts'
import type { RecordWriter } from '../record/writer.ts'

export type Prober = {
  /** Performs a run and stores its result; never rejects. */
  perform: (run: ClaimedRun) => Promise<void>
  /** The run it took last; null before the first. */
  lastTaken: () => LastTaken | null
  /** Extends the leases of the runs in hand; those that are another's by now are stopped. */
  renewLeases: (db: Db) => Promise<void>
  /** Resolves when the runs in hand have ended; after `GRACE_MS` they are given back. */
  drain: () => Promise<void>
}

type InFlightRun = { id: string; attempt: number; leaseLost: AbortController; ended: Promise<void> }

/** Executes claimed runs. `onSettled` is told when a service may have room for its waiting run. */
export function createProber(
  db: Db,
  worker: WorkerIdentity,
  options: ExecuteOptions & { largeBodies: number },
  writer: RecordWriter,
  onSettled: () => void,
): Prober {
  const inFlight = new Set<InFlightRun>()
  const stopping = new AbortController()
  const transportOf = shareTransport(options.transport, options.largeBodies)
  let lastTaken: LastTaken | null = null

  const execute = async (claimed: ClaimedRun, lost: AbortSignal) => {
    const { id, attempt, organizationId, serviceId, isSlow } = claimed
    const shared = transportOf({ organizationId, isSlow }, performance.now() + options.runTimeoutMs)
    try {
      const run = { id, attempt, organizationId, serviceId, agentId: worker.agentId, agentSlug: worker.agentSlug }
      const finished = await executeRun(
        run,
        { ...options, transport: shared.transport, clock: offsetClock(claimed.clockAheadMs) },
        AbortSignal.any([stopping.signal, lost]),
      )
      if (finished === null) return
      const stored = await writer.write({ ...finished, waitedMs: shared.waitedMs() })
      if (!stored) log.warn({ runId: id, attempt }, 'a result came too late: another attempt holds the run')
      onSettled()
    } catch (error) {
      if (lost.aborted) log.warn({ runId: id, attempt }, 'a run was stopped: another attempt holds it')
      else if (stopping.signal.aborted) await requeueRun(db, { id, attempt })
      // The lease runs out, and the run is taken up again.
      else log.error({ err: error, runId: id, serviceId, attempt }, 'a run could not be executed or stored')
    } finally {
      shared.release()
    }
  }

  return {
    lastTaken: () => lastTaken,
    async perform(run) {
      lastTaken = { task: 'probe', at: performance.now() }
      const leaseLost = new AbortController()
      const ended = execute(run, leaseLost.signal).catch((error) =>
        log.error({ err: error, runId: run.id, attempt: run.attempt }, 'a run could not be given back'),
      )
      const mine: InFlightRun = { id: run.id, attempt: run.attempt, leaseLost, ended }
      inFlight.add(mine)
      await ended
      inFlight.delete(mine)
    },

    async renewLeases(db) {
      const asked = [...inFlight]
      const kept = await renewLeases(
        db,
        worker,
        asked.map(({ id, attempt }) => ({ id, attempt })),
      )
      for (const one of asked) if (!kept.has(one.id)) one.leaseLost.abort()
    },

    async drain() {
      const grace = setTimeout(() => stopping.abort(), GRACE_MS)
      await Promise.all([...inFlight].map(({ ended }) => ended))
      clearTimeout(grace)
    },
  }
}
