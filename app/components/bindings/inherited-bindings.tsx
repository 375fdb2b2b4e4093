'use client'

import { Anchor, Badge, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { query } from '../../client/api.ts'
import { Link } from '../layout/link.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { PagedRows } from '../lists/paged-rows.tsx'
import { Table } from '../lists/table.tsx'
import { BoundTo } from './bound-to.tsx'

/** The webhooks that are notified too, because they are bound to something above the resource. */
export function InheritedBindings({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const [page, setPage] = useState(1)
  const inherited = useQuery(query('webhooks.bindings.inherited', { resourceType, resourceId, page }))
  return (
    <Stack gap="xs">
      <Title order={3} fz="sm">
        Inherited
      </Title>
      <Loaded query={inherited} rows={1}>
        {(list) => (
          <PagedRows list={list} onPage={setPage} empty={`No webhook is bound above this ${resourceType}.`}>
            {(binding) => (
              <Table.Tr key={binding.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Anchor component={Link} href={`/webhooks/${binding.webhookId}`} size="sm" underline="always">
                    {binding.webhookName}
                  </Anchor>{' '}
                  {!binding.enabled && (
                    <Badge variant="light" color="gray" tt="none">
                      Paused
                    </Badge>
                  )}
                  <Text size="sm" c="dimmed">
                    Bound to <BoundTo binding={binding} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            )}
          </PagedRows>
        )}
      </Loaded>
    </Stack>
  )
}
