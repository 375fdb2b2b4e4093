'use client'

import { Badge, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrganizationMember } from '#server/schemas/organization/organizations.ts'
import { mutation } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { Ban, CircleCheck, ShieldCheck, UserMinus } from '../../components/icons.ts'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { MoreMenu } from '../../components/menus/more-menu.tsx'
import { PermissionBadges } from '../../components/permissions/permission-badges.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

const PermissionsDialog = lazyDialog(async () => (await import('./permissions-dialog.tsx')).PermissionsDialog)

export function MemberTable({ members }: { members: OrganizationMember[] }) {
  const me = useMe()
  const [changing, setChanging] = useState<OrganizationMember | null>(null)
  const [removing, setRemoving] = useState<OrganizationMember | null>(null)
  const setActive = useMutation(mutation('organization.members.setActive'))
  const remove = useMutation({ ...mutation('organization.members.remove'), onSuccess: () => setRemoving(null) })
  const mayWrite = hasPermission(me, 'users', 'write')
  const mayChangePermissions = hasPermission(me, 'orgAdmin', 'write')
  return (
    <Stack>
      <ProblemAlert error={setActive.error} />
      <ListTable miw={760} columns={['Member', 'Own permissions', 'Groups', 'Two-factor', { w: 60 }]}>
        {members.map((member) => (
          <Table.Tr key={member.userId}>
            <Table.Td>
              <TitleCell
                title={member.displayName}
                subtitle={member.email}
                badges={
                  <>
                    {member.isOwner && (
                      <Badge size="sm" color="grape" variant="light">
                        Owner
                      </Badge>
                    )}
                    {!member.isActive && (
                      <Badge size="sm" color="gray">
                        Disabled
                      </Badge>
                    )}
                  </>
                }
              />
            </Table.Td>
            <Table.Td>
              {member.isOwner ? (
                <Text size="sm" c="dimmed">
                  Everything
                </Text>
              ) : (
                <PermissionBadges permissions={member.permissions} />
              )}
            </Table.Td>
            <Table.Td>{member.groups.map((group) => group.name).join(', ') || '–'}</Table.Td>
            <Table.Td>{member.hasTotp ? 'On' : 'Off'}</Table.Td>
            <Table.Td>
              {!member.isOwner && (mayWrite || mayChangePermissions) && (
                <MoreMenu
                  label={`More actions for ${member.displayName}`}
                  entries={[
                    ...(mayChangePermissions
                      ? [
                          {
                            label: 'Permissions',
                            icon: <ShieldCheck size={15} aria-hidden />,
                            onSelect: () => setChanging(member),
                          },
                        ]
                      : []),
                    ...(mayWrite
                      ? [
                          {
                            label: member.isActive ? 'Disable' : 'Enable',
                            icon: member.isActive ? (
                              <Ban size={15} aria-hidden />
                            ) : (
                              <CircleCheck size={15} aria-hidden />
                            ),
                            onSelect: () => setActive.mutate({ userId: member.userId, isActive: !member.isActive }),
                          },
                          {
                            label: 'Remove',
                            icon: <UserMinus size={15} aria-hidden />,
                            color: 'red',
                            onSelect: () => setRemoving(member),
                          },
                        ]
                      : []),
                  ]}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
      {changing && <PermissionsDialog member={changing} onClose={() => setChanging(null)} />}
      <ConfirmRemoval
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Remove member"
        warning={
          <>
            <strong>{removing?.displayName}</strong> loses access to {me.organization.name} at once. Their API keys for
            it are revoked, and their grants and silences are deleted.
          </>
        }
        submitLabel="Remove member"
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ userId: removing.userId })}
      />
    </Stack>
  )
}
