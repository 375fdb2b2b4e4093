'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { Trash2 } from '../../components/icons.ts'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { DeletionRow } from './deletion-row.tsx'

export function RecentlyDeleted() {
  const [page, setPage] = useState(1)
  const deletions = useQuery(query('deletions.list', { page }))
  return (
    <PageFrame
      title="Recently deleted"
      intro="Deleted services and projects can be restored for seven days, with their results, variables, grants and bindings. Then they are deleted for good."
    >
      <PagedTable
        query={deletions}
        onPage={setPage}
        miw={760}
        columns={['Name', 'Was in', 'Deleted', 'Deleted for good', '']}
        empty={
          <Empty
            icon={Trash2}
            title="Nothing was deleted"
            description="You see what was deleted in the last seven days in projects and workspaces that you may change."
          />
        }
      >
        {(deletion) => <DeletionRow key={deletion.resourceId} deletion={deletion} />}
      </PagedTable>
    </PageFrame>
  )
}
