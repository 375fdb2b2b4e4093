'use client'

import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../../client/me.tsx'
import { loneText } from '../../../components/agents/lone-agents-notice.tsx'
import { EventList } from '../../../components/alerts/event-list.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
import { AffectedServices } from '../affected-services.tsx'
import { AgentKindBadges, AgentStateBadges } from '../agent-state.tsx'
import { LoadBar } from '../load-bar.tsx'
import { busyShare, capacityText, clockText, loadText, reachText } from '../load-texts.ts'
import { AgentActions } from './agent-actions.tsx'
import { HistorySection } from './history-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { ProcessTable } from './process-table.tsx'

const AddServicesDialog = lazyDialog(async () => (await import('./add-services-dialog.tsx')).AddServicesDialog)

const CRUMBS = [{ label: 'Agents', href: '/agents' }]

/** One agent: what it carries now, its last 30 days, its processes and keys, and the services that name it. */
export function AgentView({ slug }: { slug: string }) {
  const agent = useQuery({ ...query('organization.agents.get', { slug }), refetchInterval: 5_000 })
  if (!agent.data) {
    return (
      <PageFrame title="Agent" crumbs={CRUMBS}>
        <Loaded query={agent}>{() => null}</Loaded>
      </PageFrame>
    )
  }
  return <Shown agent={agent.data} />
}

function Shown({ agent }: { agent: AgentState }) {
  const me = useMe()
  const { data: lone = [] } = useQuery(query('agents.lone'))
  const failing = lone.find(({ slug }) => slug === agent.slug)
  const mayWrite = hasPermission(me, 'settings', 'write')
  const mayEnrol = hasPermission(me, 'workspaces', 'write')
  return (
    <PageFrame
      title={agent.label}
      crumbs={CRUMBS}
      badges={<AgentKindBadges agent={agent} />}
      actions={<AgentActions agent={agent} mayWrite={mayWrite} mayEnrol={mayEnrol} />}
    >
      {failing && (
        <Alert color="orange" variant="light" title="The agent fails alone">
          {agent.label} {loneText(failing)}
        </Alert>
      )}
      <AgentFacts agent={agent} />
      <HistorySection slug={agent.slug} />
      <Section title="Processes" intro="Processes that are running now.">
        <ProcessTable processes={agent.processes} />
      </Section>
      {!agent.isShared && agent.kind === 'remote' && <KeysSection slug={agent.slug} mayRevoke={mayWrite || mayEnrol} />}
      <NamedBy agent={agent} mayAdd={mayEnrol} />
      <Events slug={agent.slug} />
    </PageFrame>
  )
}

function AgentFacts({ agent }: { agent: AgentState }) {
  const { capacity, load, lastSeenAt } = agent
  return (
    <Facts>
      <Fact title="State">
        <AgentStateBadges agent={agent} />
      </Fact>
      <Fact title="Slug">{agent.slug}</Fact>
      <Fact title="Busy slots">
        <LoadBar share={busyShare(capacity)} text={capacityText(capacity)} />
      </Fact>
      <Fact title="Load">
        <LoadBar share={load} text={loadText(load)} />
      </Fact>
      <Fact title="Lateness">{millisecondsText(agent.latenessMs)}</Fact>
      <Fact title="Clock offset">{clockText(agent.clockOffsetMs)}</Fact>
      <Fact title="Release">{agent.versions.join(', ') || '–'}</Fact>
      <Fact title="May reach">{reachText(agent.allowedNetworks)}</Fact>
      <Fact title="Last seen">{lastSeenAt ? <Instant at={lastSeenAt} /> : 'Never'}</Fact>
    </Facts>
  )
}

function NamedBy({ agent: { slug, label, isOpen, isActive }, mayAdd }: { agent: AgentState; mayAdd: boolean }) {
  const services = useQuery(query('organization.agents.services', { slug }))
  const [isAdding, setAdding] = useState(false)
  const others = isOpen ? 'Services without selected agents can run on it too.' : 'It runs no other services.'
  return (
    <Section
      title="Services"
      intro={`Services that select this agent. ${others}`}
      actions={
        mayAdd &&
        isActive && (
          <Button variant="default" onClick={() => setAdding(true)}>
            Add services
          </Button>
        )
      }
    >
      {isAdding && <AddServicesDialog slug={slug} label={label} onClose={() => setAdding(false)} />}
      <Loaded query={services} rows={2}>
        {(found) =>
          found.total === 0 ? (
            <Text size="sm" c="dimmed">
              No service selects this agent.
            </Text>
          ) : (
            <Stack gap="xs">
              <AffectedServices services={found} without="runs on this agent only" />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function Events({ slug }: { slug: string }) {
  const [page, setPage] = useState(1)
  const events = useQuery(query('organization.agents.events', { slug, page, pageSize: 10 }))
  return (
    <EventList
      events={events}
      onPage={setPage}
      intro="When the agent was lost or came back, with the messages sent and the reasons for those not sent."
      empty="No alerts yet."
    />
  )
}
