import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { and, asc, eq, inArray, isNotNull, type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesId, matchesRow, matchesRows } from '#db/row-match.ts'
import { alertEvents, alertMessages, type EventKind, type HeardThrough, incidents } from '#db/schema/alerts.ts'
import { memberships, organizations, users } from '#db/schema/organizations.ts'
import { findHearing } from '#server/alerts/alerts/listeners.ts'
import { findLocation, findOwner, findSettingsWriters, findSilences } from '#server/alerts/alerts/recipients.ts'
import { silencedNow } from '#server/alerts/alerts/silencing.ts'
import { MAIL_NOT_CONFIGURED } from '#server/alerts/mail/configured.ts'
import { asKindOf, DIGEST_LISTED_MAX, type Digest, digestMail, severityOf } from '#server/alerts/mail/digest-content.ts'
import type { EventPayload } from '#server/alerts/mail/event-content.ts'
import { enqueue, enqueueMail, JOBS } from '#server/schedule/jobs.ts'
import { readMaintained } from '#server/schedule/maintenance/holding.ts'
import { alertMail, alertMailJob, type Mailing, type Stoppable } from './alert-mail.ts'
import { messageOf } from './event-message.ts'
import { INCIDENT_IS_OVER, INCIDENT_OVER, SERVICE_DELETED, SERVICE_IS_DELETED } from './mail.ts'

// Messages that become one mail, and the digest when quiet hours end.

export type Member = { organizationId: string; membershipId: string }
export type MailReader = Member & { email: string; timezone: string; organization: string }

/** A message that waits for a mail, with what its order in a digest needs. Times are ISO-8601. */
export type MessageRow = {
  id: string
  organizationId: string
  eventId: string
  kind: EventKind
  serviceId: string | null
  agentId: string | null
  incidentId: string | null
  /** The host of an expiring certificate; null for other kinds. */
  host: string | null
  heardThrough: HeardThrough[]
  failingAgents: number
  failingSince: string | null
  /** Why it is obsolete; null while it is current. */
  over: string | null
  /** The clock of the database, by which the queue starts jobs. */
  now: string
}

/** An event of an agent has no resource: only silences of everything cover it. */
export const NO_RESOURCE = { workspaceId: null, projectId: null, serviceId: null }

/** Locks those of a member's messages and their events that `where` selects, and returns them in the order of the events. */
export function lockMessages(tx: Tx, { organizationId, membershipId }: Member, where: SQL): Promise<MessageRow[]> {
  const { payload } = alertEvents
  return tx.execute<MessageRow>(sql`
    select alert_messages.id, alert_messages.organization_id as "organizationId", event_id as "eventId", kind,
      alert_events.service_id as "serviceId", agent_id as "agentId", incident_id as "incidentId",
      ${payload} #>> '{certificate,host}' as host, heard_through as "heardThrough",
      jsonb_array_length(jsonb_path_query_array(${payload}, '$.agents[*] ? (@.failingRuns > 0)')) as "failingAgents",
      ${payload} #>> '{incident,failingSince}' as "failingSince", now() as now, ${over} as over
    from alert_messages join alert_events on ${matchesRow(alertMessages.eventId, alertEvents)}
      left join incidents on ${matchesRow(alertEvents.incidentId, incidents)}
    where ${matchesId(alertMessages.membershipId, organizationId, membershipId)} and channel = 'email' and ${where}
    order by alert_events.created_at, alert_events.id for update of alert_messages`)
}

const over = sql`case
  when ${SERVICE_IS_DELETED} then ${SERVICE_DELETED}
  when ${INCIDENT_IS_OVER} then ${INCIDENT_OVER}
  when ${alertEvents.kind} = 'service.recovered' and exists (select from incidents later where later.closed_at is null
    and (later.organization_id, later.service_id) = (${alertEvents.organizationId}, ${alertEvents.serviceId}))
    then 'the service had failed again before the mail could be sent'
  when ${alertEvents.kind} = 'certificate.expiring' and ${alertMessages.state} = 'held' and not exists (select from certificates c
    where (c.organization_id, c.service_id) = (${alertEvents.organizationId}, ${alertEvents.serviceId})
      and c.host = ${alertEvents.payload} #>> '{certificate,host}'
      and c.not_after = (${alertEvents.payload} #>> '{certificate,notAfter}')::timestamptz)
    then 'the certificate was replaced before the mail could be sent'
  when ${alertEvents.kind} = 'agent.lost' and ${alertMessages.state} = 'held' and not exists (select from lost_agents l
    where (l.organization_id, l.agent_id) = (${alertEvents.organizationId}, ${alertEvents.agentId}))
    then 'the agent was back before the mail could be sent' end`

/** Returns the address of an active member, and the time zone and name of the organization; null for others. */
export async function findMailReader(tx: Tx, member: Member): Promise<MailReader | null> {
  const [reader] = await tx
    .select({ email: users.email, timezone: organizations.timezone, organization: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        matchesId(memberships.id, member.organizationId, member.membershipId),
        eq(memberships.isActive, true),
        eq(users.isActive, true),
      ),
    )
  return reader ? { ...reader, ...member } : null
}

