'use client'

import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { durationText } from '#server/schemas/duration-text.ts'
import { query } from '../../client/api.ts'
import { CircleCheck } from '../../components/icons.ts'
import { Segments } from '../../components/inputs/segments.tsx'
import { Instant } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { LostAgentsNotice } from '../../components/lost-agents-notice.tsx'
import { IncidentBadge } from '../../components/runs/incident-badge.tsx'

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
]

/** The incidents of all services that the member can see, open ones first. */
export function Incidents() {
  const [page, setPage] = useState(1)
  const [filter, setFilter] = useState('all')
  const state = filter === 'open' || filter === 'closed' ? filter : undefined
  const incidents = useQuery({
    ...query('incidents.list', { page, state }),
    placeholderData: keepPreviousData,
  })
  return (
    <PageFrame
      title="Incidents"
      intro="An incident opens when a failure of a service is confirmed, and closes when the service recovers."
      actions={
        <Segments
          label="State"
          options={FILTERS}
          value={filter}
          onChange={(value) => {
            setFilter(value)
            setPage(1)
          }}
        />
      }
    >
      <LostAgentsNotice />
      <PagedTable
        query={incidents}
        onPage={setPage}
        empty={
          <Empty
            icon={CircleCheck}
            title={state ? `No ${state} incidents` : 'No incidents yet'}
            description="Confirmed failures of the services that you have access to appear here."
          />
        }
        highlightOnHover
        miw={860}
        columns={['Service', 'Cause', 'Failing since', 'Duration', 'Failing agents', 'Acknowledged by']}
      >
        {(incident) => <IncidentRow key={incident.id} incident={incident} />}
      </PagedTable>
    </PageFrame>
  )
}

function IncidentRow({ incident }: { incident: Incident }) {
  return (
    <Table.Tr>
      <Table.Td>
        <TitleCell
          title={<RowLink href={`/incidents/${incident.id}`}>{incident.serviceName}</RowLink>}
          badges={<IncidentBadge state={incident.state} flappingSince={incident.flappingSince} size="sm" />}
        />
      </Table.Td>
      <Table.Td maw={340}>
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {incident.summary}
        </Text>
      </Table.Td>
      <Table.Td>
        <Instant at={incident.failingSince} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{durationText(incident.durationMs)}</Table.Td>
      <Table.Td>{agentsText(incident)}</Table.Td>
      <Table.Td>{incident.acknowledgedBy?.name ?? <Text c="dimmed">–</Text>}</Table.Td>
    </Table.Tr>
  )
}

/** Returns for example `2 of 3: berlin, paris`. */
function agentsText({ agents, state }: Incident): string {
  if (agents.length === 0 || state === 'closed') return '–'
  const failing = agents.filter(({ status }) => status !== 'success').map(({ agentSlug }) => agentSlug)
  return `${failing.length} of ${agents.length}${failing.length > 0 ? `: ${failing.join(', ')}` : ''}`
}
