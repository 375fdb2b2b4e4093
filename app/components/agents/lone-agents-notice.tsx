'use client'

import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LoneAgent } from '#server/schemas/agents.ts'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { RadioTower } from '../icons.ts'
import { Link } from '../layout/link.tsx'

/** Names the agents on which services fail that pass on all others: one cause, where the services look like many. */
export function LoneAgentsNotice() {
  const { data: lone = [] } = useQuery(query('agents.lone'))
  const maySee = hasPermission(useMe(), 'settings', 'read')
  if (lone.length === 0) return null
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<RadioTower size={18} aria-hidden />}
      title={lone.length === 1 ? 'An agent fails alone' : `${lone.length} agents fail alone`}
    >
      {lone.map(({ slug, label, ...counts }) => (
        <Text key={slug} size="sm">
          {maySee ? (
            <Anchor component={Link} href={`/agents/${slug}`} inherit underline="always">
              {label}
            </Anchor>
          ) : (
            label
          )}{' '}
          {loneText(counts)}
        </Text>
      ))}
    </Alert>
  )
}

/** Returns what follows the name of the agent. */
export function loneText({ failed, compared }: Pick<LoneAgent, 'failed' | 'compared'>): string {
  return `alone fails ${failed} of ${compared} services that pass elsewhere. Look at its network.`
}
