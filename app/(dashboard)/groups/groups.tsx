'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { PermissionBadges } from '../../components/permissions/permission-badges.tsx'

const GroupDialog = lazyDialog(async () => (await import('./group-dialog.tsx')).GroupDialog)

export function Groups() {
  const mayWrite = hasPermission(useMe(), 'users', 'write')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const groups = useQuery(query('organization.groups.list', { page }))
  return (
    <PageFrame
      title="Groups"
      intro="The members of a group have its permissions and its access to resources."
      actions={mayWrite && <CreateButton onClick={() => setCreating(true)}>New group</CreateButton>}
    >
      <PagedTable
        query={groups}
        onPage={setPage}
        miw={620}
        columns={['Group', 'Members', 'Permissions', 'Requires two-factor']}
      >
        {(group) => (
          <Table.Tr key={group.id}>
            <Table.Td>
              <RowLink href={`/groups/${group.id}`}>{group.name}</RowLink>
            </Table.Td>
            <Table.Td>{group.memberCount}</Table.Td>
            <Table.Td>
              <PermissionBadges permissions={group.permissions} />
            </Table.Td>
            <Table.Td>{group.requireTotp ? 'Yes' : 'No'}</Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      {isCreating && <GroupDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}
