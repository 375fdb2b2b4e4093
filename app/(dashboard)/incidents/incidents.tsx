'use client'

import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { durationText } from '#server/schemas/duration-text.ts'
import { query } from '../../client/api.ts'
import { CircleCheck } from '../../components/icons.ts'
import { RowCheckbox } from '../../components/inputs/row-checkbox.tsx'
import { Instant } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { LostAgentsNotice } from '../../components/lost-agents-notice.tsx'
import { IncidentBadge } from '../../components/runs/incident-badge.tsx'
import { SeverityBadge } from '../../components/runs/severity-badge.tsx'
import { AcknowledgeBar } from './acknowledge-bar.tsx'
import { type Filters, IncidentFilters } from './incident-filters.tsx'

/** The incidents of all services that the member can see, open ones first. Members select some and acknowledge them. */
export function Incidents() {
  const [page, setPage] = useState(1)
  const [filters, setFilters] = useState<Filters>({})
  const [selected, setSelected] = useState<string[]>([])
  const incidents = useQuery({
    ...query('incidents.list', { page, ...filters }),
    placeholderData: keepPreviousData,
  })
  const goToPage = (next: number) => {
    setSelected([])
    setPage(next)
  }
  const selectable = (incidents.data?.items ?? []).filter(isSelectable).map(({ id }) => id)
  // Another member may have acknowledged a selected incident, or its service recovered.
  const ids = selected.filter((id) => selectable.includes(id))
  const isAllSelected = ids.length > 0 && ids.length === selectable.length
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const selectAll = (
    <RowCheckbox
      label="Select all incidents on this page"
      checked={isAllSelected}
      isPartial={ids.length > 0 && !isAllSelected}
      onChange={() => setSelected(isAllSelected ? [] : selectable)}
    />
  )
  return (
    <PageFrame
      title="Incidents"
      intro="An incident opens when a failure of a service is confirmed, and closes when the service recovers."
      actions={
        <IncidentFilters
          filters={filters}
          onChange={(next) => {
            setFilters(next)
            goToPage(1)
          }}
        />
      }
    >
      <LostAgentsNotice />
      {ids.length > 0 && <AcknowledgeBar ids={ids} onDone={() => setSelected([])} />}
      <PagedTable
        query={incidents}
        onPage={goToPage}
        empty={
          <Empty
            icon={CircleCheck}
            title={isFiltered ? `No ${filters.state ?? 'such'} incidents` : 'No incidents yet'}
            description="Confirmed failures of the services that you have access to appear here."
          />
        }
        highlightOnHover
        miw={980}
        columns={[
          ...(selectable.length > 0 ? [{ w: 44, children: selectAll, 'data-label': 'Select all' }] : []),
          'Service',
          { w: '26%', children: 'Cause' },
          'Failing since',
          'Duration',
          'Failing agents',
          'Acknowledged by',
          'Assignee',
        ]}
      >
        {(incident) => (
          <IncidentRow
            key={incident.id}
            incident={incident}
            hasCheckboxes={selectable.length > 0}
            isSelected={ids.includes(incident.id)}
            onSelect={(isSelected) =>
              setSelected(isSelected ? [...ids, incident.id] : ids.filter((id) => id !== incident.id))
            }
          />
        )}
      </PagedTable>
    </PageFrame>
  )
}

function IncidentRow(props: {
  incident: Incident
  /** The table has checkboxes, of the rows that can be acknowledged. */
  hasCheckboxes: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}) {
  const { incident, isSelected } = props
  return (
    <Table.Tr bg={isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      {props.hasCheckboxes && (
        <Table.Td>
          {isSelectable(incident) && (
            <RowCheckbox label={`Select ${incident.serviceName}`} checked={isSelected} onChange={props.onSelect} />
          )}
        </Table.Td>
      )}
      <Table.Td>
        <TitleCell
          title={<RowLink href={`/incidents/${incident.id}`}>{incident.serviceName}</RowLink>}
          badges={
            <>
              <IncidentBadge state={incident.state} flappingSince={incident.flappingSince} size="sm" />
              <SeverityBadge severity={incident.severity} size="sm" />
            </>
          }
        />
      </Table.Td>
      <Table.Td maw={340}>
        <Text size="sm" lineClamp={4} style={{ overflowWrap: 'anywhere' }} title={incident.summary}>
          {incident.summary}
        </Text>
      </Table.Td>
      <Table.Td>
        <Instant at={incident.failingSince} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{durationText(incident.durationMs)}</Table.Td>
      <Table.Td>{agentsText(incident)}</Table.Td>
      <Table.Td>{incident.acknowledgedBy?.name ?? <Text c="dimmed">–</Text>}</Table.Td>
      <Table.Td>{incident.assignee?.name ?? <Text c="dimmed">–</Text>}</Table.Td>
    </Table.Tr>
  )
}

/** As on its page, only an open incident offers to be acknowledged. */
function isSelectable({ state, acknowledgedAt }: Incident): boolean {
  return state === 'open' && acknowledgedAt === null
}

/** Returns for example `2 of 3: berlin, paris`. */
function agentsText({ agents, state }: Incident): string {
  if (agents.length === 0 || state === 'closed') return '–'
  const failing = agents.filter(({ status }) => status !== 'success').map(({ agentSlug }) => agentSlug)
  return `${failing.length} of ${agents.length}${failing.length > 0 ? `: ${failing.join(', ')}` : ''}`
}
