import { useQueries } from '@tanstack/react-query'
import type { StepBody } from '#server/schemas/results/results.ts'
import { query } from '../../client/api.ts'
import type { StepPair } from './pair-steps.ts'

/** Above this size, a body is loaded only when a member asks for it. */
const SIZE_MAX = 64_000

export type ResultIds = { serviceId: string; before: string; after: string }

/**
 * The bodies of a step of both runs. `large`: they are of the same size, and are not loaded unasked. `none`: not both are
 * stored, or they could not be loaded.
 */
export type Bodies =
  | { kind: 'same' | 'none' | 'large' | 'pending' }
  | { kind: 'different'; before: StepBody; after: StepBody }

/** Loads the stored bodies of the pairs, because only their content says whether they differ. */
export function useBodies(pairs: StepPair[], ids: ResultIds): Bodies[] {
  const wanted = pairs.map((pair) => isLoaded(pair))
  const results = useQueries({
    queries: pairs.flatMap(({ before, after }, index) =>
      [before, after].map((step, side) => ({
        ...query('results.body', {
          id: ids.serviceId,
          resultId: side === 0 ? ids.before : ids.after,
          stepId: step?.id ?? ids.after,
        }),
        enabled: wanted[index] ?? false,
        staleTime: Number.POSITIVE_INFINITY,
      })),
    ),
  })
  return pairs.map((pair, index): Bodies => {
    if (!hasBoth(pair)) return { kind: 'none' }
    if (!wanted[index]) return { kind: 'large' }
    const [before, after] = [results[index * 2], results[index * 2 + 1]]
    if (before?.isError || after?.isError) return { kind: 'none' }
    if (before?.data === undefined || after?.data === undefined) return { kind: 'pending' }
    if (before.data === null || after.data === null) return { kind: 'none' }
    const isSame = before.data.content === after.data.content && before.data.encoding === after.data.encoding
    return isSame ? { kind: 'same' } : { kind: 'different', before: before.data, after: after.data }
  })
}

function hasBoth({ before, after }: StepPair): boolean {
  return (before?.hasBody && after?.hasBody) ?? false
}

/** Bodies of different sizes differ, however large they are. */
function isLoaded(pair: StepPair): boolean {
  const [left, right] = [pair.before?.responseSizeBytes ?? 0, pair.after?.responseSizeBytes ?? 0]
  return hasBoth(pair) && (left !== right || left <= SIZE_MAX)
}
