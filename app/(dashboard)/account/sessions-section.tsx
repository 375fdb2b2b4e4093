'use client'

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function SessionsSection() {
  const [page, setPage] = useState(1)
  const sessions = useQuery(query('account.sessions.list', { page, pageSize: 10 }))
  const end = useMutation(mutation('account.sessions.revoke'))
  const endOthers = useMutation(mutation('account.sessions.revokeOthers'))
  return (
    <Section
      title="Sessions"
      intro="Where you are signed in."
      actions={
        (sessions.data?.total ?? 0) > 1 && (
          <Button size="xs" variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
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
                        This one
                      </Badge>
                    )}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {session.address} · {session.organization.name} · last used <Instant at={session.lastSeenAt} />
                  </Text>
                </Stack>
                {!session.isCurrent && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    loading={end.isPending && end.variables.id === session.id}
                    onClick={() => end.mutate({ id: session.id })}
                    aria-label={`End the session of ${deviceOf(session.userAgent)}`}
                  >
                    End
                  </Button>
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

/** `Firefox on Linux`, as far as a user agent tells; the order matters, because browsers name each other. */
function deviceOf(userAgent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`))
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'].find((name) => userAgent.includes(name))
  const label = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser
  if (!label) return userAgent.slice(0, 60) || 'Unknown program'
  return system ? `${label} on ${system === 'Mac OS X' ? 'macOS' : system}` : label
}
