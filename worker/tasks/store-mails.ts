import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { type alertEvents, alertMessages, type EventKind } from '#db/schema/alerts.ts'
import type { Recipient } from '#server/alerts/listeners.ts'
import { findSilences, type ServiceLocation } from '#server/alerts/recipients.ts'
import { type Suppression, silencedNow } from '#server/alerts/silencing.ts'
import { MAIL_NOT_CONFIGURED } from '#server/mail/configured.ts'
import type { EventPayload } from '#server/mail/event-content.ts'
import type { ThreadSubject } from '#server/mail/thread.ts'
import { enqueue, enqueueMail } from '#server/schedule/jobs.ts'
import { alertMail, alertMailJob, type Mailing, type MailRecipient, type Stoppable } from './alert-mail.ts'
import { messageOf } from './event-message.ts'
import { FIRST_WAIT_MS } from './storm.ts'

// Decides for each member: a mail at once, a place in a digest, or nothing with a reason. The rows decide; a job only
// triggers a look at them, so a repeated or lost job neither repeats nor loses a message.

export type Event = typeof alertEvents.$inferSelect
export type EventPlace = { location: ServiceLocation | null; timezone: string }

/** An event of an agent has no resource: only silences of everything cover it. */
export const NO_RESOURCE = { workspaceId: null, projectId: null, serviceId: null }

/** Kinds that a digest repeats when quiet hours end, if they are still so. The others are not sent. */
const HELD_KINDS: readonly EventKind[] = ['service.failed', 'certificate.expiring', 'agent.lost']

/** A statement has at most 65,535 parameters, about eleven of them per message. */
const ROWS_PER_INSERT = 500

type Outcome = Pick<typeof alertMessages.$inferInsert, 'state' | 'reason' | 'silencedUntil' | 'mailId'>

/** Stores the messages of an event for its recipients. Messages about a project are gathered first, see `decide`. */
export async function storeMails(
  tx: Tx,
  mailing: Mailing,
  event: Event,
  recipients: Recipient[],
  place: EventPlace,
): Promise<void> {
  if (recipients.length === 0) return
  const isGathered = (event.payload as EventPayload).project !== undefined
  const silences = await findSilences(tx, event.organizationId, recipients, place.location ?? undefined)
  const judged: { recipient: Recipient; outcome: Outcome }[] = []
  for (const recipient of recipients) {
    const held = silences.get(recipient.membershipId) ?? []
    const subject = { ...(place.location ?? NO_RESOURCE), kind: event.kind }
    const suppression = await silencedNow(held, subject, 'email', event.createdAt, place.timezone)
    judged.push({ recipient, outcome: outcomeOf(mailing, event.kind, suppression, isGathered) })
  }
  const rows = judged.map(({ recipient: { membershipId, heardThrough }, outcome }) => ({
    ...{ id: uuidv7(), organizationId: event.organizationId, eventId: event.id, membershipId, heardThrough },
    channel: 'email' as const,
    ...outcome,
  }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx.insert(alertMessages).values(rows.slice(start, start + ROWS_PER_INSERT))
  }
  for (const { recipient, outcome } of judged) await enqueueJob(tx, mailing, event, recipient, outcome, place)
}

function outcomeOf(mailing: Mailing, kind: EventKind, suppression: Suppression | null, isGathered: boolean): Outcome {
  if (!suppression) {
    if (!mailing.settings.SMTP_URL) return { state: 'suppressed', reason: MAIL_NOT_CONFIGURED }
    return { state: 'pending', mailId: isGathered ? null : uuidv7() }
  }
  const { reason, until: silencedUntil, isQuietHours } = suppression
  const isHeld = isQuietHours && silencedUntil !== null && HELD_KINDS.includes(kind)
  return { state: isHeld ? 'held' : 'suppressed', reason, silencedUntil }
}

async function enqueueJob(
  tx: Tx,
  mailing: Mailing,
  event: Event,
  recipient: Recipient,
  { state, mailId, silencedUntil }: Outcome,
  { timezone }: EventPlace,
): Promise<void> {
  const { organizationId } = event
  const { membershipId } = recipient
  if (state === 'held' && silencedUntil) return enqueueQuietDigest(tx, { organizationId, membershipId }, silencedUntil)
  if (state !== 'pending') return
  if (mailId) {
    return enqueueEventMail(tx, mailing, event, { ...recipient, organizationId, timezone }, { mailId, repliesTo: null })
  }
  const { project } = event.payload as EventPayload
  const lookAt = new Date(event.createdAt.getTime() + FIRST_WAIT_MS)
  await enqueueStormDigest(tx, { organizationId, membershipId, projectId: project?.id as string }, lookAt)
}

/** Enqueues the mail about one event. */
export function enqueueEventMail(
  tx: Tx,
  mailing: Mailing,
  event: Pick<Event, 'id' | 'organizationId' | 'kind' | 'createdAt' | 'payload'>,
  recipient: MailRecipient,
  thread: ThreadSubject,
): Promise<void> {
  const envelope = { recipient, thread, stoppable: stoppableOf(event.payload as EventPayload) }
  const mail = alertMail(mailing, envelope, messageOf(event))
  return enqueueMail(tx, event.organizationId, mail, alertMailJob(`mail:${event.id}:${recipient.membershipId}`))
}

/** A mail about a service lets its reader stop all mails about that service; one about an agent, all about agents. */
export function stoppableOf({ service }: EventPayload): Stoppable {
  if (service) return { target: { type: 'service', id: service.id }, name: service.name }
  return { target: { type: 'agents' }, name: 'agents' }
}

/** The first message that is gathered sets the time of the job; the next ones join it. */
export function enqueueStormDigest(
  tx: Queryable,
  payload: { organizationId: string; membershipId: string; projectId: string },
  runAt: Date,
): Promise<void> {
  const key = `digest:${payload.membershipId}:${payload.projectId}`
  return enqueue(tx, 'digest', payload, { key, runAt, keepsRunAt: true })
}

export function enqueueQuietDigest(
  tx: Queryable,
  { organizationId, membershipId }: { organizationId: string; membershipId: string },
  until: Date,
): Promise<void> {
  const key = `quiet:${membershipId}:${until.toISOString()}`
  return enqueue(tx, 'quiet', { organizationId, membershipId }, { key, runAt: until, keepsRunAt: true })
}
