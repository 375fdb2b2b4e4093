'use client'

import { Anchor, List, Text } from '@mantine/core'
import type { AgentServices } from '#server/schemas/organization/agents.ts'
import { Link } from '../../components/layout/link.tsx'

/** The services that name an agent, with what they run on without it. `without` says it for those that name no other. */
export function AffectedServices({ services, without }: { services: AgentServices; without: string }) {
  if (services.total === 0) {
    return <Text size="sm">No service selects this agent. Services without selected agents run on shared agents.</Text>
  }
  const hidden = services.total - services.items.length
  return (
    <>
      <Text size="sm">
        {services.total === 1 ? 'One service selects' : `${services.total.toLocaleString('en')} services select`} this
        agent:
      </Text>
      <List size="sm" spacing={2} mah={220} style={{ overflowY: 'auto' }}>
        {services.items.map(({ id, name, projectName, isOnly }) => (
          <List.Item key={id}>
            <Anchor component={Link} href={`/services/${id}/settings`} size="sm">
              {name}
            </Anchor>{' '}
            <Text span size="sm" c="dimmed">
              in {projectName}: {isOnly ? without : 'runs on its other agents'}
            </Text>
          </List.Item>
        ))}
      </List>
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {hidden.toLocaleString('en')} more.
        </Text>
      )}
    </>
  )
}
