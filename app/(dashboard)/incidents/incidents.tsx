'use client'

import { Button, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUrlState } from '../../client/addresses/url-state.ts'
import { type Output, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { LostAgentsNotice } from '../../components/agents/lost-agents-notice.tsx'
import { CircleCheck } from '../../components/icons.ts'
import { RowCheckbox } from '../../components/inputs/row-checkbox.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { FILTERS, filtersIn, isNarrowed, searchIn } from './filters.ts'
import { IncidentFilters } from './incident-filters.tsx'
import { type FoundIncident, IncidentRow, isSelectable } from './incident-row.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useFrozenRows } from './use-frozen-rows.ts'

const AcknowledgeDialog = lazyDialog(async () => (await import('./acknowledge-dialog.tsx')).AcknowledgeDialog)

/** The incidents of all services that the member can see, open ones first. Members select some and acknowledge them. */
export function Incidents() {
  const [params, change] = useUrlState()
  const filters = filtersIn(params)
  const incidents = useQuery({ ...query('incidents.search', searchIn(params)), placeholderData: keepPreviousData })
  const clear = () => change(Object.fromEntries([...FILTERS, 'page'].map((name) => [name, null])))
  return (
    <PageFrame
      title="Incidents"
      intro="An incident opens when a failure of a service is confirmed, and closes when the service recovers."
    >
      <LostAgentsNotice />
      <IncidentFilters
        filters={filters}
        onChange={(changes, isTyped) => change({ ...changes, page: null }, isTyped)}
        onClear={clear}
      />
      <Loaded query={incidents}>
        {(page) =>
          page.total === 0 ? (
            <Empty
              icon={CircleCheck}
              title={isNarrowed(filters) ? 'No incident matches' : 'No incidents yet'}
              description="Confirmed failures of the services that you have access to appear here."
              action={
                isNarrowed(filters) && (
                  <Button variant="default" onClick={clear}>
                    Clear the filters
                  </Button>
                )
              }
            />
          ) : (
            // Another page, or another selection of it, begins without selected rows.
            <IncidentList
              key={params.toString()}
              page={page}
              onPage={(next) => change({ page: next === 1 ? null : String(next) })}
            />
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function IncidentList(props: { page: Output<'incidents.search'>; onPage: (page: number) => void }) {
  const { page, onPage } = props
  const [selected, setSelected] = useState<string[]>([])
  const [confirmed, setConfirmed] = useState<FoundIncident[] | null>(null)
  const rows = useFrozenRows(page.items, selected.length > 0)
  const selectable = rows.filter(isSelectable)
  // Another member may have acknowledged a selected incident, or its service recovered.
  const chosen = selectable.filter(({ id }) => selected.includes(id))
  const hasCheckboxes = selectable.length > 0
  const isAllSelected = chosen.length > 0 && chosen.length === selectable.length
  const longestMs = Math.max(...rows.map(({ durationMs }) => durationMs))
  const selectAll = (
    <RowCheckbox
      label="Select all incidents on this page"
      checked={isAllSelected}
      isPartial={chosen.length > 0 && !isAllSelected}
      onChange={() => setSelected(isAllSelected ? [] : selectable.map(({ id }) => id))}
    />
  )
  return (
    <Stack>
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          onAcknowledge={() => setConfirmed(chosen)}
          onClear={() => setSelected([])}
        />
      )}
      <ListTable
        highlightOnHover
        horizontalSpacing="sm"
        miw={980}
        columns={[
          ...(hasCheckboxes ? [{ w: 44, children: selectAll, 'data-label': 'Select all' }] : []),
          { w: '48%', children: 'Cause' },
          { w: 96, children: 'State', isPlain: true },
          { w: '11%', children: 'Service' },
          { w: 132, children: 'Duration' },
          { w: 112, children: 'Assignee' },
          'Agents',
        ]}
      >
        {rows.map((incident) => (
          <IncidentRow
            key={incident.id}
            incident={incident}
            longestMs={longestMs}
            hasCheckboxes={hasCheckboxes}
            isSelected={chosen.includes(incident)}
            onSelect={(isSelected) =>
              setSelected(isSelected ? [...selected, incident.id] : selected.filter((id) => id !== incident.id))
            }
          />
        ))}
      </ListTable>
      <Pager page={page} onPage={onPage} />
      {confirmed && (
        <AcknowledgeDialog
          incidents={confirmed}
          onClose={() => setConfirmed(null)}
          onDone={() => {
            setConfirmed(null)
            setSelected([])
          }}
        />
      )}
    </Stack>
  )
}
