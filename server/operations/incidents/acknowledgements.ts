import { and, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { matchesAny, matchesId } from '#db/row-match.ts'
import { incidents } from '#db/schema/alerts.ts'
import { presentIncident, selectIncidents } from '../../alerts/alerts/incident-view.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { AcknowledgeResult, IncidentSelection } from '../../schemas/alerts/incident-changes.ts'
import { Incident } from '../../schemas/alerts/incidents.ts'
import { memberProcedure } from '../../trpc.ts'
import { auditEntry, reachesIncident, reload, storeChanges, writableIncident } from './reached-incident.ts'

const tags = ['Incidents']

/** The first acknowledgement stays. A closed incident can be acknowledged too: it then says who looked into it. */
export const acknowledge = writableIncident
  .meta({
    openapi: {
      method: 'POST',
      path: '/incidents/{id}/acknowledge',
      operationId: 'acknowledgeIncident',
      summary: 'Acknowledge an incident, which stops its reminders',
      description: 'The first acknowledgement stays: a later one changes nothing.',
      tags,
    },
    api: { noBody: true },
  })
  .output(Incident)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      const { id } = ctx.incident
      const { organizationId, membershipId, displayName } = ctx.actor
      const changed = await tx
        .update(incidents)
        .set({ acknowledgedAt: ctx.now(), acknowledgedBy: membershipId, acknowledgedName: displayName })
        .where(and(matchesId(incidents.id, organizationId, id), isNull(incidents.acknowledgedAt)))
        .returning({ incidentId: incidents.id })
      const row = await reload(tx, ctx, id)
      await storeChanges(
        tx,
        ctx,
        changed.map((one) => ({ ...one, kind: 'acknowledged' })),
      )
      await audit(tx, ctx, auditEntry('acknowledge', row, changed.length === 0 ? { changed: false } : {}))
      return presentIncident(ctx, row)
    }),
  )

export const unacknowledge = writableIncident
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/incidents/{id}/acknowledge',
      operationId: 'unacknowledgeIncident',
      summary: 'Take back the acknowledgement of an incident, which resumes its reminders',
      description:
        'The timeline keeps who acknowledged before. A reminder that would have been due meanwhile is sent within a minute. An incident that is not acknowledged stays as it is.',
      tags,
    },
  })
  .output(Incident)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      const { id } = ctx.incident
      const changed = await tx
        .update(incidents)
        .set({ acknowledgedAt: null, acknowledgedBy: null, acknowledgedName: null })
        .where(and(matchesId(incidents.id, ctx.actor.organizationId, id), isNotNull(incidents.acknowledgedAt)))
        .returning({ incidentId: incidents.id })
      const row = await reload(tx, ctx, id)
      await storeChanges(
        tx,
        ctx,
        changed.map((one) => ({ ...one, kind: 'unacknowledged' })),
      )
      await audit(tx, ctx, auditEntry('unacknowledge', row, changed.length === 0 ? { changed: false } : {}))
      return presentIncident(ctx, row)
    }),
  )

/** Each incident is judged alone: one out of reach does not keep the others from being acknowledged. */
export const acknowledgeMany = memberProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/incidents/acknowledge',
      operationId: 'acknowledgeIncidents',
      summary: 'Acknowledge several incidents',
      description:
        'Acknowledges each incident whose service the caller may change, and says for each what happened. When the caller may change none of them, the response is 404.',
      tags,
    },
    needs: { on: ['incident'], level: 'write' },
  })
  .input(IncidentSelection)
  .use(async ({ ctx, input, next }) => {
    const [reached] = await selectIncidents(ctx.db).where(isSelected(ctx, input.ids)).limit(1)
    if (!reached) throw notFound('ids')
    return next()
  })
  .output(AcknowledgeResult)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const ids = [...new Set(input.ids.map((id) => id.toLowerCase()))]
      const { organizationId, membershipId, displayName } = ctx.actor
      const found = await selectIncidents(tx)
        .where(isSelected(ctx, ids))
        .orderBy(incidents.id)
        .for('no key update', { of: incidents })
      const open = found.filter(({ acknowledgedAt }) => acknowledgedAt === null)
      const changed = open.map(({ id }) => id)
      if (open.length > 0) {
        await tx
          .update(incidents)
          .set({ acknowledgedAt: ctx.now(), acknowledgedBy: membershipId, acknowledgedName: displayName })
          .where(matchesAny(incidents.id, organizationId, changed))
        await storeChanges(
          tx,
          ctx,
          changed.map((incidentId) => ({ incidentId, kind: 'acknowledged' })),
        )
      }
      await audit(
        tx,
        ctx,
        ...found.map((row) => auditEntry('acknowledge', row, changed.includes(row.id) ? {} : { changed: false })),
      )
      const outcomes = new Map(found.map(({ id }) => [id, changed.includes(id) ? 'acknowledged' : 'unchanged']))
      return { incidents: ids.map((incidentId) => ({ incidentId, outcome: outcomes.get(incidentId) ?? 'not_found' })) }
    }),
  )

/** Returns the condition for those of the incidents that the member may change. */
function isSelected(ctx: ActorContext, ids: string[]): SQL {
  return and(matchesAny(incidents.id, ctx.actor.organizationId, ids), reachesIncident(ctx, 'write')) as SQL
}
