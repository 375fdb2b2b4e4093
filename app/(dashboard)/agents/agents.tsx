'use client'

import { Badge, Code, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { LoneAgentsNotice } from '../../components/agents/lone-agents-notice.tsx'
import { LostAgentsNotice } from '../../components/agents/lost-agents-notice.tsx'
import { EventList } from '../../components/alerts/event-list.tsx'
import { Switch } from '../../components/inputs/switch.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Table } from '../../components/lists/table.tsx'
import { millisecondsText } from '../../components/numbers.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Radar } from '../icons.ts'
import { AgentKindBadges, AgentStateBadges } from './agent-state.tsx'
import { LoadBar } from './load-bar.tsx'
import { busyShare, capacityText, clockText, loadText } from './load-texts.ts'

const NewAgentDialog = lazyDialog(async () => (await import('./new-agent-dialog.tsx')).NewAgentDialog)
const SwitchOffDialog = lazyDialog(async () => (await import('./switch-off-dialog.tsx')).SwitchOffDialog)

export function Agents() {
  const me = useMe()
  const mayWrite = hasPermission(me, 'settings', 'write')
  const mayEnrol = hasPermission(me, 'workspaces', 'write')
  const [isCreating, setCreating] = useState(false)
  const [switchingOff, setSwitchingOff] = useState<AgentState | null>(null)
  const agents = useQuery({ ...query('organization.agents.list'), refetchInterval: 15_000 })
  const setActive = useMutation(mutation('organization.agents.setActive'))
  const create = mayEnrol && <CreateButton onClick={() => setCreating(true)}>New agent</CreateButton>
  const onSwitch = (agent: AgentState, isActive: boolean) => {
    if (isActive) setActive.mutate({ slug: agent.slug, isActive })
    else setSwitchingOff(agent)
  }
  return (
    <PageFrame
      title="Agents"
      intro="Services run from these locations. An agent is one or more processes: workers of this installation, or remote agents that you enrol in your own network."
      actions={create}
    >
      <LostAgentsNotice />
      <LoneAgentsNotice />
      <ProblemAlert error={setActive.error} />
      {mayWrite && !mayEnrol && (
        <Text size="sm" c="dimmed">
          Agents receive the secrets of the services that select them. Only the owner and members with write permission
          on workspaces can add agents.
        </Text>
      )}
      <Loaded query={agents}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={Radar}
              title="No agents yet"
              description="Ask the operator to start a worker, or enrol a remote agent in your own network."
              action={create}
            />
          ) : (
            <ListTable
              miw={860}
              columns={['Agent', 'State', 'Release', 'Runs', 'Load', 'Lateness', 'Clock offset', 'Active']}
            >
              {list.map((agent) => (
                <AgentRow
                  key={agent.slug}
                  agent={agent}
                  onSwitch={mayWrite ? (isActive) => onSwitch(agent, isActive) : undefined}
                />
              ))}
            </ListTable>
          )
        }
      </Loaded>
      <AgentEvents />
      {isCreating && <NewAgentDialog onClose={() => setCreating(false)} />}
      {switchingOff && <SwitchOffDialog agent={switchingOff} onClose={() => setSwitchingOff(null)} />}
    </PageFrame>
  )
}

function AgentRow({ agent, onSwitch }: { agent: AgentState; onSwitch: ((isActive: boolean) => void) | undefined }) {
  const { slug, label, isActive, capacity, load } = agent
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <RowLink href={`/agents/${slug}`}>{label}</RowLink>
          <AgentKindBadges agent={agent} />
        </Group>
        <Code>{slug}</Code>
      </Table.Td>
      <Table.Td>
        <AgentStateBadges agent={agent} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{agent.versions.join(', ') || '–'}</Text>
      </Table.Td>
      <Table.Td>
        <LoadBar share={busyShare(capacity)} text={capacityText(capacity)} />
      </Table.Td>
      <Table.Td>
        <LoadBar share={load} text={loadText(load)} />
      </Table.Td>
      <Table.Td>{millisecondsText(agent.latenessMs)}</Table.Td>
      <Table.Td>{clockText(agent.clockOffsetMs)}</Table.Td>
      <Table.Td>
        {onSwitch ? (
          <Switch
            aria-label={`${label} is active`}
            checked={isActive}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        ) : (
          <Badge variant="light" color={isActive ? 'teal' : 'gray'}>
            {isActive ? 'Active' : 'Inactive'}
          </Badge>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function AgentEvents() {
  const [page, setPage] = useState(1)
  const events = useQuery(query('organization.agents.events', { page, pageSize: 10 }))
  return (
    <EventList
      events={events}
      onPage={setPage}
      intro="When agents were lost or came back, with the messages sent and the reasons for those not sent."
      empty="No alerts yet. Lost agents are listed here."
    />
  )
}
