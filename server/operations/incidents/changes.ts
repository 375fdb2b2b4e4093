import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { matchesId } from '#db/row-match.ts'
import { type IncidentChangeKind, incidents } from '#db/schema/alerts.ts'
import { type IncidentRow, presentIncident } from '../../alerts/alerts/incident-view.ts'
import { findReaders, type Reader } from '../../alerts/alerts/listeners.ts'
import { assignmentMail } from '../../alerts/mail/assignment-mail.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid } from '../../errors.ts'
import { countRequest, rateLimitKey } from '../../http/rate-limits.ts'
import { pageUrl } from '../../identity/accounts/link-tokens.ts'
import { enqueueMail } from '../../schedule/jobs.ts'
import { IncidentAssignee, IncidentChange } from '../../schemas/alerts/incident-changes.ts'
import { Incident } from '../../schemas/alerts/incidents.ts'
import { savePostMortem } from './post-mortem.ts'
import { auditEntry, reload, storeChanges, writableIncident } from './reached-incident.ts'

const tags = ['Incidents']

export const update = writableIncident
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/incidents/{id}',
      operationId: 'updateIncident',
      summary: 'Assign an incident, set its severity, or write its post-mortem',
      description:
        'Fields that are absent stay as they are. The assignee must be an active member who can read the service. Without read on Users, the caller can assign the incident only to themselves.',
      tags,
    },
    api: { errors: ['field_invalid'] },
  })
  .input(IncidentChange)
  .output(Incident)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { id } = ctx.incident
      const isIncident = matchesId(incidents.id, ctx.actor.organizationId, id)
      await tx.select({ id: incidents.id }).from(incidents).where(isIncident).for('no key update')
      const before = await reload(tx, ctx, id)
      const set: Partial<typeof incidents.$inferInsert> = {}
      const changes: { kind: IncidentChangeKind; value?: string | null }[] = []

      const { severity, postMortem } = input
      const assigneeId = input.assigneeId?.toLowerCase() ?? input.assigneeId
      let assignee: Reader | null = null
      if (assigneeId !== undefined && assigneeId !== before.assignedTo) {
        if (assigneeId !== null) assignee = await requireAssignee(tx, ctx, before, assigneeId)
        set.assignedAt = assignee && ctx.now()
        set.assignedTo = assigneeId
        set.assignedName = assignee?.displayName ?? null
        changes.push(assignee ? { kind: 'assigned', value: assignee.displayName } : { kind: 'unassigned' })
      }
      if (severity !== undefined && severity !== before.severity) {
        set.severity = severity
        changes.push({ kind: 'severity', value: severity })
      }
      const isWritten = postMortem !== undefined && (await savePostMortem(tx, ctx, id, postMortem ?? ''))
      if (isWritten) changes.push({ kind: 'post_mortem' })
      if (Object.keys(set).length > 0) await tx.update(incidents).set(set).where(isIncident)
      await storeChanges(
        tx,
        ctx,
        changes.map((change) => ({ incidentId: id, ...change })),
      )

      const row = await reload(tx, ctx, id)
      if (assignee) await mailAssignee(tx, ctx, row, assignee)
      const { changed: _, ...fields } = changedFields(shownOf(before), shownOf(row))
      const details = changes.length === 0 ? { changed: false } : fields
      await audit(tx, ctx, auditEntry('update', row, isWritten ? { ...details, hidden: ['postMortem'] } : details))
      return presentIncident(ctx, row)
    }),
  )

export const assignees = writableIncident
  .meta({
    openapi: {
      method: 'GET',
      path: '/incidents/{id}/assignees',
      operationId: 'listIncidentAssignees',
      summary: 'List the members to whom an incident can be assigned',
      description:
        'The active members who can read the service, by name. Without read on Users, the caller alone is listed.',
      tags,
    },
  })
  .output(z.array(IncidentAssignee))
  .query(async ({ ctx }) => {
    const { membershipId, sections } = ctx.actor
    const readers = await findReaders(ctx.db, ctx.incident, sections.users > 0 ? undefined : membershipId)
    return readers.map((reader) => ({
      orgUserId: reader.membershipId,
      name: reader.displayName,
      email: reader.email,
      isCaller: reader.membershipId === membershipId,
    }))
  })

/** The fields that the audit log records. */
function shownOf({ assignedName: assignee, severity }: IncidentRow) {
  return { assignee, severity }
}

/** @throws ApiError `field_invalid`, the same for members who may not read the service and for unknown ids */
async function requireAssignee(tx: Tx, { actor }: ActorContext, incident: IncidentRow, id: string): Promise<Reader> {
  if (actor.sections.users === 0 && id !== actor.membershipId) {
    throw fieldInvalid('assigneeId', 'must be your own membership: to assign others, you need read on Users')
  }
  const [reader] = await findReaders(tx, incident, id)
  if (!reader) throw fieldInvalid('assigneeId', 'must be the membership of an active member who can read the service')
  return reader
}

/** Who assigns the same incident again and again fills no mailbox. */
const MAILS_PER_HOUR = { max: 3, windowSeconds: 3_600 }

/** Without a mail server, only the page shows the assignment. */
async function mailAssignee(tx: Tx, ctx: ActorContext, incident: IncidentRow, { membershipId, email }: Reader) {
  const { actor, settings } = ctx
  if (membershipId === actor.membershipId || settings.SMTP_URL === undefined) return
  const key = rateLimitKey('mail', `assignment of ${incident.id} to ${membershipId}`)
  const { used } = await countRequest(tx, key, MAILS_PER_HOUR)
  if (used > MAILS_PER_HOUR.max) return
  const url = pageUrl(settings, `incidents/${incident.id}`)
  const given = { ...incident, actorName: actor.displayName, timezone: actor.timezone, url }
  await enqueueMail(tx, actor.organizationId, assignmentMail(email, given))
}
