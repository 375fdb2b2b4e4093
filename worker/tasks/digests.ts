import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { matchesAny, matchesRow, matchesRows, type RowKey } from '#db/row-match.ts'
import { alertEvents, alertMessages, type EventKind, type HeardThrough } from '#db/schema/alerts.ts'
import { memberships, organizations, users } from '#db/schema/organizations.ts'
import { DIGEST_LISTED_MAX, type Digest, severityOf } from '#server/mail/digest-content.ts'
import type { WebhookMessage } from '#server/webhooks/messages.ts'
import type { MailRecipient } from './alert-mail.ts'

// What the two digests share: many services that change within a minute, and quiet hours that end.

/** A message that goes into a digest, with what its order in the mail needs. */
export type DigestRow = {
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
}

export type DigestEvent = typeof alertEvents.$inferSelect

/** Selects a `DigestRow` of the message `m` and its event `e`. */
export const digestRow = sql`m.id, m.organization_id as "organizationId", m.event_id as "eventId", e.kind,
  e.service_id as "serviceId", e.agent_id as "agentId", e.incident_id as "incidentId",
  e.payload #>> '{certificate,host}' as host, m.heard_through as "heardThrough",
  jsonb_array_length(jsonb_path_query_array(e.payload, '$.agents[*] ? (@.failingRuns > 0)')) as "failingAgents",
  e.payload #>> '{incident,failingSince}' as "failingSince"`

export type MailReader = Pick<MailRecipient, 'email' | 'timezone'> & { organization: string }

/** Returns the address of an active member, and the time zone and name of the organization; null for others. */
export async function findMailReader(tx: Tx, membership: RowKey<string>): Promise<MailReader | null> {
  const [reader] = await tx
    .select({ email: users.email, timezone: organizations.timezone, organization: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(matchesRow(memberships.id, membership), eq(memberships.isActive, true), eq(users.isActive, true)))
  return reader ?? null
}

/** Returns the last row about the state of each service or agent, and about each certificate. Rows are ordered by time. */
export function latestPerSubject<R extends DigestRow>(rows: readonly R[]): R[] {
  return [...new Map(rows.map((row) => [subjectOf(row), row])).values()]
}

/** Returns what a row is about: rows about the same follow one another. */
export function subjectOf({ kind, serviceId, agentId, host }: DigestRow): string {
  return kind === 'certificate.expiring' ? `certificate ${serviceId} ${host}` : `state ${serviceId ?? agentId}`
}

/** Orders the worst first: what fails, on many agents, for long. */
export function worstFirst(rows: readonly DigestRow[]): DigestRow[] {
  return rows.toSorted(
    (a, b) =>
      severityOf(a.kind) - severityOf(b.kind) ||
      b.failingAgents - a.failingAgents ||
      (a.failingSince ?? '').localeCompare(b.failingSince ?? ''),
  )
}

/** Returns the digest of the rows. Only the events that it lists are read. */
export async function digestOf(
  tx: Tx,
  rows: readonly DigestRow[],
  toMessage: (event: DigestEvent) => WebhookMessage,
): Promise<Digest> {
  const listed = worstFirst(rows).slice(0, DIGEST_LISTED_MAX)
  const events = await readEvents(tx, listed)
  const messages = listed.flatMap(({ eventId }) => {
    const event = events.get(eventId)
    return event ? [toMessage(event)] : []
  })
  const counts = new Map<EventKind, number>()
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return { messages, counts }
}

export async function readEvents(tx: Tx, rows: readonly DigestRow[]): Promise<Map<string, DigestEvent>> {
  const keys = rows.map(({ organizationId, eventId: id }) => ({ organizationId, id }))
  const events = await tx.select().from(alertEvents).where(matchesRows(alertEvents.id, keys))
  return new Map(events.map((event) => [event.id, event]))
}

/** Returns why a member is notified of the rows, each reason once. */
export function hearingOf(rows: readonly DigestRow[]): HeardThrough[] {
  const all = rows.flatMap(({ heardThrough }) => heardThrough)
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

/**
 * Returns the first mail to the member about the incidents of the rows, which starts their thread; null before there is one.
 * The ids of mails are in the order in which they were made.
 */
export async function findFirstMail(
  tx: Tx,
  { organizationId, id: membershipId }: RowKey<string>,
  rows: readonly DigestRow[],
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
    .orderBy(asc(alertMessages.mailId))
    .limit(1)
  return first?.mailId ?? null
}

/** Makes the messages those of a mail, whose job the caller enqueues. */
export async function assignMail(tx: Tx, rows: readonly DigestRow[], mailId: string): Promise<void> {
  await tx
    .update(alertMessages)
    .set({ state: 'pending', mailId, reason: null })
    .where(matchesRows(alertMessages.id, rows))
}

export async function suppressRows(tx: Tx, rows: readonly DigestRow[], reason: string): Promise<void> {
  if (rows.length === 0) return
  await tx.update(alertMessages).set({ state: 'suppressed', reason }).where(matchesRows(alertMessages.id, rows))
}
