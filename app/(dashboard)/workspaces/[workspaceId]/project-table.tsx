'use client'

import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FolderKanban } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { Instant } from '../../../components/instant.tsx'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { Empty } from '../../../components/lists/empty.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { millisecondsText, percentText } from '../../../components/numbers.ts'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'

export function ProjectTable({ workspaceId }: { workspaceId: string }) {
  const [page, setPage] = useState(1)
  const projects = useQuery(query('projects.list', { workspaceId, page }))
  return (
    <PagedTable
      query={projects}
      onPage={setPage}
      empty={
        <Empty
          icon={FolderKanban}
          title="No projects yet"
          description="A project groups the services of one application or site."
        />
      }
      highlightOnHover
      miw={620}
      columns={['Project', 'Services', 'Latest run', 'Passed', 'p95']}
    >
      {({ id, name, serviceCount, metrics }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <RowLink href={`/projects/${id}`}>{name}</RowLink>
          </Table.Td>
          <Table.Td>{serviceCount}</Table.Td>
          <Table.Td c="dimmed">
            {metrics?.state.lastRunAt ? (
              <>
                <StatusBadge status={metrics.state.lastStatus} size="sm" />{' '}
                <Instant at={metrics.state.lastRunAt * 1_000} />
              </>
            ) : (
              '–'
            )}
          </Table.Td>
          <Table.Td>
            {metrics ? percentText(metrics.counters.probesSuccess, metrics.counters.probesTotal) : '–'}
          </Table.Td>
          <Table.Td>{millisecondsText(metrics?.percentiles.p95)}</Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  )
}
