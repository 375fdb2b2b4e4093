import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type alertEvents, alertMessages, type EventKind } from '#db/schema/alerts.ts'
import type { Recipient } from '#server/alerts/alerts/listeners.ts'
import { findSilences, type ServiceLocation } from '#server/alerts/alerts/recipients.ts'
import { type Suppression, silencedNow } from '#server/alerts/alerts/silencing.ts'
import { MAIL_NOT_CONFIGURED } from '#server/alerts/mail/configured.ts'
import type { EventPayload } from '#server/alerts/mail/event-content.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import { enqueue, JOBS } from '#server/schedule/jobs.ts'
import type { Mailing } from './alert-mail.ts'
import {
  dropOver,
  enqueueQuietEnd,
  findMailReader,
  lockMessages,
  NO_RESOURCE,
  sendAsMail,
  suppress,
} from './mail-digests.ts'

// The rule of mail: events of a project are collected for ten seconds per recipient. Up to three become mails of their
// own, more become one digest. The rows decide; a repeated job neither repeats nor loses a message.

export const COLLECT_MS = 10_000
export const SINGLE_MAILS_MAX = 3

/** Kinds that a digest repeats when quiet hours end, if they still hold. The others are not sent. */
const HELD_KINDS: readonly EventKind[] = ['service.failed', 'service.flapping', 'certificate.expiring', 'agent.lost']

/** A statement has at most 65,535 parameters, about eleven of them per message. */
const ROWS_PER_INSERT = 500

type Event = typeof alertEvents.$inferSelect
type Outcome = Pick<typeof alertMessages.$inferInsert, 'state' | 'reason' | 'silencedUntil'>
type EventPlace = { location: ServiceLocation | null; timezone: string }

/** Stores the messages of an event for its recipients, and enqueues the jobs that send them. */
export async function storeMails(
  tx: Tx,
  mailing: Mailing,
  event: Event,
  recipients: Recipient[],
  { location, timezone }: EventPlace,
): Promise<void> {
  const { id: eventId, organizationId, kind, createdAt } = event
  if (recipients.length === 0) return
  const projectId = (event.payload as EventPayload).project?.id ?? null
  const runAt = new Date(databaseTime().getTime() + COLLECT_MS)
  const silences = await findSilences(tx, organizationId, recipients, location ?? undefined)
  const rows: (typeof alertMessages.$inferInsert & { membershipId: string })[] = []
  for (const { membershipId, heardThrough } of recipients) {
    const subject = { ...(location ?? NO_RESOURCE), kind }
    const own = silences.get(membershipId) ?? []
    const outcome = outcomeOf(mailing, kind, await silencedNow(own, subject, 'email', createdAt, timezone))
    rows.push({ id: uuidv7(), organizationId, eventId, membershipId, heardThrough, channel: 'email', ...outcome })
  }
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx.insert(alertMessages).values(rows.slice(start, start + ROWS_PER_INSERT))
  }
  for (const { membershipId, state, silencedUntil } of rows) {
    if (state === 'held' && silencedUntil) await enqueueQuietEnd(tx, { organizationId, membershipId }, silencedUntil)
    if (state !== 'pending') continue
    // The first message sets the time of the job; the next ones join it.
    const options = { key: `digest:${membershipId}:${projectId ?? 'agents'}`, runAt, keepsRunAt: true }
    await enqueue(tx, 'digest', { organizationId, membershipId, projectId }, options)
  }
}

function outcomeOf(mailing: Mailing, kind: EventKind, suppression: Suppression | null): Outcome {
  if (!suppression) {
    if (!mailing.settings.SMTP_URL) return { state: 'suppressed', reason: MAIL_NOT_CONFIGURED }
    return { state: 'pending' }
  }
  const { reason, until: silencedUntil, isQuietHours } = suppression
  const isHeld = isQuietHours && silencedUntil !== null && HELD_KINDS.includes(kind)
  return { state: isHeld ? 'held' : 'suppressed', reason, silencedUntil }
}

/**
 * Sends a member the messages that were collected about a project, or about agents, without obsolete ones. The rows are
 * locked, assigned to mails and enqueued in one transaction, so each is sent once however many workers try.
 */
export async function sendCollected(db: Db, mailing: Mailing, payload: unknown): Promise<void> {
  const { projectId, ...member } = JOBS.digest.parse(payload)
  await db.transaction(async (tx) => {
    // The project is the one that the service was in when the event happened.
    const collected = await lockMessages(
      tx,
      member,
      sql`alert_messages.state = 'pending' and mail_id is null and payload #>> '{project,id}' is not distinct from ${projectId}`,
    )
    const reader = await findMailReader(tx, member)
    if (!reader) return suppress(tx, collected, 'the member has left the organization')
    const rows = await dropOver(tx, collected)
    const mails = rows.length > SINGLE_MAILS_MAX ? [rows] : rows.map((row) => [row])
    for (const mail of mails) await sendAsMail(tx, mailing, reader, mail)
  })
}
