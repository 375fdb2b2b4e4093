'use client'

import { Anchor, Badge, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertEvent } from '#server/schemas/alerts/events.ts'
import type { AlertMessage } from '#server/schemas/alerts/messages.ts'
import { query } from '../../../../client/api.ts'
import { eventLabel } from '../../../../components/alerts/event-labels.ts'
import { throughAllText } from '../../../../components/alerts/hearing-text.ts'
import { useDateTimeText } from '../../../../components/instant.tsx'
import { Link } from '../../../../components/layout/link.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../../components/lists/no-entries.tsx'
import { Pager } from '../../../../components/lists/pager.tsx'

const KIND_COLORS: Record<string, string> = { 'service.failed': 'red', 'service.recovered': 'teal' }

const STATE_STYLES: Record<string, { color: string; label: string }> = {
  pending: { color: 'blue', label: 'Pending' },
  sent: { color: 'teal', label: 'Sent' },
  failed: { color: 'red', label: 'Failed' },
  suppressed: { color: 'gray', label: 'Not sent' },
  held: { color: 'gray', label: 'Held back' },
}

/** The events of a service, newest first, with what became of each for its recipients. */
export function EventList({ serviceId }: { serviceId: string }) {
  const [page, setPage] = useState(1)
  const events = useQuery(query('alerts.events', { id: serviceId, page, pageSize: 10 }))
  return (
    <Section title="Alerts" intro="What happened to this service, whom it was sent to, and to whom not and why.">
      <Loaded query={events} rows={3}>
        {(list) =>
          list.total === 0 ? (
            <NoEntries>No alerts yet. The first failure or recovery is listed here.</NoEntries>
          ) : (
            <Stack>
              <Stack gap="lg" component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Alerts">
                {list.items.map((event) => (
                  <Event key={event.id} serviceId={serviceId} event={event} />
                ))}
              </Stack>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function Event({ serviceId, event }: { serviceId: string; event: AlertEvent }) {
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
        {resultId && (
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
  if (suppressedReason) return `Not announced: ${suppressedReason}.`
  return notifiedAt ? 'It has no recipients.' : 'The messages are about to be queued.'
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
