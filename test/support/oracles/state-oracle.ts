import type { services } from '#db/schema/resources.ts'
import type { serviceStates } from '#db/schema/results.ts'

type ServiceRow = Pick<typeof services.$inferSelect, 'isActive' | 'createdAt'>
type StateRow = typeof serviceStates.$inferSelect
type Shown = { state: string; since: Date | null; cause: string | null }

/** What the board must show of a service: an independent model, by exclusion from the harmless states. */
export function shownState(service: ServiceRow, row: StateRow | null, incident: { failingSince: Date } | null): Shown {
  if (!service.isActive) return { state: 'paused', since: null, cause: null }
  if (!row?.lastRunAt) return { state: 'pending', since: service.createdAt, cause: null }
  const isWell = row.lastStatus === 'success' && !row.isAlerting
  if (!isWell) {
    const since = incident?.failingSince ?? row.failingSince ?? row.lastStatusSince
    const cause = row.lastFailure?.summary ?? (incident ? 'incident' : 'the run failed')
    return { state: 'failing', since, cause: String(cause) }
  }
  const { degradation } = row
  if (degradation) {
    return { state: 'degraded', since: new Date(degradation.since), cause: degradation.summary }
  }
  return { state: 'passing', since: row.lastStatusSince, cause: null }
}
