import { SKIPPED_MAX, type ToggleResult } from '../schemas/toggles.ts'

export function emptyToggleResult(): ToggleResult {
  return { matched: 0, changed: 0, unchanged: 0, skipped: [], skippedTotal: 0, skippedByReason: {} }
}

/** Counts a service that was skipped. The result lists the first `SKIPPED_MAX` of them by name. */
export function addSkipped(result: ToggleResult, service: { id: string; name: string }, reason: string): void {
  if (result.skipped.length < SKIPPED_MAX) result.skipped.push({ serviceId: service.id, name: service.name, reason })
  result.skippedTotal++
  result.skippedByReason[reason] = (result.skippedByReason[reason] ?? 0) + 1
}
