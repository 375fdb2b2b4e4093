'use client'

import { Anchor, Button, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Boxes, Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Instant } from '../../components/instant.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { NameDialog } from '../../components/name-dialog.tsx'

export function WorkspaceList() {
  const me = useMe()
  const router = useRouter()
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const workspaces = useQuery(query('workspaces.list', { page }))
  const create = hasPermission(me, 'workspaces', 'write') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New workspace
    </Button>
  )
  return (
    <PageFrame
      title="Workspaces"
      intro="A workspace holds projects, and a project holds the services you watch."
      actions={create}
    >
      <Loaded query={workspaces}>
        {(list) =>
          list.items.length === 0 ? (
            <Empty
              icon={<Boxes size={28} aria-hidden />}
              title="No workspaces yet"
              description={
                create
                  ? 'Create one to begin: a team or a product is a good measure.'
                  : 'Nobody has given you access to one yet.'
              }
              action={create}
            />
          ) : (
            <Stack>
              <ListTable
                highlightOnHover
                head={
                  <>
                    <Table.Th>Name</Table.Th>
                    <Table.Th w={180}>Created</Table.Th>
                  </>
                }
              >
                {list.items.map((workspace) => (
                  <Table.Tr key={workspace.id}>
                    <Table.Td>
                      <Anchor component={Link} href={`/workspaces/${workspace.id}`} fw={500}>
                        {workspace.name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td c="dimmed">
                      <Instant at={workspace.createdAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
      {isCreating && (
        <NameDialog
          path="workspaces.create"
          title="New workspace"
          submitLabel="Create workspace"
          toInput={(name) => ({ name })}
          onClose={() => setCreating(false)}
          onDone={(workspace) => router.push(`/workspaces/${workspace.id}`)}
        />
      )}
    </PageFrame>
  )
}
