'use client'

import { Badge, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { AccessEntry } from '#server/schemas/access.ts'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { mutation, query } from '../../client/api.ts'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { GrantDialog } from './grant-dialog.tsx'

const LEVELS = [
  { value: '1', label: 'Read' },
  { value: '2', label: 'Write' },
]

/** Who holds a level on a resource, and granting it to others. */
export function AccessView({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const [isGranting, setGranting] = useState(false)
  const entries = useQuery(query('access.list', { resourceType, resourceId }))
  const set = useMutation(mutation('access.set'))
  const remove = useMutation(mutation('access.remove'))
  const change = (entry: AccessEntry, level: string | null) =>
    set.mutate({
      resourceType,
      resourceId,
      principalType: entry.principalType,
      principalId: entry.principalId,
      permissions: level === '2' ? 2 : 1,
    })
  return (
    <Section
      title="Access"
      intro={`Members and groups with a level on this ${resourceType} and everything beneath. Those with rights over all workspaces need no entry here.`}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setGranting(true)}
        >
          Grant access
        </Button>
      }
    >
      <ProblemAlert error={set.error ?? remove.error} />
      <Loaded query={entries} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nobody holds a level of their own here.
            </Text>
          ) : (
            <Table verticalSpacing="xs">
              <Table.Tbody>
                {list.map((entry) => (
                  <Table.Tr key={entry.principalId}>
                    <Table.Td>
                      <Stack gap={0}>
                        <Group gap="xs">
                          <Text size="sm" fw={500}>
                            {entry.name}
                          </Text>
                          {entry.principalType === 'group' && (
                            <Badge size="sm" variant="default">
                              Group
                            </Badge>
                          )}
                        </Group>
                        {entry.email && (
                          <Text size="xs" c="dimmed">
                            {entry.email}
                          </Text>
                        )}
                      </Stack>
                    </Table.Td>
                    <Table.Td w={130}>
                      <Select
                        aria-label={`Level of ${entry.name}`}
                        size="xs"
                        data={LEVELS}
                        allowDeselect={false}
                        value={String(entry.permissions)}
                        onChange={(level) => change(entry, level)}
                      />
                    </Table.Td>
                    <Table.Td w={100} ta="right">
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        aria-label={`Remove the access of ${entry.name}`}
                        onClick={() =>
                          remove.mutate({
                            resourceType,
                            resourceId,
                            principalType: entry.principalType === 'group' ? 'group' : 'user',
                            principalId: entry.principalId,
                          })
                        }
                      >
                        Remove
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
      {isGranting && (
        <GrantDialog resourceType={resourceType} resourceId={resourceId} onClose={() => setGranting(false)} />
      )}
    </Section>
  )
}
