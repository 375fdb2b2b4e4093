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
      intro="Deleted services and projects can be restored for seven days, with their results, variables, grants and bindings. Then they are deleted permanently."
    >
      <PagedTable
        query={deletions}
        onPage={setPage}
        miw={760}
        columns={['Name', 'Location', 'Deleted', 'Permanent deletion', '']}
        empty={
          <Empty
            icon={Trash2}
            title="No deleted items"
            description="Nothing to restore. Services and projects deleted in the last seven days appear here if you have write access to where they were."
          />
        }
      >
        {(deletion) => <DeletionRow key={deletion.resourceId} deletion={deletion} />}
      </PagedTable>
    </PageFrame>
  )
}
