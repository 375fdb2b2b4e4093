import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, type SQL } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { incidentChanges, incidents } from '#db/schema/alerts.ts'
import { type Reach, reachesService } from '../../access.ts'
import { type IncidentRow, selectIncidents } from '../../alerts/alerts/incident-view.ts'
import type { AuditEntry } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { IncidentId } from '../../schemas/conventions.ts'
import { memberProcedure } from '../../trpc.ts'

/** Returns the condition for incidents of services that the member can reach. */
export function reachesIncident({ actor }: ActorContext, reach: Reach): SQL {
  return and(eq(incidents.organizationId, actor.organizationId), reachesService(actor, reach)) as SQL
}

/**
 * Returns an incident that the member can reach, with further columns.
 * @throws ApiError `not_found` as for its service
 */
export async function requireIncident<Further extends Record<string, SQL>>(
  ctx: ActorContext,
  id: string,
  reach: Reach,
  further?: Further,
) {
  const [incident] = await selectIncidents(ctx.db, further).where(
    and(eq(incidents.id, id), reachesIncident(ctx, reach)),
  )
  if (!incident) throw notFound('id')
  return incident
}

/** Loads the incident of input `id` into `ctx.incident`, or throws `not_found` as for its service. */
export const writableIncident = memberProcedure
  .meta({ needs: { on: ['incident'], level: 'write' } })
  .input(z.object({ id: IncidentId }))
  .use(async ({ ctx, input, next }) => next({ ctx: { incident: await requireIncident(ctx, input.id, 'write') } }))

/** Returns the row as it is stored now. @throws ApiError `not_found` when it was deleted in the meantime */
export async function reload(db: Queryable, ctx: ActorContext, id: string): Promise<IncidentRow> {
  const [row] = await selectIncidents(db).where(matchesId(incidents.id, ctx.actor.organizationId, id))
  if (!row) throw notFound()
  return row
}

type Change = Pick<typeof incidentChanges.$inferInsert, 'incidentId' | 'kind' | 'value'>

/** Stores changes of the caller for the timelines. */
export async function storeChanges(tx: Tx, { actor, now }: ActorContext, changes: Change[]): Promise<void> {
  if (changes.length === 0) return
  const { organizationId, membershipId, displayName: memberName } = actor
  await tx.insert(incidentChanges).values(
    changes.map((change) => ({
      id: uuidv7(),
      organizationId,
      membershipId,
      memberName,
      createdAt: now(),
      ...change,
    })),
  )
}

export function auditEntry(
  verb: string,
  { id, serviceName }: { id: string; serviceName: string },
  details: Record<string, unknown> = {},
): AuditEntry {
  return { action: `incident.${verb}`, entityType: 'incident', entityId: id, entityName: serviceName, details }
}
