'use client'

import { Anchor, Badge, Group, List, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AlertEvent, AlertEventPage } from '#server/schemas/alerts/events.ts'
import type { AlertMessage } from '#server/schemas/alerts/messages.ts'
import { useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { Pager } from '../lists/pager.tsx'
import { eventLabel } from './event-labels.ts'
import { throughAllText } from './hearing-text.ts'

const KIND_COLORS: Record<string, string> = { 'service.failed': 'red', 'service.recovered': 'teal' }

const STATE_STYLES: Record<string, { color: string; label: string }> = {
  pending: { color: 'blue', label: 'Pending' },
  sent: { color: 'teal', label: 'Sent' },
  failed: { color: 'red', label: 'Failed' },
  suppressed: { color: 'gray', label: 'Not sent' },
  held: { color: 'gray', label: 'Held back' },
}

type Props = {
  /** One page of the events, or the state of its query. */
  events: UseQueryResult<z.output<typeof AlertEventPage>>
  onPage: (page: number) => void
  intro: string
  /** Shown while there are no events. */
  empty: string
  /** Whose events these are, for the links to results; absent for events of agents, which have none. */
  serviceId?: string
}

/** Events, newest first, with what became of each for its recipients. */
export function EventList({ events, onPage, intro, empty, serviceId }: Props) {
  return (
    <Section title="Alerts" intro={intro}>
      <Loaded query={events} rows={3}>
        {(list) =>
          list.total === 0 ? (
            <NoEntries>{empty}</NoEntries>
          ) : (
            <Stack>
              <Stack gap="lg" component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Alerts">
                {list.items.map((event) => (
                  <Event key={event.id} serviceId={serviceId} event={event} />
                ))}
              </Stack>
              <Pager page={list} onPage={onPage} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function Event({ serviceId, event }: { serviceId: string | undefined; event: AlertEvent }) {
  const dateTimeText = useDateTimeText()
  const { kind, createdAt, summary, resultId, incidentId, messages, messagesTotal } = event
  return (
    <Stack gap={4} component="li">
      <Group gap="xs">
        <Badge variant="light" color={KIND_COLORS[kind] ?? 'orange'}>
          {eventLabel(kind)}
        </Badge>
        <Text size="sm" c="dimmed">
          {dateTimeText(createdAt)}
        </Text>
        {serviceId && resultId && (
          <Anchor component={Link} href={`/services/${serviceId}/results/${resultId}`} size="sm" underline="always">
            Result
          </Anchor>
        )}
        {incidentId && (
          <Anchor component={Link} href={`/incidents/${incidentId}`} size="sm" underline="always">
            Incident
          </Anchor>
        )}
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {summary}
      </Text>
      {messages.length === 0 ? (
        <Text size="sm" c="dimmed">
          {emptyText(event)}
        </Text>
      ) : (
        <List size="sm" spacing={4} listStyleType="none" aria-label={`Messages of ${dateTimeText(createdAt)}`}>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message has no id, and several may lack a name
            <Message key={index} message={message} />
          ))}
        </List>
      )}
      {messagesTotal > messages.length && (
        <Text size="sm" c="dimmed">
          and {(messagesTotal - messages.length).toLocaleString('en')} more
        </Text>
      )}
    </Stack>
  )
}

function emptyText({ suppressedReason, notifiedAt }: AlertEvent): string {
  if (suppressedReason) return `Not sent: ${suppressedReason}.`
  return notifiedAt ? 'No recipients.' : 'Messages are being prepared.'
}

function Message({ message }: { message: AlertMessage }) {
  const dateTimeText = useDateTimeText()
  const { color, label } = STATE_STYLES[message.state] ?? { color: 'gray', label: message.state }
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      <Badge variant="light" color={color} tt="none" mr={6}>
        {label}
      </Badge>
      {recipientText(message)}{' '}
      <Text span size="xs" c="dimmed">
        {detailsOf(message, dateTimeText).join(', ')}
      </Text>
    </List.Item>
  )
}

function recipientText({ channel, orgUserId, name, email }: AlertMessage): string {
  if (channel === 'webhook') return name === null ? 'A webhook' : `Webhook ${name}`
  if (orgUserId === null) return 'A member'
  return name === null ? 'A former member' : email === null ? name : `${name} (${email})`
}

function detailsOf(message: AlertMessage, dateTimeText: (at: string) => string): string[] {
  const { state, reason, silencedUntil, sentAt, attempts, lastStatus, nextAttemptAt, heardThrough } = message
  const details = []
  if (reason !== null && state !== 'sent') details.push(reason)
  if (silencedUntil) details.push(`until ${dateTimeText(silencedUntil)}`)
  // A failed attempt names the status in its reason.
  if (lastStatus !== null && reason === null) details.push(`status ${lastStatus}`)
  if (attempts !== null && attempts > 0) details.push(attempts === 1 ? '1 attempt' : `${attempts} attempts`)
  if (state === 'pending' && nextAttemptAt) details.push(`next attempt ${dateTimeText(nextAttemptAt)}`)
  if (sentAt) details.push(dateTimeText(sentAt))
  if (heardThrough.length > 0) details.push(throughAllText(heardThrough))
  return details
}
