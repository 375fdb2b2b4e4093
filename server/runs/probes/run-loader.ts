import type { Db } from '#db/client.ts'
import type { TrustSettings } from '../../scripts/verified-domains.ts'
import type { Vault } from '../../vault.ts'
import { type LoadableRun, type LoadedRun, loadRuns } from './load.ts'

/** Reads what a run depends on. Null when its service is deleted or has no script. */
export type RunLoader = (run: LoadableRun) => Promise<LoadedRun | null>

/** The most runs per statement: their scripts and variables are in memory together. */
const BATCH_RUNS = 50

type WaitingRun = {
  run: LoadableRun
  resolve: (loaded: LoadedRun | null) => void
  reject: (error: unknown) => void
}

/**
 * Loads runs in batches: those of one turn of the event loop form a batch, and while it is loaded, arriving runs form the
 * next one. A worker starts the runs of a claim in one turn, so they share five statements instead of five each.
 */
export function createRunLoader(db: Db, vault: Vault, settings: TrustSettings): RunLoader {
  const waiting: WaitingRun[] = []
  let isLoading = false

  const drain = async () => {
    isLoading = true
    // The runs that the caller starts after this one join its batch.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_RUNS)
      try {
        const runs = batch.map(({ run }) => run)
        const loaded = await loadRuns(db, vault, runs, settings)
        for (const [index, { resolve }] of batch.entries()) resolve(loaded[index] ?? null)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isLoading = false
  }

  return (run) =>
    new Promise((resolve, reject) => {
      waiting.push({ run, resolve, reject })
      if (!isLoading) void drain()
    })
}
