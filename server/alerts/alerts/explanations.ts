import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { HeardThrough } from '#db/schema/alerts.ts'
import type { Actor } from '../../context.ts'
import { type AlertMessage, MESSAGES_MAX } from '../../schemas/alerts/messages.ts'

// Messages of an event per recipient: mails, webhook deliveries, and unsent messages with their reasons.

/** The reader. Read access to Users and Webhooks decides whether members and webhooks are named. */
export type Viewer = Pick<Actor, 'organizationId' | 'membershipId' | 'sections'>

type ShownMember = {
  orgUserId: string | null
  name: string | null
  email: string | null
  heardThrough: HeardThrough[]
}

/**
 * Returns a member as the reader may see them: only members with read on Users see who the others are, and the names of
 * their groups.
 */
export function showMember(viewer: Viewer, member: ShownMember): ShownMember {
  if (viewer.sections.users > 0 || member.orgUserId === viewer.membershipId) return member
  const heardThrough = member.heardThrough.map((one) => ({ ...one, group: null }))
  return { orgUserId: null, name: null, email: null, heardThrough }
}

export type ExplainedMessages = { messages: AlertMessage[]; messagesTotal: number }

/** A message as PostgreSQL writes it. */
export type StoredMessage = {
  channel: AlertMessage['channel']
  membership_id: string | null
  webhook_id: string | null
  name: string | null
  email: string | null
  heard_through: HeardThrough[]
  state: AlertMessage['state']
  reason: string | null
  silenced_until: string | null
  attempts: number | null
  last_status: number | null
  next_attempt_at: string | null
  sent_at: string | null
  created_at: string
  total: number
}

/**
 * Selects the messages of an event, at most MESSAGES_MAX: the reader's own first, then those that were not sent. The
 * caller checks that the viewer may read the service or the agent of the event.
 */
export function selectMessages(eventId: SQL, viewer: Viewer): SQL {
  return sql`
    select told.*, count(*) over ()::int as total from (
      select m.channel, m.membership_id, m.webhook_id, coalesce(u.display_name, w.name) as name, u.email,
        m.heard_through, m.state, m.reason, m.silenced_until, null::int as attempts, null::int as last_status,
        null::timestamptz as next_attempt_at, m.sent_at, m.created_at, m.id
      from alert_messages m
        left join memberships ms on (ms.organization_id, ms.id) = (m.organization_id, m.membership_id) left join users u on u.id = ms.user_id
        left join webhooks w on (w.organization_id, w.id) = (m.organization_id, m.webhook_id)
      where m.organization_id = ${viewer.organizationId} and m.event_id = ${eventId}
      union all
      select 'webhook', null, d.webhook_id, w.name, null, '[]'::jsonb,
        case d.state when 'delivered' then 'sent' else d.state end, d.last_error, null, d.attempts, d.last_status,
        d.next_attempt_at, d.delivered_at, d.created_at, d.id
      from webhook_deliveries d join webhooks w on (w.organization_id, w.id) = (d.organization_id, d.webhook_id)
      where d.organization_id = ${viewer.organizationId} and d.event_id = ${eventId}) told
    order by (told.membership_id = ${viewer.membershipId}) is true desc,
      array_position(array['failed', 'suppressed', 'held', 'pending', 'sent'], told.state), told.name, told.id
    limit ${MESSAGES_MAX}`
}

/** Returns the messages of `selectMessages` as the viewer may see them. */
export function explainMessages(stored: StoredMessage[], viewer: Viewer): ExplainedMessages {
  return { messages: stored.map((row) => present(row, viewer)), messagesTotal: stored[0]?.total ?? 0 }
}

/** Returns the messages of events by the event's id. */
export async function readMessages(
  db: Queryable,
  viewer: Viewer,
  eventIds: string[],
): Promise<Map<string, ExplainedMessages>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db.execute<StoredMessage & { event_id: string }>(sql`
    select e.id as event_id, listed.* from unnest(${uuids(eventIds)}) e (id)
    cross join lateral (${selectMessages(sql`e.id`, viewer)}) listed`)
  const byEvent = Map.groupBy(rows, (row) => row.event_id)
  return new Map(eventIds.map((id) => [id, explainMessages(byEvent.get(id) ?? [], viewer)]))
}

function present(row: StoredMessage, viewer: Viewer): AlertMessage {
  // A delivery's error can name the receiver.
  const isHidden = row.channel === 'webhook' && viewer.sections.webhooks === 0
  const { membership_id: orgUserId, name, email, heard_through: heardThrough } = row
  const recipient = { orgUserId, name, email, heardThrough }
  return {
    channel: row.channel,
    ...(row.channel === 'email' ? showMember(viewer, recipient) : { ...recipient, name: isHidden ? null : name }),
    webhookId: isHidden ? null : row.webhook_id,
    state: row.state,
    reason: isHidden && row.state !== 'suppressed' ? null : row.reason,
    silencedUntil: instantOf(row.silenced_until),
    attempts: row.attempts,
    lastStatus: isHidden ? null : row.last_status,
    nextAttemptAt: instantOf(row.next_attempt_at),
    sentAt: instantOf(row.sent_at),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

function instantOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString()
}
