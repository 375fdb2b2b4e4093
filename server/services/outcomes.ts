import type { Tx } from '#db/client.ts'
import { ApiError } from '../errors.ts'
import type { ServiceOutcome, Undo } from '../schemas/bulk.ts'
import { SKIPPED_MAX, type ToggleResult } from '../schemas/toggles.ts'

type Named = { id: string; name: string }

/** `undo` has what the change set, and what was there before. */
export function changed({ id, name }: Named, undo?: Undo): ServiceOutcome {
  return { serviceId: id, name, outcome: 'changed', reason: null, ...(undo && { undo }) }
}

export function unchanged({ id, name }: Named): ServiceOutcome {
  return { serviceId: id, name, outcome: 'unchanged', reason: null }
}

/** `reason` is an error code, or one of `OWN_REASONS`. */
export function skipped({ id, name }: Named, reason: string): ServiceOutcome {
  return { serviceId: id, name, outcome: 'skipped', reason }
}

/** Runs a change of one service in a savepoint. One that throws an `ApiError` skips it, and leaves nothing written. */
export async function attempt(
  tx: Tx,
  service: Named,
  change: (savepoint: Tx) => Promise<ServiceOutcome>,
): Promise<ServiceOutcome> {
  try {
    return await tx.transaction(change)
  } catch (error) {
    if (error instanceof ApiError) return skipped(service, error.api)
    throw error
  }
}

/** Sorts outcomes as the ids of the request. */
export function inOrder(ids: string[], outcomes: ServiceOutcome[]): ServiceOutcome[] {
  const places = new Map(ids.map((id, place) => [id, place]))
  return outcomes.toSorted((a, b) => (places.get(a.serviceId) ?? 0) - (places.get(b.serviceId) ?? 0))
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
