import type { BulkResult } from '#server/schemas/bulk.ts'
import { mutation } from '../../client/api.ts'

/** Takes back a bulk change. Returns how many services are as before, and how many could not be. */
export type Undo = () => Promise<{ done: number; skipped: number }>

/** The undo of a change of services; null when it changed none. What has changed since stays as it is. */
export function undoOf({ services }: BulkResult): Undo | null {
  const changes = services.flatMap(({ serviceId, undo }) => (undo ? [{ serviceId, ...undo }] : []))
  if (changes.length === 0) return null
  return async () => {
    const result = await mutation('services.bulk.undo').mutationFn({ changes })
    const done = result.services.filter(({ outcome }) => outcome === 'changed').length
    return { done, skipped: changes.length - done }
  }
}

export function undoOfRemoval({ services }: BulkResult): Undo | null {
  const ids = services.filter(({ outcome }) => outcome === 'changed').map(({ serviceId }) => serviceId)
  if (ids.length === 0) return null
  return async () => {
    const result = await mutation('deletions.restoreMany').mutationFn({ ids })
    const done = result.services.filter(({ outcome }) => outcome === 'changed').length
    return { done, skipped: ids.length - done }
  }
}

export function undoOfAcknowledgement(ids: string[]): Undo | null {
  if (ids.length === 0) return null
  return async () => {
    const { incidents } = await mutation('incidents.unacknowledgeMany').mutationFn({ ids })
    const done = incidents.filter(({ outcome }) => outcome === 'unacknowledged').length
    return { done, skipped: ids.length - done }
  }
}
