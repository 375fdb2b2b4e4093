'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { NameDialog } from '../../components/forms/name-dialog.tsx'
import { Boxes } from '../../components/icons.ts'
import { Instant } from '../../components/instant.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { NoAccess } from '../../components/lists/no-access.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { CountsBadge } from '../../components/status/state-badge.tsx'

export function WorkspaceList() {
  const me = useMe()
  const router = useRouter()
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const workspaces = useQuery(query('status.workspaces', { page }))
  const create = hasPermission(me, 'workspaces', 'write') && (
    <CreateButton onClick={() => setCreating(true)}>New workspace</CreateButton>
  )
  return (
    <PageFrame
      title="Workspaces"
      intro="A workspace contains projects. A project contains the services that you monitor."
      actions={create}
    >
      <PagedTable
        query={workspaces}
        onPage={setPage}
        empty={
          create ? (
            <Empty
              icon={Boxes}
              title="No workspaces yet"
              description="Create the first one, for example for a team or a product."
              action={create}
            />
          ) : (
            <NoAccess title="You see no workspaces yet" />
          )
        }
        highlightOnHover
        miw={560}
        columns={[
          'Name',
          { w: 190, children: 'Services' },
          { w: 110, children: 'Projects' },
          { w: 160, children: 'Created' },
        ]}
      >
        {(workspace) => (
          <Table.Tr key={workspace.id}>
            <Table.Td>
              <RowLink href={`/workspaces/${workspace.id}`}>{workspace.name}</RowLink>
            </Table.Td>
            <Table.Td>
              <CountsBadge counts={workspace.counts} />
            </Table.Td>
            <Table.Td>{workspace.projectCount.toLocaleString('en')}</Table.Td>
            <Table.Td c="dimmed">
              <Instant at={workspace.createdAt} />
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
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
