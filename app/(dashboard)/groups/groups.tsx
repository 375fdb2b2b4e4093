'use client'

import { Anchor, Button, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { PermissionBadges } from '../../components/permissions/permission-badges.tsx'
import { GroupDialog } from './group-dialog.tsx'

export function Groups() {
  const mayWrite = hasPermission(useMe(), 'users', 'write')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const groups = useQuery(query('organization.groups.list', { page }))
  return (
    <PageFrame
      title="Groups"
      intro="Permissions and access can be given to a group; its members then hold them together."
      actions={
        mayWrite && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New group
          </Button>
        )
      }
    >
      <Loaded query={groups}>
        {(list) => (
          <Stack>
            <ListTable
              miw={620}
              head={
                <>
                  <Table.Th>Group</Table.Th>
                  <Table.Th>Members</Table.Th>
                  <Table.Th>Permissions</Table.Th>
                  <Table.Th>Requires two-factor</Table.Th>
                </>
              }
            >
              {list.items.map((group) => (
                <Table.Tr key={group.id}>
                  <Table.Td>
                    <Anchor component={Link} href={`/groups/${group.id}`} fw={500}>
                      {group.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{group.memberCount}</Table.Td>
                  <Table.Td>
                    <PermissionBadges permissions={group.permissions} />
                  </Table.Td>
                  <Table.Td>{group.requireTotp ? 'Yes' : 'No'}</Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
            <Pager page={list} onPage={setPage} />
          </Stack>
        )}
      </Loaded>
      {isCreating && <GroupDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}
