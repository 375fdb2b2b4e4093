import type { Db } from '#db/client.ts'
import { log } from '#server/process/log.ts'
import { chooseFairly, type FairPermits } from '../fairness/fair-permits.ts'
import {
  type ClaimedRun,
  claimRuns,
  dropInactiveRuns,
  findQueuedRuns,
  requeueLostClaims,
  type WorkerIdentity,
} from '../leases.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export type PickerOptions = {
  db: Db
  worker: WorkerIdentity
  permits: FairPermits
  /** How many more runs may begin at the moment. */
  admit: () => number
  /** Performs a run; resolves when its slot is free again, and never rejects. */
  perform: (run: ClaimedRun) => Promise<void>
  /** Is told when runs were given up, so that their services have room for what waits. */
  onDropped: () => void
  /** Is told when a slot has become free and runs may be waiting for it. */
  onPermitFree: () => void
}

export type Picker = {
  /** Begins what is queued for the agent, as far as slots allow: one turn. */
  pick: () => Promise<void>
}

/** Picks runs out of the ledger's queue, by fair turns of their organizations. */
export function createPicker({ db, worker, permits, admit, perform, onDropped, onPermitFree }: PickerOptions): Picker {
  let after = FIRST_ID
  let isShort = false
  const inFlight = new Set<string>()
  /** Runs whose claim had no answer, and when: it may have been heard all the same, or may still be. */
  const unconfirmed = new Map<string, number>()

  const start = async (run: ClaimedRun, release: () => void) => {
    inFlight.add(run.id)
    await perform(run)
    inFlight.delete(run.id)
    release()
    if (isShort) onPermitFree()
  }

  /** Begins at most `most` of the runs of the next organizations; answers how many, and whether these were the last. */
  const pickBatch = async (most: number): Promise<{ begun: number; isEnd: boolean }> => {
    permits.markSlow()
    const { runs, last } = await findQueuedRuns(db, worker.agentId, after)
    after = last ?? FIRST_ID
    const chosen = chooseFairly(runs, permits, most)
    if (chosen.length < runs.length) isShort = true
    const begun = await begin(chosen.map(({ one, release }) => ({ id: one.id, release })))
    return { begun, isEnd: last === null }
  }

  const claim = async (ids: string[]): Promise<ClaimedRun[]> => {
    try {
      return await claimRuns(db, ids, worker)
    } catch (error) {
      for (const id of ids) unconfirmed.set(id, performance.now())
      throw error
    }
  }

  /** Puts back what was claimed unheard, which would wait for the end of its lease. No claim is under way meanwhile. */
  const requeueUnconfirmed = async () => {
    if (unconfirmed.size === 0) return
    const released = await requeueLostClaims(db, worker, [...unconfirmed.keys()], (id) => inFlight.has(id))
    if (released > 0) log.warn({ runs: released }, 'runs were claimed, and the answer was lost: they are queued again')
    const since = performance.now() - worker.leaseSeconds * 1_000
    for (const [id, at] of unconfirmed) if (at < since) unconfirmed.delete(id)
  }

  const begin = async (chosen: { id: string; release: () => void }[]): Promise<number> => {
    if (chosen.length === 0) return 0
    const taken = new Map(chosen.map(({ id, release }) => [id, release]))
    try {
      const ids = chosen.map(({ id }) => id)
      const claimed = await claim(ids)
      for (const run of claimed) {
        void start(run, taken.get(run.id) as () => void)
        taken.delete(run.id)
      }
      if (taken.size === 0) return claimed.length
      // Another's by now, unless nobody is to perform it any more.
      const givenUp = await dropInactiveRuns(db, [...taken.keys()])
      if (givenUp > 0) onDropped()
      return claimed.length + givenUp
    } finally {
      for (const release of taken.values()) release()
    }
  }

  return {
    async pick() {
      await requeueUnconfirmed()
      const most = admit()
      const isHeldBack = most < permits.free
      isShort = most === 0
      let begunInAll = 0
      for (let begunThisRound = 0; begunInAll < most; ) {
        const { begun, isEnd } = await pickBatch(most - begunInAll)
        begunInAll += begun
        begunThisRound += begun
        if (isEnd && begunThisRound === 0) break
        if (isEnd) begunThisRound = 0
      }
      // Held back by the load of the machine, what waits comes with the next turn.
      if (isHeldBack) isShort = false
    },
  }
}
