'use client'

import { Anchor, Badge, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Output } from '../../client/api.ts'
import { Instant, useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import { Table } from '../lists/table.tsx'
import { millisecondsText, responseTimeText } from '../numbers.ts'
import { StatusBadge } from './status-badge.tsx'

/** Results of a service in a table, each with a link to its page. */
export function ResultList(props: {
  serviceId: string
  results: UseQueryResult<Output<'results.list'>>
  onPage: (page: number) => void
  /** The sentence that is shown if there are no results. */
  empty: string
  /** The filters of the list as the end of a URL, which results keep for the next and the previous one. */
  search?: string
}) {
  const dateTimeText = useDateTimeText()
  return (
    <PagedTable
      query={props.results}
      onPage={props.onPage}
      empty={<NoEntries>{props.empty}</NoEntries>}
      verticalSpacing={4}
      highlightOnHover
      miw={640}
      columns={[
        'Started',
        { children: 'Status', isPlain: true },
        'Response time',
        { children: 'Run duration', visibleFrom: 'sm' },
        'Agent',
        'Version',
      ]}
    >
      {(result) => (
        <Table.Tr key={result.id}>
          <Table.Td>
            <Anchor
              component={Link}
              href={`/services/${props.serviceId}/results/${result.id}${props.search ?? ''}`}
              size="sm"
            >
              {dateTimeText(result.startedAt)}
            </Anchor>{' '}
            <Text span size="xs" c="dimmed">
              <Instant at={result.startedAt} />
            </Text>
          </Table.Td>
          <Table.Td>
            <StatusBadge status={result.status} />{' '}
            {result.recheckOf !== null && (
              <Badge
                component={Link}
                href={`/services/${props.serviceId}/results/${result.recheckOf}`}
                variant="default"
                miw="max-content"
                style={{ cursor: 'pointer' }}
              >
                Recheck
              </Badge>
            )}
            {result.summary !== null && (
              <Text size="xs" c="dimmed" lineClamp={2} maw={420} style={{ overflowWrap: 'anywhere' }}>
                {result.summary}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{responseTimeText(result.totalResponseMs)}</Table.Td>
          <Table.Td visibleFrom="sm">{millisecondsText(result.runDurationMs)}</Table.Td>
          <Table.Td>{result.agentSlug}</Table.Td>
          <Table.Td>{result.scriptVersion ?? '–'}</Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  )
}
