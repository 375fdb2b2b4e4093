import { desc } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import {
  INCIDENT_NOTES_SHOWN,
  type IncidentNote,
  type IncidentTimelineEntry,
  TIMELINE_KINDS,
  TIMELINE_MAX,
} from '../schemas/alerts/incidents.ts'
import type { AlertMessage } from '../schemas/alerts/messages.ts'
import { type ExplainedMessages, readMessages, type Viewer } from './explanations.ts'
import type { IncidentRow } from './incident-view.ts'

/** Reminders can go on for as long as an incident. Messages are read for the latest events only. */
const EVENTS_MAX = 50

type Event = Pick<typeof alertEvents.$inferSelect, 'id' | 'kind' | 'createdAt' | 'suppressedReason'>
type Entry = IncidentTimelineEntry
type Timeline = { timeline: Entry[]; timelineTruncated: boolean }

const EMPTY = { event: null, text: null, reason: null, member: null, message: null }

/**
 * Returns what happened during an incident, oldest first: state changes, reminders, messages, the acknowledgement and
 * the notes. At most the latest `TIMELINE_MAX` entries.
 */
export async function readTimeline(
  db: Queryable,
  viewer: Viewer,
  incident: IncidentRow,
  events: Event[],
  notes: IncidentNote[],
): Promise<Timeline> {
  const ofEvents = await readMessages(
    db,
    viewer,
    events.map(({ id }) => id),
  )
  const explained = events.map((event) => ({ event, ...(ofEvents.get(event.id) as ExplainedMessages) }))
  const entries = [
    ...stateChanges(incident, events),
    ...events.filter(({ kind }) => kind === 'service.reminder').map(reminderEntry),
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

/** Returns the latest events of an incident, newest first. */
export function readEvents(db: Queryable, incident: RowKey<string>): Promise<Event[]> {
  return db
    .select({
      id: alertEvents.id,
      kind: alertEvents.kind,
      createdAt: alertEvents.createdAt,
      suppressedReason: alertEvents.suppressedReason,
    })
    .from(alertEvents)
    .where(matchesRow(alertEvents.incidentId, incident))
    .orderBy(desc(alertEvents.createdAt), desc(alertEvents.id))
    .limit(EVENTS_MAX)
}

/** The incident's row outlives its events, which are deleted after the retention. */
function stateChanges(incident: IncidentRow, events: Event[]): Entry[] {
  const reasonOf = (kind: Event['kind']) => events.find((event) => event.kind === kind)?.suppressedReason ?? null
  const [failed, recovered] = ['service.failed', 'service.recovered'] as const
  const opened = { ...EMPTY, kind: failed, reason: reasonOf(failed), text: incident.summary }
  const closed = { ...EMPTY, kind: recovered, reason: reasonOf(recovered) }
  return [
    { ...opened, at: incident.openedAt.toISOString() },
    ...(incident.closedAt ? [{ ...closed, at: incident.closedAt.toISOString() }] : []),
  ]
}

function reminderEntry({ createdAt, suppressedReason }: Event): Entry {
  return { ...EMPTY, kind: 'service.reminder', at: createdAt.toISOString(), reason: suppressedReason }
}

function acknowledgement({ acknowledgedAt, acknowledgedBy, acknowledgedName }: IncidentRow): Entry[] {
  if (!acknowledgedAt || !acknowledgedBy) return []
  const member = { orgUserId: acknowledgedBy, name: acknowledgedName ?? '' }
  return [{ ...EMPTY, kind: 'acknowledged', at: acknowledgedAt.toISOString(), member }]
}

function noteEntry({ createdAt, text, author }: IncidentNote): Entry {
  return { ...EMPTY, kind: 'note', at: createdAt, text, member: author }
}

/** Messages are listed when they were sent, or else when they were stored. Whose address is hidden stays nameless too. */
function messageEntry({ kind }: Event, message: AlertMessage): Entry {
  const isNamed = message.channel === 'webhook' || message.email !== null
  const known = isNamed ? message : { ...message, name: null }
  return { ...EMPTY, kind: 'message', at: message.sentAt ?? message.createdAt, event: kind, message: known }
}

function compare(a: Entry, b: Entry): number {
  const rank = ({ kind }: Entry) => (TIMELINE_KINDS as readonly string[]).indexOf(kind)
  return a.at === b.at ? rank(a) - rank(b) : a.at < b.at ? -1 : 1
}
