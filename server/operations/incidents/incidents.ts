import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesId, type RowKey } from '#db/row-match.ts'
import { incidentNotes, incidents } from '#db/schema/alerts.ts'
import { presentIncident } from '../../alerts/alerts/incident-view.ts'
import { selectTimeline, timelineOf } from '../../alerts/alerts/timeline.ts'
import { audit } from '../../audit.ts'
import { ApiError } from '../../errors.ts'
import { IncidentQuery, IncidentSearchPage } from '../../schemas/alerts/incident-query.ts'
import {
  INCIDENT_NOTES_MAX,
  INCIDENT_NOTES_SHOWN,
  IncidentDetails,
  IncidentNote,
  IncidentNoteText,
  IncidentPage,
} from '../../schemas/alerts/incidents.ts'
import { IncidentId } from '../../schemas/conventions.ts'
import { RESOURCE_TYPES } from '../../schemas/scopes.ts'
import { memberProcedure, router } from '../../trpc.ts'
import { acknowledge, acknowledgeMany, unacknowledge, unacknowledgeMany } from './acknowledgements.ts'
import { assignees, update } from './changes.ts'
import { readIncidents, selectWritable } from './incident-page.ts'
import { presentPostMortem, selectPostMortem } from './post-mortem.ts'
import { auditEntry, requireIncident, writableIncident } from './reached-incident.ts'

const tags = ['Incidents']

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/incidents',
      operationId: 'listIncidents',
      summary: 'List the incidents, open ones first, newest first',
      description:
        'The incidents of services that the caller can read. At most one of `serviceId`, `projectId` and `workspaceId` may be given.',
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'visible' },
  })
  .input(IncidentQuery)
  .output(IncidentPage)
  .query(({ ctx, input }) => readIncidents(ctx, input))

/** The list of the dashboard, which offers to change only what the member may change. */
const search = memberProcedure
  .input(IncidentQuery)
  .output(IncidentSearchPage)
  .query(async ({ ctx, input }) => {
    const page = await readIncidents(ctx, input)
    const writable = await selectWritable(
      ctx,
      page.items.map(({ id }) => id),
    )
    return { ...page, items: page.items.map((item) => ({ ...item, mayWrite: writable.has(item.id) })) }
  })

const get = memberProcedure
  .meta({
    needs: { on: ['incident'], level: 'read' },
    openapi: {
      method: 'GET',
      path: '/incidents/{id}',
      operationId: 'getIncident',
      summary: 'Get an incident with its notes, post-mortem and timeline',
      description: 'What failed and since when, what each agent sees, and who was notified.',
      tags,
    },
  })
  .input(z.object({ id: IncidentId }))
  .output(IncidentDetails)
  .query(async ({ ctx, input }) => {
    const { actor } = ctx
    const incident = await requireIncident(ctx, input.id, 'read', {
      notes: selectNotes(),
      postMortem: selectPostMortem(),
      ...selectTimeline(actor),
    })
    const notes = incident.notes.map(presentNote)
    const postMortem = incident.postMortem && presentPostMortem(incident.postMortem)
    return { ...presentIncident(ctx, incident), postMortem, notes, ...timelineOf(actor, incident, notes) }
  })

const addNote = writableIncident
  .meta({
    openapi: {
      method: 'POST',
      path: '/incidents/{id}/notes',
      operationId: 'addIncidentNote',
      summary: 'Add a note to an incident',
      description: `An incident has at most ${INCIDENT_NOTES_MAX} notes.`,
      tags,
    },
    api: { errors: ['note_limit_reached'] },
  })
  .input(z.object({ text: IncidentNoteText }))
  .output(IncidentNote)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { id: incidentId, organizationId } = ctx.incident
      const { membershipId, displayName } = ctx.actor
      await requireRoom(tx, { organizationId: ctx.actor.organizationId, id: incidentId })
      const row = {
        id: uuidv7(),
        incidentId,
        organizationId,
        membershipId,
        authorName: displayName,
        text: input.text,
        createdAt: ctx.now(),
      }
      await tx.insert(incidentNotes).values(row)
      await audit(tx, ctx, auditEntry('note', ctx.incident, { noteId: row.id }))
      return presentNote(row)
    }),
  )

export const incidentsRouter = router({
  list,
  search,
  get,
  acknowledge,
  unacknowledge,
  acknowledgeMany,
  unacknowledgeMany,
  update,
  assignees,
  addNote,
})

/**
 * Counts under a lock, so that parallel requests cannot exceed the limit.
 * @throws ApiError `note_limit_reached`
 */
async function requireRoom(tx: Tx, { organizationId, id: incidentId }: RowKey<string>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`notes:${incidentId}`}, 0))`)
  const held = await tx.$count(incidentNotes, matchesId(incidentNotes.incidentId, organizationId, incidentId))
  if (held >= INCIDENT_NOTES_MAX) throw new ApiError('note_limit_reached', { max: INCIDENT_NOTES_MAX })
}

/** A note as it is shown. In the statement that reads the incident's row, PostgreSQL writes the instant in its own form. */
type ShownNote = Pick<typeof incidentNotes.$inferSelect, 'id' | 'text' | 'membershipId' | 'authorName'> & {
  createdAt: Date | string
}

/** Selects the latest notes of an incident, oldest first. */
function selectNotes(): SQL<ShownNote[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('id', latest.id, 'text', latest.text, 'createdAt', latest.created_at,
      'membershipId', latest.membership_id, 'authorName', latest.author_name) order by latest.created_at, latest.id), '[]')
    from (
      select n.* from incident_notes n
      where n.organization_id = ${incidents.organizationId} and n.incident_id = ${incidents.id}
      order by n.created_at desc, n.id desc limit ${INCIDENT_NOTES_SHOWN}) latest)`
}

function presentNote({ id, text, createdAt, membershipId, authorName }: ShownNote): IncidentNote {
  return {
    id,
    text,
    createdAt: new Date(createdAt).toISOString(),
    author: { orgUserId: membershipId, name: authorName },
  }
}
