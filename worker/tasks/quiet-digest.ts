import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import { alertMessages, type HeardThrough } from '#db/schema/alerts.ts'
import { findHearing } from '#server/alerts/listeners.ts'
import {
  findLocation,
  findOwner,
  findSettingsWriters,
  findSilences,
  type MemberSilence,
} from '#server/alerts/recipients.ts'
import { type Suppression, silencedNow } from '#server/alerts/silencing.ts'
import { MAIL_NOT_CONFIGURED } from '#server/mail/configured.ts'
import { asOf, type Digest, quietMail } from '#server/mail/digest-content.ts'
import type { EventPayload } from '#server/mail/event-content.ts'
import { enqueueMail, JOBS } from '#server/schedule/jobs.ts'
import { alertMailJob, digestMail, type Mailing, type Stoppable } from './alert-mail.ts'
import {
  assignMail,
  type DigestRow,
  digestOf,
  digestRow,
  findFirstMail,
  findMailReader,
  hearingOf,
  latestPerSubject,
  suppressRows,
} from './digests.ts'
import { messageOf } from './event-message.ts'
import { enqueueQuietDigest, NO_RESOURCE, stoppableOf } from './store-mails.ts'

/** A message that quiet hours held. `over` is why it is obsolete; null while it is current. */
type HeldRow = DigestRow & { over: string | null; now: string }

type Member = { organizationId: string; membershipId: string; timezone: string; silences: MemberSilence[]; now: Date }

/**
 * Sends a member one mail when quiet hours end: failures of these hours that persist, without resources that the member
 * no longer gets or has silenced since. Later quiet hours hold it on.
 */
export async function sendQuietDigest(db: Db, mailing: Mailing, payload: unknown): Promise<void> {
  const { organizationId, membershipId } = JOBS.quiet.parse(payload)
  const membership = { organizationId, id: membershipId }
  await db.transaction(async (tx) => {
    const held = await lockHeld(tx, membership)
    const [first] = held
    if (!first) return
    const reader = await findMailReader(tx, membership)
    if (!reader) return suppressRows(tx, held, 'the member has left the organization')
    if (!mailing.settings.SMTP_URL) return suppressRows(tx, held, MAIL_NOT_CONFIGURED)
    const silences = (await findSilences(tx, organizationId, [{ membershipId }])).get(membershipId) ?? []
    const now = new Date(first.now)
    const rows = await keepWanted(tx, { organizationId, membershipId, timezone: reader.timezone, silences, now }, held)
    if (rows.length === 0) return
    const latest = latestPerSubject(rows)
    const digest = await digestOf(tx, latest.map(asKindNow), (event) => asOf(messageOf(event), now))
    const thread = { mailId: uuidv7(), repliesTo: await findFirstMail(tx, membership, latest) }
    await assignMail(tx, rows, thread.mailId)
    const recipient = { ...reader, ...{ organizationId, membershipId }, heardThrough: hearingOf(rows) }
    const envelope = { recipient, thread, stoppable: stoppableIn(digest, reader.organization) }
    const mail = digestMail(mailing, envelope, (to) => quietMail(digest, to))
    await enqueueMail(tx, first.organizationId, mail, alertMailJob(`mail:${thread.mailId}`))
  })
}

/** The times of the rows are compared with the database's clock, by which the queue starts the job. */
function lockHeld(tx: Tx, { organizationId, id }: RowKey<string>): Promise<HeldRow[]> {
  return tx.execute<HeldRow>(sql`
    select ${digestRow}, now() as now, case e.kind
      when 'service.failed' then (select case
          when i.closed_at is not null then 'quiet hours: it recovered before they ended' end
        from incidents i where (i.organization_id, i.id) = (e.organization_id, e.incident_id))
      when 'certificate.expiring' then case when not exists (select from certificates c
          where (c.organization_id, c.service_id) = (e.organization_id, e.service_id) and c.host = e.payload #>> '{certificate,host}'
            and c.not_after = (e.payload #>> '{certificate,notAfter}')::timestamptz)
        then 'quiet hours: the certificate was replaced before they ended' end
      when 'agent.lost' then case when not exists (select from lost_agents l
          where l.organization_id = e.organization_id and l.agent_id = e.agent_id)
        then 'quiet hours: the agent was back before they ended' end end as over
    from alert_messages m join alert_events e on (e.organization_id, e.id) = (m.organization_id, m.event_id)
    where m.organization_id = ${organizationId} and m.membership_id = ${id} and m.state = 'held' and m.silenced_until <= now()
    order by e.created_at, e.id for update of m`)
}

