'use client'

import { Anchor, Button, Group, Menu, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { dateTimeText, Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { millisecondsText, responseTimeText } from '../../../components/numbers.ts'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'

export function ResultTable({ serviceId }: { serviceId: string }) {
  const [page, setPage] = useState(1)
  const results = useQuery({
    ...query('results.list', { id: serviceId, page, pageSize: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: page === 1 ? 10_000 : false,
  })
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz="lg">
          Results
        </Title>
        {results.data && results.data.total > 0 && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button variant="default" size="xs" leftSection={<Download size={14} aria-hidden />}>
                Export
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component="a" href={`/api/export/services/${serviceId}/results?format=csv`} download>
                CSV, one line per run
              </Menu.Item>
              <Menu.Item component="a" href={`/api/export/services/${serviceId}/results?format=ndjson`} download>
                NDJSON, with every step
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <PagedTable
        query={results}
        onPage={setPage}
        empty={
          <NoEntries>
            No results yet. A service that is switched on runs on its schedule, and when someone chooses Run now.
          </NoEntries>
        }
        verticalSpacing="xs"
        highlightOnHover
        miw={640}
        columns={['Started', 'Status', 'Response time', 'Run duration', 'Agent']}
      >
        {(result) => (
          <Table.Tr key={result.id}>
            <Table.Td>
              <Anchor component={Link} href={`/services/${serviceId}/results/${result.id}`} size="sm">
                {dateTimeText(result.startedAt)}
              </Anchor>{' '}
              <Text span size="xs" c="dimmed">
                <Instant at={result.startedAt} />
              </Text>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={result.status} />
            </Table.Td>
            <Table.Td>{responseTimeText(result.totalResponseMs)}</Table.Td>
            <Table.Td>{millisecondsText(result.runDurationMs)}</Table.Td>
            <Table.Td>{result.agentSlug}</Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  )
}
