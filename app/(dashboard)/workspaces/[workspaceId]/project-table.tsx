'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { Empty } from '../../../components/lists/empty.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { millisecondsText, percentText } from '../../../components/numbers.ts'
import { CountsBadge } from '../../../components/status/state-badge.tsx'
import { FolderKanban } from '../../icons.ts'

export function ProjectTable({ workspaceId }: { workspaceId: string }) {
  const [page, setPage] = useState(1)
  const projects = useQuery(query('status.projects', { workspaceId, page }))
  return (
    <PagedTable
      query={projects}
      onPage={setPage}
      empty={
        <Empty
          icon={FolderKanban}
          title="No projects yet"
          description="Create the first one for an application or a site: a project groups its services."
        />
      }
      highlightOnHover
      miw={620}
      columns={['Project', 'Services', 'Passed', 'p95']}
    >
      {({ id, name, counts, runs, passed, percentiles }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <RowLink href={`/projects/${id}`}>{name}</RowLink>
          </Table.Td>
          <Table.Td>
            <CountsBadge counts={counts} />
          </Table.Td>
          <Table.Td>{percentText(passed, runs)}</Table.Td>
          <Table.Td>{millisecondsText(percentiles.p95)}</Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  )
}
