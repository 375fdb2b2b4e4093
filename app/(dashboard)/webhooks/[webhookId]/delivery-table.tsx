'use client'

import { Badge, Button, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { dateTimeText, Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { Pager } from '../../../components/lists/pager.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

const STATE_STYLES: Record<string, { color: string; label: string }> = {
  pending: { color: 'blue', label: 'On its way' },
  delivered: { color: 'teal', label: 'Delivered' },
  failed: { color: 'red', label: 'Failed' },
}

/** What was sent and what came of it; any can be sent again. */
export function DeliveryTable({ webhookId, mayWrite }: { webhookId: string; mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const deliveries = useQuery({
    ...query('organization.webhooks.deliveries.list', { id: webhookId, page, pageSize: 20 }),
    refetchInterval: 5_000,
  })
  const redeliver = useMutation(mutation('organization.webhooks.deliveries.redeliver'))
  return (
    <Section title="Deliveries" intro="A message that does not arrive is tried again for a day, with growing pauses.">
      <ProblemAlert error={redeliver.error} />
      <Loaded query={deliveries} rows={2}>
        {(list) =>
          list.total === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing has been sent yet.
            </Text>
          ) : (
            <Stack>
              <ScrollArea type="auto">
                <Table verticalSpacing="xs" miw={680} fz="sm">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>When</Table.Th>
                      <Table.Th>Event</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th>Last answer</Table.Th>
                      <Table.Th>Attempts</Table.Th>
                      <Table.Th />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {list.items.map((delivery) => {
                      const look = STATE_STYLES[delivery.state] ?? { color: 'gray', label: delivery.state }
                      return (
                        <Table.Tr key={delivery.id}>
                          <Table.Td>{dateTimeText(delivery.createdAt)}</Table.Td>
                          <Table.Td>{delivery.kind}</Table.Td>
                          <Table.Td>
                            <Badge variant="light" color={look.color}>
                              {look.label}
                            </Badge>
                            {delivery.state === 'pending' && delivery.nextAttemptAt && delivery.attempts > 0 && (
                              <Text size="xs" c="dimmed">
                                again <Instant at={delivery.nextAttemptAt} />
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
                          <Table.Td ta="right">
                            {mayWrite && delivery.state !== 'pending' && (
                              <Button
                                size="compact-sm"
                                variant="subtle"
                                loading={redeliver.isPending && redeliver.variables.id === delivery.id}
                                aria-label={`Send again what was sent ${dateTimeText(delivery.createdAt)}`}
                                onClick={() => redeliver.mutate({ id: delivery.id })}
                              >
                                Send again
                              </Button>
                            )}
                          </Table.Td>
                        </Table.Tr>
                      )
                    })}
                  </Table.Tbody>
                </Table>
              </ScrollArea>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}
