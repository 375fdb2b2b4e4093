import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { stormMail } from '#server/mail/digest-content.ts'
import type { EventPayload } from '#server/mail/event-content.ts'
import { enqueueMail, JOBS } from '#server/schedule/jobs.ts'
import { alertMailJob, digestMail, type Mailing, type MailRecipient } from './alert-mail.ts'
import {
  assignMail,
  type DigestRow,
  digestOf,
  digestRow,
  findFirstMail,
  findMailReader,
  hearingOf,
  latestPerSubject,
  readEvents,
  subjectOf,
  suppressRows,
} from './digests.ts'
import { messageOf } from './event-message.ts'
import { INCIDENT_OVER, SERVICE_DELETED } from './mail.ts'
import { enqueueEventMail, enqueueStormDigest } from './store-mails.ts'
import { type Decision, decide } from './storm.ts'

/** A gathered or a mailed message. `over` is why it is obsolete; null while it is current. */
type StormRow = DigestRow & { createdAt: string; storedAt: string; mailId: string | null; over: string | null }

/**
 * Sends a member the messages that were gathered while services of a project changed, see `decide`: mails about the
 * first service, a mail about each, or one mail that names them all, also those that were mailed before, the worst
 * first. Obsolete messages are left out. The rows are locked, assigned to their mails and enqueued in one transaction,
 * so each is sent once however many workers try. `now` is by the clock of the database.
 */
export async function sendGathered(db: Db, mailing: Mailing, payload: unknown, now: Date): Promise<void> {
  const job = JOBS.digest.parse(payload)
  const { organizationId, membershipId, projectId } = job
  const membership = { organizationId, id: membershipId }
  await db.transaction(async (tx) => {
    const gathered = await lockGathered(tx, job)
    const reader = await findMailReader(tx, membership)
    if (!reader) return suppressRows(tx, gathered, 'the member has left the organization')
    const [first] = gathered
    if (!first) return
    const mailed = await findMailed(tx, membershipId, projectId, first)
    const decision = await decideAt(tx, projectId, { first, mailed, now })
    if (typeof decision === 'object') return enqueueStormDigest(tx, job, new Date(decision.waitUntil))
    const sending = { mailing, organizationId, reader: { ...reader, organizationId, membershipId }, projectId }
    if (decision === 'digest') return sendDigest(tx, sending, gathered, mailed)
    if (decision === 'each') return sendSingly(tx, sending, gathered)
    const [own, others] = partition(gathered, ({ serviceId }) => serviceId === first.serviceId)
    await sendSingly(tx, sending, own)
    if (others.length > 0) await enqueueStormDigest(tx, job, now)
  })
}

type Situation = { first: StormRow; mailed: readonly StormRow[]; now: Date }

async function decideAt(tx: Tx, projectId: string, { first, mailed, now }: Situation): Promise<Decision> {
  const changes = await readChanges(tx, projectId, first, now)
  const gathered = {
    since: Date.parse(first.createdAt),
    storedAt: Date.parse(first.storedAt),
    changes,
    isFollowing: mailed.some(({ serviceId }) => serviceId !== first.serviceId),
    isIncomplete: changes.some(({ isNotified }) => !isNotified),
  }
  return decide(gathered, now.getTime())
}

type Sending = {
  mailing: Mailing
  organizationId: string
  reader: Omit<MailRecipient, 'heardThrough'>
  projectId: string
}

async function sendDigest(
  tx: Tx,
  sending: Sending,
  gathered: readonly StormRow[],
  mailed: readonly StormRow[],
): Promise<void> {
  const { mailing, organizationId, reader, projectId } = sending
  const { latest, rows } = await leaveOut(tx, gathered, onlySingle(mailed))
  const [first] = rows
  if (!first) return
  if (latest.length === 1) return sendSingly(tx, sending, rows)
  const digest = await digestOf(tx, latest, messageOf)
  const { project } = (digest.messages[0]?.data ?? {}) as EventPayload
  const mailId = uuidv7()
  const repliesTo = await findFirstMail(tx, { organizationId, id: reader.membershipId }, latest)
  await assignMail(tx, rows, mailId)
  const envelope = {
    recipient: { ...reader, heardThrough: hearingOf(rows) },
    thread: { mailId, repliesTo },
    stoppable: { target: { type: 'project' as const, id: projectId }, name: project?.name ?? '' },
  }
  const mail = digestMail(mailing, envelope, (to) => stormMail(digest, to))
  await enqueueMail(tx, first.organizationId, mail, alertMailJob(`mail:${mailId}`))
}

