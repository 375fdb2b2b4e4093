'use client'

import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'

/** What an agent is and whether it runs: connected processes, stalled ones, lost, switched off or never connected. */
export function AgentStateBadges({ agent }: { agent: AgentState }) {
  const { processes, isActive, isLost, lastSeenAt, keysToRevoke } = agent
  const { data: lone = [] } = useQuery(query('agents.lone'))
  const stalled = processes.filter((process) => process.isStalled).length
  return (
    <Group gap="xs">
      {!isActive && (
        <Badge variant="light" color="gray">
          Off
        </Badge>
      )}
      {isLost && (
        <Badge variant="light" color="red">
          Lost
        </Badge>
      )}
      {lone.some(({ slug }) => slug === agent.slug) && (
        <Badge variant="light" color="orange">
          Fails alone
        </Badge>
      )}
      {processes.length > 0 && (
        <Badge variant="light" color="teal">
          {processes.length} live
        </Badge>
      )}
      {stalled > 0 && (
        <Badge variant="light" color="red">
          {stalled} stalled
        </Badge>
      )}
      {keysToRevoke > 0 && (
        <Badge variant="light" color="orange">
          {keysToRevoke === 1 ? '1 key to revoke' : `${keysToRevoke} keys to revoke`}
        </Badge>
      )}
      {processes.length === 0 && (
        <Text size="sm" c="dimmed">
          {lastSeenAt ? (
            <>
              last seen <Instant at={lastSeenAt} />
            </>
          ) : (
            'never seen'
          )}
        </Text>
      )}
    </Group>
  )
}

/** Whose agent it is, and where its processes run. */
export function AgentKindBadges({ agent }: { agent: AgentState }) {
  return (
    <>
      <Badge size="sm" variant="default">
        {agent.kind === 'remote' ? 'Remote' : 'In-house'}
      </Badge>
      {agent.isShared && (
        <Badge size="sm" variant="default">
          Shared
        </Badge>
      )}
      {agent.isOpen && (
        <Badge size="sm" variant="default">
          For all services
        </Badge>
      )}
    </>
  )
}
