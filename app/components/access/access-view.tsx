'use client'

import { Badge } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { SectionCreateButton } from '../layout/create-button.tsx'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { Table } from '../lists/table.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { GrantRow } from './grant-row.tsx'

const GrantDialog = lazyDialog(async () => (await import('./grant-dialog.tsx')).GrantDialog)

/** The grants on a resource. Members with write access add, change and remove them. */
export function AccessView({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  // Without it, there is no list of members and groups to pick from.
  const mayListUsers = hasPermission(useMe(), 'users', 'read')
  const [isGranting, setGranting] = useState(false)
  const resource = { resourceType, resourceId }
  const entries = useQuery(query('access.list', resource))
  const set = useMutation(mutation('access.set'))
  const remove = useMutation(mutation('access.remove'))
  return (
    <Section
      title="Access"
      intro={`Members and groups with a grant on this ${resourceType} and everything in it. Members with a permission for all workspaces do not need a grant; to be notified, they follow it.${mayListUsers ? '' : ' To grant access, you need read permission on users.'}`}
      actions={
        mayListUsers && <SectionCreateButton onClick={() => setGranting(true)}>Grant access</SectionCreateButton>
      }
    >
      <ProblemAlert error={set.error ?? remove.error} />
      <Loaded query={entries} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <NoEntries>No grants yet. Choose “Grant access” to let a member or a group in.</NoEntries>
          ) : (
            <Table verticalSpacing="xs">
              <Table.Tbody>
                {list.map(({ principalId, name, email, permissions, notify, ...entry }) => {
                  const principalType = entry.principalType === 'group' ? 'group' : 'user'
                  const principal = { ...resource, principalType, principalId } as const
                  return (
                    <GrantRow
                      key={principalId}
                      title={name}
                      subtitle={email}
                      badges={
                        principalType === 'group' && (
                          <Badge size="sm" variant="default">
                            Group
                          </Badge>
                        )
                      }
                      permissions={permissions}
                      notify={notify}
                      mayWrite
                      labels={{
                        level: `Level of ${name}`,
                        notify: `${name} is notified of failures`,
                        remove: `Remove the access of ${name}`,
                      }}
                      onChange={(level) => set.mutate({ ...principal, ...level })}
                      onRemove={() => remove.mutate(principal)}
                    />
                  )
                })}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
      {isGranting && <GrantDialog resource={resource} onClose={() => setGranting(false)} />}
    </Section>
  )
}
