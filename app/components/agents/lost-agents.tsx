'use client'

import { Alert, Anchor, Text } from '@mantine/core'
import { usePathname } from 'next/navigation'
import type { LostAgent } from '#server/schemas/agents.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { RadioTower } from '../icons.ts'
import { Instant } from '../instant.tsx'
import { Link } from '../layout/link.tsx'

/** Says on a page that shows data of lost agents which ones these are. */
export function LostAgents({ lost }: { lost: LostAgent[] }) {
  const me = useMe()
  const isAgentsPage = usePathname() === '/agents'
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<RadioTower size={18} aria-hidden />}
      title={lost.length === 1 ? 'An agent is lost' : `${lost.length} agents are lost`}
    >
      {lost.length === 1 ? (
        <Silence agent={lost[0] as LostAgent} />
      ) : (
        <Text component="ul" size="sm" m={0} pl="lg">
          {lost.map((agent) => (
            <li key={agent.slug}>
              <Silence agent={agent} />
            </li>
          ))}
        </Text>
      )}{' '}
      The data of {lost.length === 1 ? 'this agent' : 'these agents'} on this page may be out of date.
      {!isAgentsPage && hasPermission(me, 'settings', 'read') && (
        <>
          {' '}
          <Anchor component={Link} href="/agents" inherit underline="always">
            See all agents
          </Anchor>
        </>
      )}
    </Alert>
  )
}

function Silence({ agent }: { agent: LostAgent }) {
  return (
    <>
      {agent.label} sent its last heartbeat <Instant at={agent.lastSeenAt} />.
    </>
  )
}
