'use client'

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { deviceOf } from './device.ts'

export function SessionsSection() {
  const [page, setPage] = useState(1)
  const sessions = useQuery(query('account.sessions.list', { page, pageSize: 10 }))
  const end = useMutation(mutation('account.sessions.revoke'))
  const endOthers = useMutation(mutation('account.sessions.revokeOthers'))
  return (
    <Section
      title="Sessions"
      intro="The browsers in which you are signed in."
      actions={
        (sessions.data?.total ?? 0) > 1 && (
          <Button size="xs" variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all other sessions
          </Button>
        )
      }
    >
      <ProblemAlert error={end.error ?? endOthers.error} />
      <Loaded query={sessions}>
        {(list) => (
          <Stack gap="sm">
            {list.items.map((session) => (
              <Group key={session.id} justify="space-between" wrap="nowrap" align="flex-start">
                <Stack gap={0} miw={0}>
                  <Group gap="xs">
                    <Text size="sm" fw={500}>
                      {deviceOf(session.userAgent)}
                    </Text>
                    {session.isCurrent && (
                      <Badge size="sm" variant="light">
                        This browser
                      </Badge>
                    )}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {session.address} · {session.organization.name} · last used <Instant at={session.lastSeenAt} />
                  </Text>
                </Stack>
                {!session.isCurrent && (
                  <RowButton
                    color="red"
                    loading={end.isPending && end.variables.id === session.id}
                    label={`End the session of ${deviceOf(session.userAgent)}`}
                    onClick={() => end.mutate({ id: session.id })}
                  >
                    End
                  </RowButton>
                )}
              </Group>
            ))}
            <Pager page={list} onPage={setPage} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
