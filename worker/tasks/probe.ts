import type { Task } from 'graphile-worker'
import type { Db } from '#db/client.ts'
import { JOBS } from '#server/jobs.ts'
import { log } from '#server/log.ts'
import { claimRun, giveUpRun, releaseRun, renewLeases, type WorkerIdentity } from '../ledger.ts'
import { type ExecuteOptions, executeRun } from '../probe/execute.ts'
import type { RecordWriter } from '../probe/record-writer.ts'

export type Prober = {
  task: Task
  /** Extends the leases of the runs in hand; those that are another's by now are stopped. */
  renew: () => Promise<void>
}

type Held = { id: string; attempt: number; lost: AbortController }

/** Executes dispatched runs. `onSettled` is told when a service may have room for its waiting run. */
export function createProber(
  db: Db,
  worker: WorkerIdentity,
  options: ExecuteOptions,
  writer: RecordWriter,
  onSettled: () => void,
): Prober {
  const held = new Set<Held>()

  return {
    async task(payload, { abortSignal }) {
      const { runId } = JOBS.probe.parse(payload)
      const claimed = await claimRun(db, runId, worker)
      if (!claimed) {
        // Another's, done, or gone with its service, unless nobody is to perform it any more.
        if (await giveUpRun(db, runId)) onSettled()
        return
      }
      const { id, attempt, organizationId, serviceId } = claimed
      const mine: Held = { id, attempt, lost: new AbortController() }
      held.add(mine)
      try {
        const run = { id, attempt, organizationId, serviceId, agentId: worker.agentId, agentSlug: worker.agentSlug }
        const finished = await executeRun(run, options, AbortSignal.any([abortSignal, mine.lost.signal]))
        if (finished === null) return
        const stored = await writer.write(finished)
        if (!stored) log.warn({ runId, attempt }, 'a result came too late: another attempt holds the run')
        onSettled()
      } catch (error) {
        if (mine.lost.signal.aborted) log.warn({ runId, attempt }, 'a run was stopped: another attempt holds it')
        else if (abortSignal.aborted) await releaseRun(db, worker, claimed)
        // The lease runs out, and the run is taken up again.
        else log.error({ err: error, runId, serviceId, attempt }, 'a run could not be executed or stored')
      } finally {
        held.delete(mine)
      }
    },

    async renew() {
      const asked = [...held]
      const kept = await renewLeases(
        db,
        worker,
        asked.map(({ id, attempt }) => ({ id, attempt })),
      )
      for (const one of asked) if (!kept.has(one.id)) one.lost.abort()
    },
  }
}
