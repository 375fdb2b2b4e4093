import type { Load } from '../../prefetch.tsx'

/** Loads for a page what `RunDifferences` shows of two results of a service: both, and their scripts if they differ. */
export async function loadDifferences(load: Load, id: string, ...resultIds: [string, string]): Promise<void> {
  const runs = await Promise.all(resultIds.map((resultId) => load('results.get', { id, resultId })))
  const versions = new Set(runs.flatMap((run) => run?.scriptVersion ?? []))
  if (versions.size < 2) return
  await Promise.all([...versions].map((version) => load('services.versions.get', { id, version })))
}
