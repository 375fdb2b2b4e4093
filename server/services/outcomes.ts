import type { ServiceOutcome } from '../schemas/bulk.ts'
import { SKIPPED_MAX, type ToggleResult } from '../schemas/toggles.ts'

type Named = { id: string; name: string }

export function changed({ id, name }: Named): ServiceOutcome {
  return { serviceId: id, name, outcome: 'changed', reason: null }
}

export function unchanged({ id, name }: Named): ServiceOutcome {
  return { serviceId: id, name, outcome: 'unchanged', reason: null }
}

/** `reason` is an error code. */
export function skipped({ id, name }: Named, reason: string): ServiceOutcome {
  return { serviceId: id, name, outcome: 'skipped', reason }
}

/** Counts the outcomes, and lists the first `SKIPPED_MAX` skipped services. */
export function toToggleResult(outcomes: ServiceOutcome[]): ToggleResult {
  const count = (wanted: ServiceOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  const refused = outcomes.flatMap(({ serviceId, name, reason }) =>
    reason === null ? [] : [{ serviceId, name, reason }],
  )
  const skippedByReason: Record<string, number> = {}
  for (const { reason } of refused) skippedByReason[reason] = (skippedByReason[reason] ?? 0) + 1
  return {
    matched: outcomes.length,
    changed: count('changed'),
    unchanged: count('unchanged'),
    skipped: refused.slice(0, SKIPPED_MAX),
    skippedTotal: refused.length,
    skippedByReason,
  }
}
