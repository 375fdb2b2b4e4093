import type { Tx } from '#db/client.ts'
import { servicesOf } from '#db/row-match.ts'
import { readMaintained } from '../../schedule/maintenance/holding.ts'
import type { PreparedRun } from './prepared-run.ts'

/**
 * Marks the runs during which a maintenance held, even for a moment: a run that began before a deploy may fail by it, and
 * so may one that ends after it.
 */
export async function markMaintained(tx: Tx, runs: PreparedRun[]): Promise<PreparedRun[]> {
  if (runs.length === 0) return runs
  const first = Math.min(...runs.map(({ result }) => result.startedAt.getTime()))
  const maintained = await readMaintained(tx, servicesOf(runs), new Date(first))
  if (maintained.size === 0) return runs
  return runs.map((run) => {
    const start = run.result.startedAt.getTime()
    const end = start + run.result.runDurationMs
    const held = maintained
      .get(run.serviceId)
      ?.some(({ startsAt, endsAt }) => startsAt.getTime() <= end && start < endsAt.getTime())
    return held ? { ...run, duringMaintenance: true as const } : run
  })
}
