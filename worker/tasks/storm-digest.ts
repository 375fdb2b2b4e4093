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
  subjectOf,
  suppressRows,
} from './digests.ts'
import { INCIDENT_OVER } from './mail.ts'
import { messageOf } from './messages.ts'
import { enqueueEventMail } from './store-mails.ts'
import { isInStorm } from './storm.ts'

/** A gathered or a mailed message. `over` says why it is no longer so; null while it is. */
type StormRow = DigestRow & { createdAt: string; mailId: string | null; over: string | null }

/**
 * Sends a member the messages that were gathered while services of a project changed. If there were many, one mail names
 * them all, also those that were mailed at once, the worst first; otherwise each is a mail of its own. What is no longer so
 * is left out. The rows are locked, assigned to their mails and enqueued in one transaction, so each is sent once however
 * many workers try.
 */
export async function sendStormDigest(db: Db, mailing: Mailing, payload: unknown): Promise<void> {
  const { membershipId, projectId } = JOBS.digest.parse(payload)
  await db.transaction(async (tx) => {
    const gathered = await lockGathered(tx, membershipId, projectId)
    const reader = await findMailReader(tx, membershipId)
    if (!reader) return suppressRows(tx, gathered, 'the member has left the organization')
    const [first] = gathered
    if (!first) return
    const isStorm = await isAnyInStorm(tx, gathered, projectId)
    const mailed = isStorm ? await findMailed(tx, membershipId, projectId, first) : []
    const { latest, rows } = await leaveOut(tx, gathered, mailed)
    if (rows.length === 0) return
    const recipient = { ...reader, membershipId, heardThrough: hearingOf(rows) }
    if (!isStorm || latest.length === 1) return sendSingly(tx, mailing, recipient, rows)
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

async function isAnyInStorm(tx: Tx, rows: readonly StormRow[], projectId: string): Promise<boolean> {
  for (const { eventId: id, organizationId, createdAt } of rows) {
    if (await isInStorm(tx, { id, organizationId, createdAt: new Date(createdAt) }, projectId)) return true
  }
  return false
}

/** Ends the gathered messages about what is no longer so. Returns the others, and the last message about each subject. */
async function leaveOut(tx: Tx, gathered: readonly StormRow[], mailed: readonly StormRow[]) {
  const all = [...mailed, ...gathered].toSorted(inOrder)
  const [over, latest] = partition(latestPerSubject(all), (row) => row.over !== null)
  const reasons = new Map(over.map((row) => [subjectOf(row), row.over]))
  const isLeftOut = (row: StormRow) => reasons.has(subjectOf(row))
  const [leftOut, rows] = partition(gathered, isLeftOut)
  for (const [reason, some] of Map.groupBy(leftOut, (row) => reasons.get(subjectOf(row)) as string)) {
    await suppressRows(tx, some, reason)
  }
  return { latest, rows }
}

/** Events of one millisecond are in the order of their ids. */
function inOrder(a: StormRow, b: StormRow): number {
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.eventId < b.eventId ? -1 : 1)
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

async function sendSingly(tx: Tx, mailing: Mailing, recipient: MailRecipient, rows: StormRow[]): Promise<void> {
  const events = await readEvents(tx, rows)
  for (const row of rows) {
    if (row.over !== null) {
      await suppressRows(tx, [row], row.over)
      continue
    }
    const event = events.get(row.eventId)
    if (!event) continue
    const mailId = uuidv7()
    await assignMail(tx, [row], mailId)
    await enqueueEventMail(tx, mailing, event, recipient, mailId)
  }
}

/** Selects a `StormRow` of the message `m`, its event `e` and the incident `i`. */
const stormRow = sql`${digestRow}, e.created_at as "createdAt", m.mail_id as "mailId", case
  when e.kind in ('service.failed', 'service.reminder') and i.closed_at is not null
    or e.kind = 'service.reminder' and i.acknowledged_at is not null then ${INCIDENT_OVER}
  when e.kind = 'service.recovered' and exists (
    select from incidents later where later.service_id = e.service_id and later.closed_at is null)
    then 'the service had failed again before the mail could be sent' end as over`

/** The payload names the project that the service was in when the event happened, as the job does. */
function lockGathered(tx: Tx, membershipId: string, projectId: string): Promise<StormRow[]> {
  return tx.execute<StormRow>(sql`
    select ${stormRow} from alert_messages m join alert_events e on e.id = m.event_id
      left join incidents i on i.id = e.incident_id
    where m.membership_id = ${membershipId} and m.state = 'pending' and m.mail_id is null and m.channel = 'email'
      and e.payload #>> '{project,id}' = ${projectId}
    order by e.created_at, e.id for update of m`)
}

/** Returns what the member was mailed singly about the project since the minute before the first gathered message. */
async function findMailed(
  tx: Tx,
  membershipId: string,
  projectId: string,
  { organizationId, createdAt }: StormRow,
): Promise<StormRow[]> {
  const rows = await tx.execute<StormRow>(sql`
    select ${stormRow} from alert_events e join alert_messages m on m.event_id = e.id
      left join incidents i on i.id = e.incident_id
    where e.organization_id = ${organizationId} and e.created_at > ${createdAt}::timestamptz - interval '1 minute'
      and e.payload #>> '{project,id}' = ${projectId}
      and m.membership_id = ${membershipId} and m.channel = 'email' and m.state in ('pending', 'sent')
      and m.mail_id is not null
    order by e.created_at, e.id`)
  // Several messages in one mail are an earlier digest.
  return [...Map.groupBy(rows, ({ mailId }) => mailId).values()].flatMap((some) => (some.length === 1 ? some : []))
}
