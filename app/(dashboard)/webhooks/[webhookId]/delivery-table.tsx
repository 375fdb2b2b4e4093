'use client'

import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { WebhookDelivery } from '#server/schemas/organization/webhooks.ts'
import { mutation, query } from '../../../client/api.ts'
import { Instant, useDateTimeText } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { Pager } from '../../../components/lists/pager.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'

const STATE_STYLES: Record<string, { color: string; label: string }> = {
  pending: { color: 'blue', label: 'Pending' },
  delivered: { color: 'teal', label: 'Delivered' },
  failed: { color: 'red', label: 'Failed' },
}
const COLUMNS = ['Time', 'Event', 'About', 'State', 'Last response', 'Attempts', '']

type Props = {
  webhookId: string
  mayWrite: boolean
  /** The delivery whose attempts are shown. */
  openId: string | null
  onOpen: (id: string | null) => void
}

/** The deliveries of a webhook. Members with write permission see every attempt and send finished ones again. */
export function DeliveryTable({ webhookId, mayWrite, openId, onOpen }: Props) {
  const dateTimeText = useDateTimeText()
  const [page, setPage] = useState(1)
  const deliveries = useQuery(query('organization.webhooks.deliveries.list', { id: webhookId, page, pageSize: 20 }))
  const redeliver = useMutation(mutation('organization.webhooks.deliveries.redeliver'))
  const actionsOf = (delivery: WebhookDelivery) => (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {delivery.state !== 'pending' && (
        <RowButton
          loading={redeliver.isPending && redeliver.variables.id === delivery.id}
          label={`Send again the delivery of ${dateTimeText(delivery.createdAt)}`}
          onClick={() => redeliver.mutate({ id: delivery.id })}
        >
          Send again
        </RowButton>
      )}
      <RowButton
        label={`${openId === delivery.id ? 'Hide' : 'Show'} the attempts of the delivery of ${dateTimeText(delivery.createdAt)}`}
        onClick={() => onOpen(openId === delivery.id ? null : delivery.id)}
      >
        {openId === delivery.id ? 'Hide' : 'Show'}
      </RowButton>
    </Group>
  )
  return (
    <Section
      title="Deliveries"
      intro="A failed delivery is retried for one day, with increasing delays. Every attempt is kept with its response."
    >
      <ProblemAlert error={redeliver.error} />
      <Loaded query={deliveries} rows={2}>
        {(list) =>
          list.total === 0 ? (
            <NoEntries>No deliveries yet. Send a test message above to see the first one.</NoEntries>
          ) : (
            <Stack>
              <ScrollTable verticalSpacing="xs" miw={860} fz="sm" columns={COLUMNS}>
                {list.items.map((delivery) => (
                  <Fragment key={delivery.id}>
                    <DeliveryRow delivery={delivery} actions={mayWrite && actionsOf(delivery)} />
                    {mayWrite && openId === delivery.id && (
                      <Table.Tr>
                        <Table.Td colSpan={COLUMNS.length}>
                          <DeliveryDetail id={delivery.id} />
                        </Table.Td>
                      </Table.Tr>
                    )}
                  </Fragment>
                ))}
              </ScrollTable>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function DeliveryRow({ delivery, actions }: { delivery: WebhookDelivery; actions: ReactNode }) {
  const dateTimeText = useDateTimeText()
  const style = STATE_STYLES[delivery.state] ?? { color: 'gray', label: delivery.state }
  return (
    <Table.Tr>
      <Table.Td>{dateTimeText(delivery.createdAt)}</Table.Td>
      <Table.Td>{delivery.kind}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <About {...delivery} />
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={style.color}>
          {style.label}
        </Badge>
        {delivery.state === 'pending' && delivery.nextAttemptAt && delivery.attempts > 0 && (
          <Text size="xs" c="dimmed">
            next attempt <Instant at={delivery.nextAttemptAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {delivery.lastStatus ?? (delivery.lastLatencyMs === null ? null : '–')}{' '}
        {millisecondsText(delivery.lastLatencyMs)}
        {delivery.lastError && (
          <Text size="xs" c="red">
            {delivery.lastError}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{delivery.attempts}</Table.Td>
      <Table.Td>{actions}</Table.Td>
    </Table.Tr>
  )
}

function About({ service, incident }: Pick<WebhookDelivery, 'service' | 'incident'>) {
  if (!service) return null
  return (
    <>
      <Anchor component={Link} href={`/services/${service.id}`} inherit fw={600}>
        {service.name}
      </Anchor>
      {incident && (
        <Anchor component={Link} href={`/incidents/${incident.id}`} size="xs" display="block">
          {incident.summary || 'Incident'}
        </Anchor>
      )}
    </>
  )
}
