import type { Db } from '#db/client.ts'
import { log } from '#server/process/log.ts'
import { chooseFairly, type FairSlots } from '../fairness/fair-permits.ts'
import { type ClaimedRun, claimRuns, findQueued, giveUpRuns, releaseUnheld, type WorkerIdentity } from '../leases.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'

export type PickerOptions = {
  db: Db
  worker: WorkerIdentity
  slots: FairSlots
  /** How many more runs may begin at the moment. */
  admit: () => number
  /** Performs a run; resolves when its slot is free again, and never rejects. */
  perform: (run: ClaimedRun) => Promise<void>
  /** Is told when runs were given up, so that their services have room for what waits. */
  onRoom: () => void
  /** Is told when a slot has become free and runs may be waiting for it. */
  onFree: () => void
}

export type Picker = {
  /** Begins what is queued for the agent, as far as slots allow: one turn. */
  pick: () => Promise<void>
}

/** Picks runs out of the ledger's queue, by fair turns of their organizations. */
export function createPicker({ db, worker, slots, admit, perform, onRoom, onFree }: PickerOptions): Picker {
  let after = FIRST
  let isWanted = false
  const inHand = new Set<string>()
  /** Runs whose claim had no answer, and when: it may have been heard all the same, or may still be. */
  const unsure = new Map<string, number>()

  const start = async (run: ClaimedRun, giveBack: () => void) => {
    inHand.add(run.id)
    await perform(run)
    inHand.delete(run.id)
    giveBack()
    if (isWanted) onFree()
  }

  /** Begins at most `most` of the runs of the next organizations; answers how many, and whether these were the last. */
  const pickSome = async (most: number): Promise<{ begun: number; isEnd: boolean }> => {
    slots.age()
    const { runs, last } = await findQueued(db, worker.agentId, after)
    after = last ?? FIRST
    const chosen = chooseFairly(runs, slots, most)
    if (chosen.length < runs.length) isWanted = true
    const begun = await begin(chosen.map(({ one, giveBack }) => ({ id: one.id, giveBack })))
    return { begun, isEnd: last === null }
  }

  const claim = async (ids: string[]): Promise<ClaimedRun[]> => {
    try {
      return await claimRuns(db, ids, worker)
    } catch (error) {
      for (const id of ids) unsure.set(id, performance.now())
      throw error
    }
  }

  /** Puts back what was claimed unheard, which would wait for the end of its lease. No claim is under way meanwhile. */
  const settleUnsure = async () => {
    if (unsure.size === 0) return
    const released = await releaseUnheld(db, worker, [...unsure.keys()], (id) => inHand.has(id))
    if (released > 0) log.warn({ runs: released }, 'runs were claimed, and the answer was lost: they are queued again')
    const since = performance.now() - worker.leaseSeconds * 1_000
    for (const [id, at] of unsure) if (at < since) unsure.delete(id)
  }

  const begin = async (chosen: { id: string; giveBack: () => void }[]): Promise<number> => {
    if (chosen.length === 0) return 0
    const taken = new Map(chosen.map(({ id, giveBack }) => [id, giveBack]))
    try {
      const ids = chosen.map(({ id }) => id)
      const claimed = await claim(ids)
      for (const run of claimed) {
        void start(run, taken.get(run.id) as () => void)
        taken.delete(run.id)
      }
      if (taken.size === 0) return claimed.length
      // Another's by now, unless nobody is to perform it any more.
      const givenUp = await giveUpRuns(db, [...taken.keys()])
      if (givenUp > 0) onRoom()
      return claimed.length + givenUp
    } finally {
      for (const giveBack of taken.values()) giveBack()
    }
  }

  return {
    async pick() {
      await settleUnsure()
      const most = admit()
      const isHeldBack = most < slots.free
      isWanted = most === 0
      let begunInAll = 0
      for (let begunThisRound = 0; begunInAll < most; ) {
        const { begun, isEnd } = await pickSome(most - begunInAll)
        begunInAll += begun
        begunThisRound += begun
        if (isEnd && begunThisRound === 0) break
        if (isEnd) begunThisRound = 0
      }
      // Held back by the load of the machine, what waits comes with the next turn.
      if (isHeldBack) isWanted = false
    },
  }
}
