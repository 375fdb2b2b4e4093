'use client'

import { Text } from '@mantine/core'
import type { OrganizationMember } from '#server/schemas/organization/organizations.ts'
import { RowLink } from '../../components/layout/row-link.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { PermissionBadges } from '../../components/permissions/permission-badges.tsx'
import { MemberActions } from './member-actions.tsx'
import { MemberBadges } from './member-badges.tsx'

export function MemberTable({ members }: { members: OrganizationMember[] }) {
  return (
    <ListTable miw={760} columns={['Member', 'Own permissions', 'Groups', 'Two-factor', { w: 60 }]}>
      {members.map((member) => (
        <Table.Tr key={member.userId}>
          <Table.Td>
            <TitleCell
              title={<RowLink href={`/members/${member.userId}`}>{member.displayName}</RowLink>}
              subtitle={member.email}
              badges={<MemberBadges member={member} />}
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
            <MemberActions member={member} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}
