import type { Result } from '#server/schemas/results/results.ts'

/** Returns the numbers of the steps that are open when a run is shown: the failing one, or the only one. */
export function openAtFirst({ steps, failure }: Pick<Result, 'steps' | 'failure'>): number[] {
  if (steps.length === 1) return [1]
  return failure?.step ? [failure.step.stepNum] : []
}