/** Ends gathered messages that are obsolete. Returns the others, and the last message about each subject. */
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

async function sendSingly(
  tx: Tx,
  { mailing, organizationId, reader }: Sending,
  rows: readonly StormRow[],
): Promise<void> {
  const events = await readEvents(tx, rows)
  for (const row of rows) {
    if (row.over !== null) {
      await suppressRows(tx, [row], row.over)
      continue
    }
    const event = events.get(row.eventId)
    if (!event) continue
    const thread = {
      mailId: uuidv7(),
      repliesTo: await findFirstMail(tx, { organizationId, id: reader.membershipId }, [row]),
    }
    await assignMail(tx, [row], thread.mailId)
    await enqueueEventMail(tx, mailing, event, { ...reader, heardThrough: row.heardThrough }, thread)
  }
}

/** Selects a `StormRow` of the message `m`, its event `e` and the incident `i`. */
const stormRow = sql`${digestRow}, e.created_at as "createdAt", m.created_at as "storedAt", m.mail_id as "mailId", case
  when e.service_id is not null and not exists (select from services s where (s.organization_id, s.id) = (e.organization_id, e.service_id))
    then ${SERVICE_DELETED}
  when e.kind in ('service.failed', 'service.reminder') and i.closed_at is not null
    or e.kind = 'service.reminder' and i.acknowledged_at is not null then ${INCIDENT_OVER}
  when e.kind = 'service.recovered' and exists (
    select from incidents later where (later.organization_id, later.service_id) = (e.organization_id, e.service_id) and later.closed_at is null)
    then 'the service had failed again before the mail could be sent' end as over`

/** The payload names the project that the service was in when the event happened, as the job does. */
function lockGathered(
  tx: Tx,
  { organizationId, membershipId, projectId }: { organizationId: string; membershipId: string; projectId: string },
): Promise<StormRow[]> {
  return tx.execute<StormRow>(sql`
    select ${stormRow} from alert_messages m join alert_events e on (e.organization_id, e.id) = (m.organization_id, m.event_id)
      left join incidents i on (i.organization_id, i.id) = (e.organization_id, e.incident_id)
    where m.organization_id = ${organizationId} and m.membership_id = ${membershipId} and m.state = 'pending'
      and m.mail_id is null and m.channel = 'email'
      and e.payload #>> '{project,id}' = ${projectId}
    order by e.created_at, e.id for update of m`)
}

/** Returns what the member was mailed about the project since the minute before the first gathered message. */
function findMailed(
  tx: Tx,
  membershipId: string,
  projectId: string,
  { organizationId, createdAt }: StormRow,
): Promise<StormRow[]> {
  return tx.execute<StormRow>(sql`
    select ${stormRow} from alert_events e join alert_messages m on (m.organization_id, m.event_id) = (e.organization_id, e.id)
      left join incidents i on (i.organization_id, i.id) = (e.organization_id, e.incident_id)
    where e.organization_id = ${organizationId} and e.created_at > ${createdAt}::timestamptz - interval '1 minute'
      and e.payload #>> '{project,id}' = ${projectId}
      and m.membership_id = ${membershipId} and m.channel = 'email' and m.state in ('pending', 'sent')
      and m.mail_id is not null
    order by e.created_at, e.id`)
}

/** Several messages in one mail are an earlier digest. */
function onlySingle(mailed: readonly StormRow[]): StormRow[] {
  return [...Map.groupBy(mailed, ({ mailId }) => mailId).values()].flatMap((some) => (some.length === 1 ? some : []))
}

/** The latest changes that are read: more than a storm has, unless its services change often. */
const CHANGES_READ = 1_000

/** Returns the changes of a project since the minute before the first gathered message, by time. */
async function readChanges(tx: Tx, projectId: string, { organizationId, createdAt }: StormRow, now: Date) {
  const rows = await tx
    .select({
      serviceId: services.id,
      at: alertEvents.createdAt,
      isNotified: sql<boolean>`${alertEvents.notifiedAt} is not null`,
    })
    .from(alertEvents)
    .innerJoin(services, matchesRow(alertEvents.serviceId, services))
    .where(
      and(
        eq(alertEvents.organizationId, organizationId),
        eq(services.projectId, projectId),
        isNull(alertEvents.suppressedReason),
        gt(alertEvents.createdAt, new Date(Date.parse(createdAt) - MINUTE_MS)),
        lte(alertEvents.createdAt, now),
      ),
    )
    .orderBy(desc(alertEvents.createdAt))
    .limit(CHANGES_READ)
  return rows.reverse().map((change) => ({ ...change, at: change.at.getTime() }))
}