export async function suppress(tx: Tx, rows: readonly MessageRow[], reason: string): Promise<void> {
  if (rows.length === 0) return
  await tx.update(alertMessages).set({ state: 'suppressed', reason }).where(matchesRows(alertMessages.id, rows))
}

/** Ends the messages that are obsolete, and returns the others. */
export async function dropOver(tx: Tx, rows: readonly MessageRow[]): Promise<MessageRow[]> {
  for (const [reason, some] of Map.groupBy(rows, (row) => row.over)) {
    if (reason !== null) await suppress(tx, some, reason)
  }
  return rows.filter((row) => row.over === null)
}

/** Assigns messages to a mail and enqueues it: about one event, or a digest that lists the worst first. */
export async function sendAsMail(
  tx: Tx,
  mailing: Mailing,
  reader: MailReader,
  rows: readonly MessageRow[],
  isQuietEnd = false,
): Promise<void> {
  const digest = await digestOf(tx, rows, isQuietEnd)
  const mailId = uuidv7()
  const thread = { mailId, repliesTo: await findFirstMail(tx, reader, rows) }
  await tx
    .update(alertMessages)
    .set({ state: 'pending', mailId, reason: null })
    .where(matchesRows(alertMessages.id, rows))
  const heard = rows.flatMap(({ heardThrough }) => heardThrough)
  const heardThrough = [...new Map(heard.map((one) => [JSON.stringify(one), one])).values()]
  const envelope = {
    recipient: { ...reader, heardThrough },
    thread,
    stoppable: stoppableIn(digest, reader.organization),
  }
  const mail = alertMail(mailing, envelope, (to) => digestMail(digest, to))
  await enqueueMail(tx, reader.organizationId, mail, alertMailJob(`mail:${mailId}`))
}

