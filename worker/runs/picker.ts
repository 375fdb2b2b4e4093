import type { Db } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import type { FairQueue } from '#server/fairness/fair-queue.ts'
import { log } from '#server/process/log.ts'
import {
  type ClaimedRun,
  claimRuns,
  dropInactiveRuns,
  FIRST_ORGANIZATION,
  findQueuedRuns,
  type QueuedRun,
  requeueLostClaims,
  runsPerOrganization,
  type WorkerIdentity,
} from '#server/runs/probes/leases.ts'

export type PickerOptions = {
  db: Db
  worker: WorkerIdentity
  permits: FairQueue
  /** Returns how many more runs may start now. */
  admit: () => number
  /** Executes a run. Resolves when its permit is free again, with false if it is to be queued again. Never rejects. */
  perform: (run: ClaimedRun) => Promise<boolean>
  /** Called when queued runs were deleted, so that the waiting runs of their services can be queued. */
  onDropped: () => void
  /** Called when a permit is free again and queued runs were left. */
  onPermitFree: () => void
}

export type Picker = {
  /** Starts queued runs of the agent while permits are free: one tick. */
  pick: () => Promise<void>
  /** Whether a claim got no response lately: `pick` queues its runs again. */
  hasUnconfirmed: () => boolean
  /** Queues the runs again whose claim was not confirmed. Call it after the last `pick`. */
  drain: () => Promise<void>
}

/** Picks queued runs and shares the permits among their organizations. */
export function createPicker({ db, worker, permits, admit, perform, onDropped, onPermitFree }: PickerOptions): Picker {
  let after = FIRST_ORGANIZATION
  /** One organization alone gets larger batches: each costs two round trips to the database. */
  let runsMax = runsPerOrganization(1)
  /** Whether queued runs were left because no permit was free. */
  let isShortOfPermits = false
  const inFlight = new Set<string>()
  /** Runs whose claim got no response or that were not executed, and when: the claim may be committed, now or later. */
  const unconfirmed = new Map<string, { run: RowKey<string>; at: number }>()

  const start = async (run: ClaimedRun, release: () => void) => {
    inFlight.add(run.id)
    const isOver = await perform(run)
    inFlight.delete(run.id)
    if (!isOver) unconfirmed.set(run.id, { run, at: performance.now() })
    release()
    if (isShortOfPermits) onPermitFree()
  }

  /** Starts at most `max` runs of the next organizations. Returns how many, and whether no organization follows. */
  const pickBatch = async (max: number): Promise<{ started: number; isEnd: boolean }> => {
    const { runs, last, organizations } = await findQueuedRuns(db, worker.agentId, after, runsMax)
    runsMax = runsPerOrganization(organizations)
    after = last ?? FIRST_ORGANIZATION
    const chosen = permits.choose(runs, max)
    if (chosen.length < runs.length) isShortOfPermits = true
    const started = await startAll(chosen)
    return { started, isEnd: last === null }
  }

  const claim = async (runs: readonly RowKey<string>[]): Promise<ClaimedRun[]> => {
    try {
      return await claimRuns(db, runs, worker)
    } catch (error) {
      for (const run of runs) unconfirmed.set(run.id, { run, at: performance.now() })
      throw error
    }
  }

  /** Queues runs again whose claim was committed without a response. Otherwise they wait until their lease expires. */
  const requeueUnconfirmed = async () => {
    if (unconfirmed.size === 0) return
    const requeued = await requeueLostClaims(
      db,
      worker,
      [...unconfirmed.values()].map(({ run }) => run),
      (id) => inFlight.has(id),
    )
    if (requeued > 0) log.warn({ runs: requeued }, 'claimed runs were not executed, and are queued again')
    const since = performance.now() - worker.leaseSeconds * 1_000
    for (const [id, { at }] of unconfirmed) if (at < since) unconfirmed.delete(id)
  }

  /** Returns how many of the runs were started or deleted. */
  const startAll = async (chosen: { item: QueuedRun; release: () => void }[]): Promise<number> => {
    if (chosen.length === 0) return 0
    const unclaimed = new Map(chosen.map(({ item, release }) => [item.id, release]))
    try {
      const runs = chosen.map(({ item }) => item)
      const claimed = await claim(runs)
      for (const run of claimed) {
        void start(run, unclaimed.get(run.id) as () => void)
        unclaimed.delete(run.id)
      }
      if (unclaimed.size === 0) return claimed.length
      // Another worker claimed these, or their service was switched off.
      const dropped = await dropInactiveRuns(
        db,
        runs.filter(({ id }) => unclaimed.has(id)),
      )
      if (dropped > 0) onDropped()
      return claimed.length + dropped
    } finally {
      for (const release of unclaimed.values()) release()
    }
  }

  return {
    async pick() {
      await requeueUnconfirmed()
      const max = admit()
      const isThrottled = max < permits.free
      isShortOfPermits = max === 0
      let startedInAll = 0
      for (let startedThisRound = 0; startedInAll < max; ) {
        const { started, isEnd } = await pickBatch(max - startedInAll)
        startedInAll += started
        startedThisRound += started
        if (isEnd && startedThisRound === 0) break
        if (isEnd) startedThisRound = 0
      }
      // While the load of the machine limits the runs, a freed permit starts no run; the next tick does.
      if (isThrottled) isShortOfPermits = false
    },
    hasUnconfirmed: () => unconfirmed.size > 0,
    async drain() {
      await requeueUnconfirmed().catch((error) => {
        log.warn({ err: error }, 'runs that may be claimed could not be queued again')
      })
    },
  }
}
