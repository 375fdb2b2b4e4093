import type { Queryable } from '#db/client.ts'
import { getTableColumns, type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { incidents, type Severity } from '#db/schema/alerts.ts'
import { projects, services } from '#db/schema/resources.ts'
import type { ActorContext } from '../../context.ts'
import { isBodyExpired } from '../../results/results/retention.ts'
import { INCIDENT_SEVERITIES, type Incident } from '../../schemas/alerts/incidents.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
import { presentObservation, type StoredObservation, selectObservations } from './observations.ts'

/** An incident with the name and the place of its service, and while it is open with what the agents see now. */
export type IncidentRow = typeof incidents.$inferSelect & {
  serviceName: string
  projectId: string
  workspaceId: string
  observed: StoredObservation[] | null
  shownSeverity: Severity | null
}

const observed = sql<StoredObservation[] | null>`case when ${incidents.closedAt} is null then
  ${selectObservations({ organizationId: incidents.organizationId, id: incidents.serviceId })} end`

/** The severity that a member set, or else the first label of the service that is one of the words. */
export const shownSeverity = sql<Severity | null>`coalesce(${incidents.severity},
  (select lower(held.label) from unnest(${services.labels}) with ordinality held(label, place)
    where lower(held.label) = any(${`{${INCIDENT_SEVERITIES.join(',')}}`}::text[]) order by held.place limit 1))`

type PresentContext = Pick<ActorContext, 'settings' | 'now'>

/**
 * Selects the incidents of services that still exist, with further columns. The caller adds the condition of what the
 * member reaches.
 */
export function selectIncidents<Further extends Record<string, SQL>>(db: Queryable, further = {} as Further) {
  return db
    .select({
      ...getTableColumns(incidents),
      serviceName: services.name,
      projectId: services.projectId,
      workspaceId: projects.workspaceId,
      observed,
      shownSeverity,
      ...further,
    })
    .from(incidents)
    .innerJoin(services, matchesRow(incidents.serviceId, services))
    .innerJoin(projects, matchesRow(services.projectId, projects))
}

/** Returns an incident as the API shows it. */
export function presentIncident(ctx: PresentContext, row: IncidentRow): Incident {
  const { BASE_URL } = ctx.settings
  const end = row.closedAt ?? ctx.now()
  return {
    id: row.id,
    serviceId: row.serviceId,
    serviceName: row.serviceName,
    projectId: row.projectId,
    workspaceId: row.workspaceId,
    state: row.closedAt ? 'closed' : 'open',
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    failingSince: row.failingSince.toISOString(),
    // A run can start on a worker whose clock is ahead of ours.
    durationMs: Math.max(0, end.getTime() - row.failingSince.getTime()),
    summary: row.summary,
    failure: presentFailure(ctx, row),
    agents: row.observed?.map(presentObservation) ?? row.agents,
    firstResultId: row.firstResultId,
    lastPassingResultId: row.lastPassingResultId,
    recoveredResultId: row.recoveredResultId,
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: row.acknowledgedBy ? { orgUserId: row.acknowledgedBy, name: row.acknowledgedName ?? '' } : null,
    flappingSince: row.flappingSince?.toISOString() ?? null,
    assignedAt: row.assignedAt?.toISOString() ?? null,
    assignee: row.assignedTo ? { orgUserId: row.assignedTo, name: row.assignedName ?? '' } : null,
    severity: row.shownSeverity,
    severitySource: row.severity ? 'member' : row.shownSeverity ? 'label' : null,
    lastRemindedAt: row.remindedAt?.toISOString() ?? null,
    url: BASE_URL ? `${BASE_URL}/incidents/${row.id}` : null,
  }
}

/** The excerpt of a body is shown as long as bodies are kept. */
function presentFailure({ settings, now }: PresentContext, { failure, failingSince }: IncidentRow): RunFailure {
  const isExpired = isBodyExpired(failingSince, now(), settings.BODY_RETENTION_DAYS)
  return { ...(failure as RunFailure), ...(isExpired ? { excerpt: null } : {}) }
}
