import { sql } from '#db/drizzle.cjs'
import { type alertEvents, type incidentChanges, incidents } from '#db/schema/alerts.ts'
import { timestampOfId } from '../../results/results/ids.ts'
import {
  INCIDENT_CHANGE_KINDS,
  INCIDENT_CHANGES_SHOWN,
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
const VERSIONS_MAX = 20

/** An event as PostgreSQL writes it: the instant in its own form. */
type StoredEvent = {
  id: string
  kind: typeof alertEvents.$inferSelect.kind
  created_at: string
  suppressed_reason: string | null
}
type MessageOfEvent = StoredMessage & { event_id: string }
/** A change by a member, as PostgreSQL writes it. */
type StoredChange = Pick<typeof incidentChanges.$inferSelect, 'kind' | 'value'> & {
  membership_id: string
  member_name: string
  created_at: string
}
type StoredVersion = { version: number; created_at: string }
/** What `selectTimeline` adds to an incident's row. */
type StoredTimeline = {
  events: StoredEvent[]
  messages: MessageOfEvent[]
  changes: StoredChange[]
  versions: StoredVersion[]
}
type Entry = IncidentTimelineEntry
type Timeline = { timeline: Entry[]; timelineTruncated: boolean }

const EMPTY = { event: null, text: null, reason: null, member: null, message: null }

/**
 * Selects the latest events of an incident, newest first, the latest of their messages, the latest changes by members,
 * oldest first, and the latest versions of the script before its end, in the statement that reads its row. More messages than a timeline shows are not read: 50 reminders to
 * 100 members each are 5,000.
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
    changes: sql<StoredChange[]>`(
      select coalesce(json_agg(made order by made.created_at, made.id), '[]') from (
        select c.id, c.kind, c.value, c.membership_id, c.member_name, c.created_at from incident_changes c
        where c.organization_id = ${incidents.organizationId} and c.incident_id = ${incidents.id}
        order by c.created_at desc, c.id desc limit ${INCIDENT_CHANGES_SHOWN}) made)`,
    versions: sql<StoredVersion[]>`(
      select coalesce(json_agg(saved), '[]') from (
        select v.version, v.created_at from script_versions v
        where v.organization_id = ${incidents.organizationId} and v.service_id = ${incidents.serviceId}
          and v.created_at <= coalesce(${incidents.closedAt}, 'infinity')
        order by v.version desc limit ${VERSIONS_MAX}) saved)`,
  }
}

/**
 * Returns what happened during an incident, oldest first: state changes, reminders, messages, changes by members,
 * scripts that were saved, and notes. At most the latest `TIMELINE_MAX` entries.
 */
export function timelineOf(viewer: Viewer, incident: IncidentRow & StoredTimeline, notes: IncidentNote[]): Timeline {
  const { events, changes } = incident
  const byEvent = Map.groupBy(incident.messages, (message) => message.event_id)
  const explained = events.map((event) => ({ event, ...explainMessages(byEvent.get(event.id) ?? [], viewer) }))
  const entries = [
    ...stateChanges(incident, events),
    ...events.flatMap(eventEntry),
    ...explained.flatMap(({ event, messages }) => messages.map((message) => messageEntry(event, message))),
    ...changes.map(changeEntry),
    ...savedScripts(incident),
    ...notes.map(noteEntry),
  ].sort(compare)
  const isWhole =
    events.length < EVENTS_MAX &&
    notes.length < INCIDENT_NOTES_SHOWN &&
    changes.length < INCIDENT_CHANGES_SHOWN &&
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

/** The scripts that were saved since the last run that passed: one of them may be the cause. */
function savedScripts({ versions, lastPassingResultId, failingSince }: IncidentRow & StoredTimeline): Entry[] {
  const passedAt = lastPassingResultId === null ? null : timestampOfId(lastPassingResultId)
  const since = passedAt ?? failingSince
  return versions
    .map(({ version, created_at }) => ({ at: new Date(created_at), text: String(version) }))
    .filter(({ at }) => at > since)
    .map(({ at, text }) => ({ ...EMPTY, kind: 'script_saved', at: at.toISOString(), text }))
}

/** Events that the incident's row does not tell. */
function eventEntry({ kind, created_at: at, suppressed_reason: reason }: StoredEvent): Entry[] {
  if (kind !== 'service.reminder' && kind !== 'service.flapping') return []
  return [{ ...EMPTY, kind, at: new Date(at).toISOString(), reason }]
}

function changeEntry({ kind, value, membership_id, member_name: name, created_at }: StoredChange): Entry {
  const member = { orgUserId: membership_id, name }
  return { ...EMPTY, kind, at: new Date(created_at).toISOString(), text: value, member }
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
  return a.at === b.at ? rankOf(a) - rankOf(b) : a.at < b.at ? -1 : 1
}

/** Changes have one rank: those of one instant keep their order. */
function rankOf({ kind }: Entry): number {
  const isChange = (INCIDENT_CHANGE_KINDS as readonly string[]).includes(kind)
  return (TIMELINE_KINDS as readonly string[]).indexOf(isChange ? INCIDENT_CHANGE_KINDS[0] : kind)
}
