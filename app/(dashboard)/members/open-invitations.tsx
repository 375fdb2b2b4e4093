'use client'

import { Button, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function OpenInvitations({ mayWrite }: { mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const invitations = useQuery(query('organization.invitations.list', { page }))
  const withdraw = useMutation(mutation('organization.invitations.withdraw'))
  return (
    <Section title="Open invitations">
      <ProblemAlert error={withdraw.error} />
      <Loaded query={invitations} rows={1}>
        {(list) =>
          list.total === 0 ? (
            <Text size="sm" c="dimmed">
              None.
            </Text>
          ) : (
            <Stack>
              <Table verticalSpacing="xs">
                <Table.Tbody>
                  {list.items.map((invitation) => (
                    <Table.Tr key={invitation.id}>
                      <Table.Td>
                        <Text size="sm" fw={500}>
                          {invitation.email}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {invitation.invitedBy ? `by ${invitation.invitedBy}, ` : ''}expires{' '}
                          <Instant at={invitation.expiresAt} />
                        </Text>
                      </Table.Td>
                      <Table.Td ta="right">
                        {mayWrite && (
                          <Button
                            size="compact-sm"
                            variant="subtle"
                            color="red"
                            aria-label={`Withdraw the invitation of ${invitation.email}`}
                            onClick={() => withdraw.mutate({ id: invitation.id })}
                          >
                            Withdraw
                          </Button>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}
