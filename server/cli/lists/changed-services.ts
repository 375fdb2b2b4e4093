import type { ApiClient, Schemas } from '../client/create-client.ts'
import { listServices } from '../client/find-resources.ts'

/** A service that ran, and how many results it has more than before. */
export type Changed = { service: Schemas['Service']; newResults: number }

/**
 * Returns a poller: the services of these projects that ran since its last call, none at the first call. It costs a
 * request for 100 services, however many results they have.
 */
export function watchServices(client: ApiClient, projectIds: string[]): () => Promise<Changed[]> {
  let isFirst = true
  const totals = new Map<string, number>()
  return async () => {
    const changed: Changed[] = []
    for (const projectId of projectIds) {
      for (const service of await listServices(client, projectId)) {
        const total = service.metrics?.counters.probesTotal ?? 0
        const newResults = total - (totals.get(service.id) ?? 0)
        if (!isFirst && newResults > 0) changed.push({ service, newResults })
        totals.set(service.id, total)
      }
    }
    isFirst = false
    return changed
  }
}
