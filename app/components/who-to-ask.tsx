'use client'

import { Anchor, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../client/api.ts'

/** The people who can give access, with their addresses, for a member who has too little of it. */
export function WhoToAsk({ children }: { children: string }) {
  const { data } = useQuery(query('organization.contacts'))
  if (!data || data.length === 0) return null
  return (
    <Stack gap="xs">
      <Text size="sm">{children}</Text>
      <List size="sm" spacing={4} listStyleType="none" aria-label="People who can give you access">
        {data.map(({ name, email, isOwner }) => (
          <List.Item key={email} style={{ overflowWrap: 'anywhere' }}>
            {name},{' '}
            <Anchor href={`mailto:${email}`} inherit underline="always">
              {email}
            </Anchor>
            {isOwner && ' (owner)'}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