/** Ends or holds on the messages that the member must not get now, and returns the others with their present reasons. */
async function keepWanted(tx: Tx, member: Member, held: readonly HeldRow[]): Promise<DigestRow[]> {
  const kept: DigestRow[] = []
  for (const [reason, rows] of Map.groupBy(held, ({ over }) => over)) {
    if (reason !== null) await suppressRows(tx, rows, reason)
  }
  const open = Map.groupBy(
    held.filter(({ over }) => over === null),
    ({ kind, serviceId, agentId }) => `${kind} ${serviceId ?? agentId}`,
  )
  for (const rows of open.values()) {
    const [row] = rows as [HeldRow]
    const { heardThrough, suppression } = await judge(tx, member, row)
    if (heardThrough.length === 0) await suppressRows(tx, rows, 'the member is no longer notified of it')
    else if (suppression) await suppressOn(tx, member, rows, suppression)
    else kept.push(...rows.map((one) => ({ ...one, heardThrough })))
  }
  return kept
}

/** Returns why the member is notified of a service or an agent now, and what silences it now. */
async function judge(
  tx: Tx,
  { membershipId, timezone, silences, now }: Member,
  { organizationId, serviceId, kind, heardThrough: heardBefore }: DigestRow,
): Promise<{ heardThrough: HeardThrough[]; suppression: Suppression | null }> {
  const none = { heardThrough: [], suppression: null }
  const location = serviceId === null ? null : await findLocation(tx, { organizationId, id: serviceId })
  if (serviceId !== null && location === null) return none
  let heardThrough = location ? await findHearing(tx, location, membershipId) : []
  if (heardThrough.length === 0) {
    // The owner is notified of a service without other recipients.
    const wasOwner = heardBefore.some((one) => one.kind === 'owner')
    if (location && !wasOwner) return none
    const told = await (location ? findOwner : findSettingsWriters)(tx, organizationId)
    heardThrough = told.find((one) => one.membershipId === membershipId)?.heardThrough ?? []
  }
  const subject = { ...(location ?? NO_RESOURCE), kind }
  return { heardThrough, suppression: await silencedNow(silences, subject, 'email', now, timezone) }
}

async function suppressOn(tx: Tx, member: Member, rows: readonly HeldRow[], by: Suppression): Promise<void> {
  const { reason, until, isQuietHours } = by
  const isHeld = isQuietHours && until !== null
  await tx
    .update(alertMessages)
    .set({ state: isHeld ? 'held' : 'suppressed', reason, silencedUntil: until })
    .where(matchesRows(alertMessages.id, rows))
  if (isHeld) await enqueueQuietDigest(tx, member, until)
}

/** A failure that lasts counts as one that is repeated, by `asOf`. */
function asKindNow(row: DigestRow): DigestRow {
  return row.kind === 'service.failed' ? { ...row, kind: 'service.reminder' } : row
}

/**
 * Returns what the link of a digest stops: the smallest of service, project, workspace and organization that contains
 * all its events. Events of agents belong to the organization.
 */
function stoppableIn({ messages }: Digest, organization: string): Stoppable {
  const [first, ...others] = messages.map(({ data }) => data as EventPayload)
  if (first && others.length === 0) return stoppableOf(first)
  for (const type of ['project', 'workspace'] as const) {
    const common = first?.[type]
    if (common && others.every((other) => other[type]?.id === common.id)) {
      return { target: { type, id: common.id }, name: common.name }
    }
  }
  return { target: { type: 'organization' }, name: organization }
}
