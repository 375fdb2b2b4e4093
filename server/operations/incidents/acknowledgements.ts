import { and, isNotNull, isNull } from '#db/drizzle.cjs'
import { matchesAny, matchesId } from '#db/row-match.ts'
import { incidents } from '#db/schema/alerts.ts'
import { type IncidentRow, presentIncident, selectIncidents } from '../../alerts/alerts/incident-view.ts'
import { audit } from '../../audit.ts'
import type { Actor, ActorContext } from '../../context.ts'
import { AcknowledgeResult, IncidentSelection } from '../../schemas/alerts/incident-changes.ts'
import { Incident } from '../../schemas/alerts/incidents.ts'
import { memberProcedure } from '../../trpc.ts'
import { auditEntry, reachesIncident, reload, storeChanges, writableIncident } from './reached-incident.ts'

const tags = ['Incidents']

const NOT_ACKNOWLEDGED = { acknowledgedAt: null, acknowledgedBy: null, acknowledgedName: null }

function acknowledgedBy({ membershipId, displayName }: Actor, acknowledgedAt: Date) {
  return { acknowledgedAt, acknowledgedBy: membershipId, acknowledgedName: displayName }
}

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
      const changed = await tx
        .update(incidents)
        .set(acknowledgedBy(ctx.actor, ctx.now()))
        .where(and(matchesId(incidents.id, ctx.actor.organizationId, id), isNull(incidents.acknowledgedAt)))
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
        .set(NOT_ACKNOWLEDGED)
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
      description: 'Acknowledges each incident whose service the caller may change, and says for each what happened.',
      tags,
    },
    needs: { on: ['incident'], level: 'write' },
  })
  .input(IncidentSelection)
  .output(AcknowledgeResult)
  .mutation(({ ctx, input }) => changeMany(ctx, input.ids, ACKNOWLEDGE))

export const unacknowledgeMany = memberProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/incidents/unacknowledge',
      operationId: 'unacknowledgeIncidents',
      summary: 'Take back the acknowledgements of several incidents',
      description:
        'Takes back the acknowledgement of each incident whose service the caller may change, which resumes its reminders, and says for each what happened.',
      tags,
    },
    needs: { on: ['incident'], level: 'write' },
  })
  .input(IncidentSelection)
  .output(AcknowledgeResult)
  .mutation(({ ctx, input }) => changeMany(ctx, input.ids, UNACKNOWLEDGE))

const ACKNOWLEDGE = {
  verb: 'acknowledge',
  outcome: 'acknowledged',
  isWanted: ({ acknowledgedAt }: IncidentRow) => acknowledgedAt === null,
  set: ({ actor, now }: ActorContext) => acknowledgedBy(actor, now()),
} as const

const UNACKNOWLEDGE = {
  verb: 'unacknowledge',
  outcome: 'unacknowledged',
  isWanted: ({ acknowledgedAt }: IncidentRow) => acknowledgedAt !== null,
  set: () => NOT_ACKNOWLEDGED,
} as const

type Change = typeof ACKNOWLEDGE | typeof UNACKNOWLEDGE

/** Changes those of the incidents that the member may change, in one transaction. */
function changeMany(ctx: ActorContext, given: string[], change: Change): Promise<AcknowledgeResult> {
  return ctx.db.transaction(async (tx) => {
    const ids = [...new Set(given.map((id) => id.toLowerCase()))]
    const { organizationId } = ctx.actor
    const found = await selectIncidents(tx)
      .where(and(matchesAny(incidents.id, organizationId, ids), reachesIncident(ctx, 'write')))
      .orderBy(incidents.id)
      .for('no key update', { of: incidents })
    const changed = found.filter(change.isWanted).map(({ id }) => id)
    if (changed.length > 0) {
      await tx
        .update(incidents)
        .set(change.set(ctx))
        .where(matchesAny(incidents.id, organizationId, changed))
    }
    await storeChanges(
      tx,
      ctx,
      changed.map((incidentId) => ({ incidentId, kind: change.outcome })),
    )
    await audit(
      tx,
      ctx,
      ...found.map((row) => auditEntry(change.verb, row, changed.includes(row.id) ? {} : { changed: false })),
    )
    const outcomes = new Map(found.map(({ id }) => [id, changed.includes(id) ? change.outcome : 'unchanged']))
    return { incidents: ids.map((incidentId) => ({ incidentId, outcome: outcomes.get(incidentId) ?? 'not_found' })) }
  })
}
