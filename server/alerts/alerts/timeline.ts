import { sql } from 'drizzle-orm'
import { type alertEvents, incidents } from '#db/schema/alerts.ts'
import {
  INCIDENT_NOTES_SHOWN,
  type IncidentNote,
  type IncidentTimelineEntry,
  TIMELINE_KINDS,
  TIMELINE_MAX,
} from '../../schemas/alerts/incidents.ts'
import type { AlertMessage } from '../../schemas/alerts/messages.ts'
import { explainMessages, type StoredMessage, selectMessages, type Viewer } from './explanations.ts'
import type { IncidentRow } from './incident-view.ts'

/** Reminders can go on for as long as an incident. Messages are read for the latest events only. */
const EVENTS_MAX = 50

/** An event as PostgreSQL writes it: the instant in its own form. */
type StoredEvent = {
  id: string
  kind: typeof alertEvents.$inferSelect.kind
  created_at: string
  suppressed_reason: string | null
}
type MessageOfEvent = StoredMessage & { event_id: string }
/** What `selectTimeline` adds to an incident's row. */
type StoredTimeline = { events: StoredEvent[]; messages: MessageOfEvent[] }
type Entry = IncidentTimelineEntry
type Timeline = { timeline: Entry[]; timelineTruncated: boolean }

const EMPTY = { event: null, text: null, reason: null, member: null, message: null }

/**
 * Selects the latest events of an incident, newest first, and the latest of their messages, in the statement that reads
 * its row. More messages than a timeline shows are not read: 50 reminders to 100 members each are 5,000.
 */
export function selectTimeline(viewer: Viewer) {
  const latest = sql`(
    select ev.id, ev.kind, ev.created_at, ev.suppressed_reason from alert_events ev
    where ev.organization_id = ${incidents.organizationId} and ev.incident_id = ${incidents.id}
    order by ev.created_at desc, ev.id desc limit ${EVENTS_MAX}) latest`
  return {
    events: sql<StoredEvent[]>`(
      select coalesce(json_agg(latest order by latest.created_at desc, latest.id desc), '[]') from ${latest})`,
    messages: sql<MessageOfEvent[]>`(
      select coalesce(json_agg(told order by told.place), '[]') from (
        select latest.id as event_id, listed.* from ${latest}
        cross join lateral (
          select named.*, row_number() over () as place from (${selectMessages(sql`latest.id`, viewer)}) named) listed
        order by coalesce(listed.sent_at, listed.created_at) desc limit ${TIMELINE_MAX + 1}) told)`,
  }
}

/**
 * Returns what happened during an incident, oldest first: state changes, reminders, messages, the acknowledgement and
 * the notes. At most the latest `TIMELINE_MAX` entries.
 */
export function timelineOf(viewer: Viewer, incident: IncidentRow & StoredTimeline, notes: IncidentNote[]): Timeline {
  const { events } = incident
  const byEvent = Map.groupBy(incident.messages, (message) => message.event_id)
  const explained = events.map((event) => ({ event, ...explainMessages(byEvent.get(event.id) ?? [], viewer) }))
  const entries = [
    ...stateChanges(incident, events),
    ...events.flatMap(eventEntry),
    ...explained.flatMap(({ event, messages }) => messages.map((message) => messageEntry(event, message))),
    ...acknowledgement(incident),
    ...notes.map(noteEntry),
  ].sort(compare)
  const isWhole =
    events.length < EVENTS_MAX &&
    notes.length < INCIDENT_NOTES_SHOWN &&
    entries.length <= TIMELINE_MAX &&
    explained.every(({ messages, messagesTotal }) => messages.length === messagesTotal)
  return { timeline: entries.slice(-TIMELINE_MAX), timelineTruncated: !isWhole }
}

/** The incident's row outlives its events, which are deleted after the retention. */
function stateChanges(incident: IncidentRow, events: StoredEvent[]): Entry[] {
  const reasonOf = (kind: StoredEvent['kind']) => events.find((event) => event.kind === kind)?.suppressed_reason ?? null
  const [failed, recovered] = ['service.failed', 'service.recovered'] as const
  const opened = { ...EMPTY, kind: failed, reason: reasonOf(failed), text: incident.summary }
  const closed = { ...EMPTY, kind: recovered, reason: reasonOf(recovered) }
  return [
    { ...opened, at: incident.openedAt.toISOString() },
    ...(incident.closedAt ? [{ ...closed, at: incident.closedAt.toISOString() }] : []),
  ]
}

/** Events that the incident's row does not tell. */
function eventEntry({ kind, created_at: at, suppressed_reason: reason }: StoredEvent): Entry[] {
  if (kind !== 'service.reminder' && kind !== 'service.flapping') return []
  return [{ ...EMPTY, kind, at: new Date(at).toISOString(), reason }]
}

function acknowledgement({ acknowledgedAt, acknowledgedBy, acknowledgedName }: IncidentRow): Entry[] {
  if (!acknowledgedAt || !acknowledgedBy) return []
  const member = { orgUserId: acknowledgedBy, name: acknowledgedName ?? '' }
  return [{ ...EMPTY, kind: 'acknowledged', at: acknowledgedAt.toISOString(), member }]
}

function noteEntry({ createdAt, text, author }: IncidentNote): Entry {
  return { ...EMPTY, kind: 'note', at: createdAt, text, member: author }
}

/**
 * Messages are listed when they were sent, or else when they were stored. A member with a hidden address is not named.
 */
function messageEntry({ kind }: StoredEvent, message: AlertMessage): Entry {
  const isNamed = message.channel === 'webhook' || message.email !== null
  const known = isNamed ? message : { ...message, name: null }
  return { ...EMPTY, kind: 'message', at: message.sentAt ?? message.createdAt, event: kind, message: known }
}

function compare(a: Entry, b: Entry): number {
  const rank = ({ kind }: Entry) => (TIMELINE_KINDS as readonly string[]).indexOf(kind)
  return a.at === b.at ? rank(a) - rank(b) : a.at < b.at ? -1 : 1
}
