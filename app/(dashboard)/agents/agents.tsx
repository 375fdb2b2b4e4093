'use client'

import { Badge, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { EventList } from '../../components/alerts/event-list.tsx'
import { Switch } from '../../components/inputs/switch.tsx'
import { Instant } from '../../components/instant.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Table } from '../../components/lists/table.tsx'
import { LostAgentsNotice } from '../../components/lost-agents-notice.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

const NewAgentDialog = lazyDialog(async () => (await import('./new-agent-dialog.tsx')).NewAgentDialog)

export function Agents() {
  const mayWrite = hasPermission(useMe(), 'settings', 'write')
  const [isCreating, setCreating] = useState(false)
  const agents = useQuery({ ...query('organization.agents.list'), refetchInterval: 15_000 })
  const setActive = useMutation(mutation('organization.agents.setActive'))
  return (
    <PageFrame
      title="Agents"
      intro="Services run from these locations. An agent is one or more worker processes that are started with its slug."
      actions={mayWrite && <CreateButton onClick={() => setCreating(true)}>New agent</CreateButton>}
    >
      <LostAgentsNotice />
      <ProblemAlert error={setActive.error} />
      <Loaded query={agents}>
        {(list) => (
          <ListTable miw={640} columns={['Agent', 'Slug', 'Workers', 'Active']}>
            {list.map((agent) => (
              <Table.Tr key={agent.slug}>
                <Table.Td>
                  <Group gap="xs">
                    <Text size="sm" fw={500}>
                      {agent.label}
                    </Text>
                    {agent.isShared && (
                      <Badge size="sm" variant="default">
                        Shared
                      </Badge>
                    )}
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Code>{agent.slug}</Code>
                </Table.Td>
                <Table.Td>
                  <Workers agent={agent} />
                </Table.Td>
                <Table.Td>
                  {mayWrite && !agent.isShared ? (
                    <Switch
                      aria-label={`${agent.label} is active`}
                      checked={agent.isActive}
                      onChange={(event) =>
                        setActive.mutate({ slug: agent.slug, isActive: event.currentTarget.checked })
                      }
                    />
                  ) : (
                    <Badge variant="light" color={agent.isActive ? 'teal' : 'gray'}>
                      {agent.isActive ? 'Active' : 'Inactive'}
                    </Badge>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Loaded>
      <AgentEvents />
      {isCreating && <NewAgentDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}

function AgentEvents() {
  const [page, setPage] = useState(1)
  const events = useQuery(query('organization.agents.events', { page, pageSize: 10 }))
  return (
    <EventList
      events={events}
      onPage={setPage}
      intro="When agents were lost or back, whom it was sent to, and to whom not and why."
      empty="No alerts yet. An agent that is lost is listed here."
    />
  )
}

function Workers({ agent }: { agent: AgentState }) {
  if (agent.processes.length === 0) {
    return (
      <Group gap="xs">
        {agent.isLost && (
          <Badge variant="light" color="red">
            Lost
          </Badge>
        )}
        <Text size="sm" c="dimmed">
          {agent.lastSeenAt ? (
            <>
              last seen <Instant at={agent.lastSeenAt} />
            </>
          ) : (
            'never seen'
          )}
        </Text>
      </Group>
    )
  }
  const stalled = agent.processes.filter((worker) => worker.isStalled).length
  return (
    <Stack gap={4} align="flex-start">
      <Group gap="xs">
        <Badge variant="light" color="teal">
          {agent.processes.length} live
        </Badge>
        {stalled > 0 && (
          <Badge variant="light" color="red">
            {stalled} stalled
          </Badge>
        )}
      </Group>
      {agent.processes.map((worker) => (
        <Text key={worker.id} size="xs" c="dimmed">
          {worker.lastTakenAt ? (
            <>
              took {worker.lastTask === 'probe' ? 'a run' : 'a job'} <Instant at={worker.lastTakenAt} />
            </>
          ) : (
            'has taken no job yet'
          )}
          {worker.isStalled && ', although runs are waiting'}
        </Text>
      ))}
    </Stack>
  )
}
