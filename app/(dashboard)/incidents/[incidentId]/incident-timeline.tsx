'use client'

import { Anchor, Text, Timeline } from '@mantine/core'
import type { IncidentTimelineEntry } from '#server/schemas/alerts/incidents.ts'
import type { AlertMessage } from '#server/schemas/alerts/messages.ts'
import { versionsHref } from '../../../client/addresses/versions-href.ts'
import {
  BellOff,
  BellRing,
  Check,
  ChevronsUpDown,
  CircleCheck,
  CircleX,
  type IconComponent,
  MailX,
  Pencil,
  TriangleAlert,
  Webhook,
  X,
} from '../../../components/icons.ts'
import { useDateTimeText } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { GitCompareArrows, Hourglass, Mail, MessageSquare, UserMinus, UserPlus } from '../../icons.ts'

/** What happened during an incident, oldest first. A version of the script leads to its change. */
export function IncidentTimeline({ entries, serviceId }: { entries: IncidentTimelineEntry[]; serviceId: string }) {
  const dateTimeText = useDateTimeText()
  return (
    <Timeline
      component="ol"
      active={entries.length}
      bulletSize={26}
      lineWidth={2}
      aria-label="Timeline"
      pl={0}
      m={0}
      style={{ listStyle: 'none' }}
    >
      {entries.map((entry, index) => {
        const { icon: Icon, color, title, text } = shownOf(entry, dateTimeText)
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and new ones are added at the end
            key={index}
            component="li"
            bullet={<Icon size={14} aria-hidden />}
            color={color}
            title={
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Text>
            }
          >
            {entry.kind === 'script_saved' && (
              <Anchor component={Link} href={versionsHref(serviceId, null, Number(entry.text))} size="sm">
                See the change
              </Anchor>
            )}
            {text && (
              <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {text}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <time dateTime={entry.at}>{dateTimeText(entry.at)}</time>
            </Text>
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

type Shown = { icon: IconComponent; color: string; title: string; text: string | null }

function shownOf(entry: IncidentTimelineEntry, dateTimeText: (at: string) => string): Shown {
  const name = entry.member?.name ?? ''
  const untold = entry.reason === null ? null : `No messages sent: ${entry.reason}`
  switch (entry.kind) {
    case 'service.failed':
      return { icon: CircleX, color: 'red', title: 'The service failed', text: untold ?? entry.text }
    case 'service.recovered':
      return { icon: CircleCheck, color: 'teal', title: 'The service recovered', text: untold }
    case 'service.reminder':
      return { icon: BellRing, color: 'orange', title: 'Reminder due', text: untold }
    case 'service.flapping':
      return { icon: ChevronsUpDown, color: 'orange', title: 'The service is flapping', text: untold }
    case 'script_saved':
      return {
        icon: GitCompareArrows,
        color: 'blue',
        title: `Version ${entry.text} of the script was saved`,
        text: null,
      }
    case 'acknowledged':
      return { icon: Check, color: 'blue', title: `${name} acknowledged the incident`, text: null }
    case 'unacknowledged':
      return { icon: X, color: 'orange', title: `${name} took back the acknowledgement`, text: null }
    case 'assigned':
      return { icon: UserPlus, color: 'blue', title: assignedTitle(name, entry.text), text: null }
    case 'unassigned':
      return { icon: UserMinus, color: 'blue', title: `${name} removed the assignee`, text: null }
    case 'severity':
      return {
        icon: TriangleAlert,
        color: 'blue',
        title: `${name} set the severity: ${severityText(entry)}`,
        text: null,
      }
    case 'post_mortem':
      return { icon: Pencil, color: 'blue', title: `${name} changed the post-mortem`, text: null }
    case 'note':
      return { icon: MessageSquare, color: 'blue', title: `Note by ${name}`, text: entry.text }
    default:
      return entry.message
        ? shownMessage(entry.message, entry.event, dateTimeText)
        : { icon: MessageSquare, color: 'gray', title: entry.kind, text: entry.text }
  }
}

function assignedTitle(name: string, assignee: string | null): string {
  return name === assignee
    ? `${name} took over the incident`
    : `${name} assigned the incident to ${assignee ?? 'a member'}`
}

function severityText({ text }: IncidentTimelineEntry): string {
  return text ?? 'that of the label, or none'
}

const EVENT_WORDS: Record<string, string> = {
  'service.failed': 'the failure',
  'service.recovered': 'the recovery',
  'service.reminder': 'the reminder',
  'service.flapping': 'the flapping',
}

const STATE_WORDS: Record<string, string> = {
  pending: 'is being sent',
  sent: 'was sent',
  failed: 'could not be sent',
  suppressed: 'was not sent',
  held: 'is held back until quiet hours end',
}

function shownMessage(message: AlertMessage, event: string | null, dateTimeText: (at: string) => string): Shown {
  const { channel, state, silencedUntil } = message
  const to =
    channel === 'email'
      ? `Mail to ${message.name ?? 'a member'}`
      : `Message to webhook ${message.name ?? '(name hidden)'}`
  const about = event ? ` about ${EVENT_WORDS[event] ?? event}` : ''
  const until = silencedUntil ? `, until ${dateTimeText(silencedUntil)}` : ''
  const icons: Record<string, IconComponent> = { failed: MailX, suppressed: BellOff, held: Hourglass }
  return {
    icon: icons[state] ?? (channel === 'webhook' ? Webhook : Mail),
    color: state === 'failed' ? 'red' : 'gray',
    title: `${to}${about} ${STATE_WORDS[state] ?? state}`,
    text: message.reason === null ? null : `Reason: ${message.reason}${until}`,
  }
}
