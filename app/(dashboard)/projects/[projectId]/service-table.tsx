'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { Activity } from '../../../components/icons.ts'
import { RowCheckbox } from '../../../components/inputs/row-checkbox.tsx'
import { Empty } from '../../../components/lists/empty.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { Pager } from '../../../components/lists/pager.tsx'
import { boardOf } from './board-of.ts'
import { ServiceRow } from './service-row.tsx'

// It opens dialogs, and most visits of the page select nothing.
const BulkBar = lazyDialog(async () => (await import('./bulk/bulk-bar.tsx')).BulkBar)

/** The services of a project, the worst first. Members with write access can select some and change them together. */
export function ServiceTable({ projectId, mayWrite }: { projectId: string; mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState<string[] | null>(null)
  const board = useQuery(query('status.board', boardOf(projectId, page)))
  const goToPage = (next: number) => {
    setSelected([])
    setPage(next)
  }
  // A selected service may have been deleted in another browser.
  const ids = (selected ?? []).filter((id) => board.data?.services.some((service) => service.id === id))
  return (
    <Stack>
      {selected && <BulkBar ids={ids} onDone={() => goToPage(1)} />}
      <Loaded query={board}>
        {(list) => {
          if (list.total === 0) {
            return (
              <Empty
                icon={Activity}
                title="No services yet"
                description="A service runs a script on a schedule and alerts you when the script fails."
              />
            )
          }
          const isAllSelected = ids.length === list.services.length
          const selectAll = (
            <RowCheckbox
              label="Select all services on this page"
              checked={isAllSelected}
              isPartial={ids.length > 0 && !isAllSelected}
              onChange={() => setSelected(isAllSelected ? [] : list.services.map((service) => service.id))}
            />
          )
          return (
            <Stack>
              <ListTable
                highlightOnHover
                miw={820}
                columns={[
                  ...(mayWrite ? [{ w: 44, children: selectAll, 'data-label': 'Select all' }] : []),
                  'Service',
                  { children: 'State', isPlain: true },
                  'Last run',
                  '24 h',
                  'p95',
                  'Schedule',
                  { children: 'On', isPlain: true },
                ]}
              >
                {list.services.map((service) => (
                  <ServiceRow
                    key={service.id}
                    service={service}
                    mayWrite={mayWrite}
                    isSelected={ids.includes(service.id)}
                    onSelect={(isSelected) =>
                      setSelected(isSelected ? [...ids, service.id] : ids.filter((id) => id !== service.id))
                    }
                  />
                ))}
              </ListTable>
              <Pager page={list} onPage={goToPage} />
            </Stack>
          )
        }}
      </Loaded>
    </Stack>
  )
}
