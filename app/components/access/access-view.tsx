'use client'

import { Badge } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessEntry } from '#server/schemas/access.ts'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { SelectField } from '../inputs/select-field.tsx'
import { Switch } from '../inputs/switch.tsx'
import { SectionCreateButton } from '../layout/create-button.tsx'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { RowButton } from '../lists/row-button.tsx'
import { Table } from '../lists/table.tsx'
import { TitleCell } from '../lists/title-cell.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

const GrantDialog = lazyDialog(async () => (await import('./grant-dialog.tsx')).GrantDialog)

const LEVELS = [
  { value: '1', label: 'Read' },
  { value: '2', label: 'Write' },
]

/** The grants on a resource. Members with write access add, change and remove them. */
export function AccessView({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const [isGranting, setGranting] = useState(false)
  const entries = useQuery(query('access.list', { resourceType, resourceId }))
  const set = useMutation(mutation('access.set'))
  const remove = useMutation(mutation('access.remove'))
  const change = ({ principalType, principalId, permissions, notify }: AccessEntry) =>
    set.mutate({ resourceType, resourceId, principalType, principalId, permissions: permissions === 2 ? 2 : 1, notify })
  return (
    <Section
      title="Access"
      intro={`Members and groups with a grant on this ${resourceType} and everything in it. Members with a permission for all workspaces do not need a grant; to be notified, they follow it.`}
      actions={<SectionCreateButton onClick={() => setGranting(true)}>Grant access</SectionCreateButton>}
    >
      <ProblemAlert error={set.error ?? remove.error} />
      <Loaded query={entries} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <NoEntries>No grants yet. Choose “Grant access” to let a member or a group in.</NoEntries>
          ) : (
            <Table verticalSpacing="xs">
              <Table.Tbody>
                {list.map((entry) => (
                  <Table.Tr key={entry.principalId}>
                    <Table.Td>
                      <TitleCell
                        title={entry.name}
                        subtitle={entry.email}
                        badges={
                          entry.principalType === 'group' && (
                            <Badge size="sm" variant="default">
                              Group
                            </Badge>
                          )
                        }
                      />
                      <Switch
                        label="Notified"
                        aria-label={`${entry.name} is notified of failures`}
                        checked={entry.notify}
                        onChange={(event) => change({ ...entry, notify: event.currentTarget.checked })}
                      />
                    </Table.Td>
                    <Table.Td w={110} px={{ base: 4, sm: 'xs' }}>
                      <SelectField
                        aria-label={`Level of ${entry.name}`}
                        options={LEVELS}
                        value={String(entry.permissions)}
                        onChange={(event) => change({ ...entry, permissions: Number(event.currentTarget.value) })}
                      />
                    </Table.Td>
                    <Table.Td w={90} px={{ base: 0, sm: 'xs' }} ta="right">
                      <RowButton
                        color="red"
                        label={`Remove the access of ${entry.name}`}
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
                      </RowButton>
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