/** Only the events that the digest lists are read. */
async function digestOf(tx: Tx, rows: readonly MessageRow[], isQuietEnd: boolean): Promise<Digest> {
  const latest = worstFirst([...new Map(rows.map((row) => [subjectOf(row), row])).values()])
  const listed = latest.slice(0, DIGEST_LISTED_MAX)
  const keys = listed.map(({ organizationId, eventId: id }) => ({ organizationId, id }))
  const found = await tx.select().from(alertEvents).where(matchesRows(alertEvents.id, keys))
  const events = new Map(found.map((event) => [event.id, event]))
  const messages = listed.flatMap(({ eventId, now }) => {
    const event = events.get(eventId)
    if (!event) return []
    const message = messageOf(event)
    return isQuietEnd ? { ...message, type: asKindOf(event.kind), timestamp: new Date(now).toISOString() } : message
  })
  const counts = new Map<EventKind, number>()
  for (const row of latest) {
    const kind = isQuietEnd ? asKindOf(row.kind) : row.kind
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return { messages, counts, isQuietEnd }
}

/** Returns what a row is about: the last row about the state of each service or agent, and about each certificate, counts. */
function subjectOf({ kind, serviceId, agentId, host }: MessageRow): string {
  return kind === 'certificate.expiring' ? `certificate ${serviceId} ${host}` : `state ${serviceId ?? agentId}`
}

/** Orders the worst first: what fails, on many agents, for long. */
function worstFirst(rows: readonly MessageRow[]): MessageRow[] {
  return rows.toSorted(
    (a, b) =>
      severityOf(a.kind) - severityOf(b.kind) ||
      b.failingAgents - a.failingAgents ||
      (a.failingSince ?? '').localeCompare(b.failingSince ?? ''),
  )
}

/** Returns the first mail to the member about the incidents of the rows, which starts their thread; null before there is one. */
async function findFirstMail(
  tx: Tx,
  { organizationId, membershipId }: Member,
  rows: readonly MessageRow[],
): Promise<string | null> {
  const incidentIds = rows.flatMap(({ incidentId }) => incidentId ?? [])
  const [first] = await tx
    .select({ mailId: alertMessages.mailId })
    .from(alertEvents)
    .innerJoin(alertMessages, matchesRow(alertMessages.eventId, alertEvents))
    .where(
      and(
        matchesAny(alertEvents.incidentId, organizationId, incidentIds),
        eq(alertMessages.membershipId, membershipId),
        isNotNull(alertMessages.mailId),
        inArray(alertMessages.state, ['pending', 'sent']),
      ),
    )
    // The ids of mails are in the order in which they were made.
    .orderBy(asc(alertMessages.mailId))
    .limit(1)
  return first?.mailId ?? null
}

/**
 * Returns what the link of a mail stops: the smallest of service, project, workspace and organization that contains all
 * its events. One about agents stops all mails about agents.
 */
function stoppableIn({ messages }: Digest, organization: string): Stoppable {
  const [first, ...others] = messages.map(({ data }) => data as EventPayload)
  for (const type of ['service', 'project', 'workspace'] as const) {
    const common = first?.[type]
    if (common && others.every((other) => other[type]?.id === common.id)) {
      return { target: { type, id: common.id }, name: common.name }
    }
  }
  if ([first, ...others].every((one) => one?.agent)) return { target: { type: 'agents' }, name: 'agents' }
  return { target: { type: 'organization' }, name: organization }
}

export function enqueueQuietEnd(tx: Tx, { organizationId, membershipId }: Member, until: Date): Promise<void> {
  const key = `quiet:${membershipId}:${until.toISOString()}`
  return enqueue(tx, 'quiet', { organizationId, membershipId }, { key, runAt: until, keepsRunAt: true })
}

/**
 * Sends a member one mail when quiet hours end: failures of these hours that persist, without resources that the member
 * no longer gets or has silenced since. Later quiet hours hold it on, and so does a maintenance.
 */
export async function sendQuietDigest(db: Db, mailing: Mailing, payload: unknown): Promise<void> {
  const member = JOBS.quiet.parse(payload)
  await db.transaction(async (tx) => {
    const held = await lockMessages(tx, member, sql`alert_messages.state = 'held' and silenced_until <= now()`)
    const reader = await findMailReader(tx, member)
    if (!reader) return suppress(tx, held, 'the member has left the organization')
    if (!mailing.settings.SMTP_URL) return suppress(tx, held, MAIL_NOT_CONFIGURED)
    const rows = await keepWanted(tx, reader, await holdMaintained(tx, reader, await dropOver(tx, held)))
    if (rows.length > 0) await sendAsMail(tx, mailing, reader, rows, true)
  })
}

/** Holds on the messages about services under a maintenance until it ends, and returns the others. */
async function holdMaintained(tx: Tx, reader: MailReader, held: readonly MessageRow[]): Promise<MessageRow[]> {
  const services = held.flatMap(({ organizationId, serviceId: id }) => (id === null ? [] : { organizationId, id }))
  const maintained = await readMaintained(tx, services)
  const endOf = ({ serviceId }: MessageRow) =>
    Math.max(...(maintained.get(serviceId ?? '') ?? []).map(({ endsAt }) => endsAt.getTime()))
  const byEnd = Map.groupBy(held, endOf)
  for (const [end, rows] of byEnd) {
    if (Number.isFinite(end)) await holdOn(tx, reader, rows, 'a maintenance', new Date(end))
  }
  return byEnd.get(Number.NEGATIVE_INFINITY) ?? []
}

async function holdOn(
  tx: Tx,
  reader: Member,
  rows: readonly MessageRow[],
  reason: string,
  silencedUntil: Date,
): Promise<void> {
  await tx.update(alertMessages).set({ reason, silencedUntil }).where(matchesRows(alertMessages.id, rows))
  await enqueueQuietEnd(tx, reader, silencedUntil)
}

/** Ends or holds on the messages that the member must not get now, and returns the others with their present reasons. */
async function keepWanted(tx: Tx, reader: MailReader, held: readonly MessageRow[]): Promise<MessageRow[]> {
  const { organizationId, membershipId, timezone } = reader
  const silences = (await findSilences(tx, organizationId, [{ membershipId }])).get(membershipId) ?? []
  const kept: MessageRow[] = []
  for (const rows of Map.groupBy(held, ({ kind, serviceId, agentId }) => `${kind} ${serviceId ?? agentId}`).values()) {
    const [row] = rows as [MessageRow]
    const location = row.serviceId === null ? null : await findLocation(tx, { organizationId, id: row.serviceId })
    const heardThrough = await hearingNow(tx, reader, row, location)
    const subject = { ...(location ?? NO_RESOURCE), kind: row.kind }
    const suppression = await silencedNow(silences, subject, 'email', new Date(row.now), timezone)
    if (heardThrough.length === 0) await suppress(tx, rows, 'the member is no longer notified of it')
    else if (!suppression) kept.push(...rows.map((one) => ({ ...one, heardThrough })))
    else {
      const { reason, until: silencedUntil, isQuietHours } = suppression
      if (isQuietHours && silencedUntil !== null) await holdOn(tx, reader, rows, reason, silencedUntil)
      else {
        await tx
          .update(alertMessages)
          .set({ state: 'suppressed', reason, silencedUntil })
          .where(matchesRows(alertMessages.id, rows))
      }
    }
  }
  return kept
}

/** Returns why the member is notified of a service or an agent now. */
async function hearingNow(
  tx: Tx,
  { organizationId, membershipId }: Member,
  { heardThrough: heardBefore }: MessageRow,
  location: Awaited<ReturnType<typeof findLocation>>,
): Promise<HeardThrough[]> {
  const heardThrough = location ? await findHearing(tx, location, membershipId) : []
  if (heardThrough.length > 0) return heardThrough
  // The owner is notified of a service without other recipients.
  if (location && !heardBefore.some((one) => one.kind === 'owner')) return []
  const told = await (location ? findOwner : findSettingsWriters)(tx, organizationId)
  return told.find((one) => one.membershipId === membershipId)?.heardThrough ?? []
}
