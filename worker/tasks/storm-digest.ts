import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { stormMail } from '#server/mail/digest-content.ts'
import type { EventPayload } from '#server/mail/event-content.ts'
import { enqueueMail, JOBS } from '#server/schedule/jobs.ts'
import { alertMailJob, digestMail, type Mailing, type MailRecipient } from './alert-mail.ts'
import {
  assignMail,
  type DigestRow,
  digestOf,
  digestRow,
  findMailReader,
  hearingOf,
  latestPerSubject,
  readEvents,
  suppressRows,
} from './digests.ts'
import { messageOf } from './messages.ts'
import { enqueueEventMail } from './store-mails.ts'

/**
 * Sends a member the messages that were gathered while many services of a project changed: one mail, the worst first. The
 * rows are locked, assigned to the mail and enqueued in one transaction, so each is sent once however many workers try.
 */
export async function sendStormDigest(db: Db, mailing: Mailing, payload: unknown): Promise<void> {
  const { membershipId, projectId } = JOBS.digest.parse(payload)
  await db.transaction(async (tx) => {
    const rows = await lockGathered(tx, membershipId, projectId)
    const reader = await findMailReader(tx, membershipId)
    if (!reader) return suppressRows(tx, rows, 'the member has left the organization')
    const [first] = rows
    if (!first) return
    const recipient = { ...reader, membershipId, heardThrough: hearingOf(rows) }
    const latest = latestPerSubject(rows)
    if (latest.length === 1) return sendSingly(tx, mailing, recipient, rows)
    const digest = await digestOf(tx, latest, messageOf)
    const { project } = (digest.messages[0]?.data ?? {}) as EventPayload
    const mailId = uuidv7()
    await assignMail(tx, rows, mailId)
    const envelope = {
      recipient,
      mailId,
      thread: { digestId: mailId },
      stoppable: { target: { type: 'project' as const, id: projectId }, name: project?.name ?? '' },
    }
    const mail = digestMail(mailing, envelope, (to) => stormMail(digest, to))
    await enqueueMail(tx, first.organizationId, mail, alertMailJob(`mail:${mailId}`))
  })
}

/** The changes of a single service need no digest. */
async function sendSingly(tx: Tx, mailing: Mailing, recipient: MailRecipient, rows: DigestRow[]): Promise<void> {
  const events = await readEvents(tx, rows)
  for (const row of rows) {
    const event = events.get(row.eventId)
    if (!event) continue
    const mailId = uuidv7()
    await assignMail(tx, [row], mailId)
    await enqueueEventMail(tx, mailing, event, recipient, mailId)
  }
}

/** The payload names the project that the service was in when the event happened, as the job does. */
function lockGathered(tx: Tx, membershipId: string, projectId: string): Promise<DigestRow[]> {
  return tx.execute<DigestRow>(sql`
    select ${digestRow} from alert_messages m join alert_events e on e.id = m.event_id
    where m.membership_id = ${membershipId} and m.state = 'pending' and m.mail_id is null and m.channel = 'email'
      and e.payload #>> '{project,id}' = ${projectId}
    order by e.created_at, e.id for update of m`)
}
