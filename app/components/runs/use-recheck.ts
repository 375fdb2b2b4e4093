import { useQuery } from '@tanstack/react-query'
import type { Result } from '#server/schemas/results/results.ts'
import { query } from '../../client/api.ts'

/**
 * Returns the other run of a failed run and its recheck; null for other results. `hasPassed`: this run failed and its
 * recheck passed, so that this one counts nowhere.
 */
export function useRecheck(run: Result): { other: Result | null; hasPassed: boolean } {
  const otherId = run.recheckOf ?? run.recheckedBy
  const { data } = useQuery({
    ...query('results.get', { id: run.serviceId, resultId: otherId ?? run.id }),
    enabled: otherId !== null,
  })
  const other = otherId === null ? null : (data ?? null)
  return { other, hasPassed: run.recheckedBy !== null && other?.status === 'success' }
}
