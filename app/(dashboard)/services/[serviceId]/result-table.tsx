'use client'

import { Anchor, Button, Group, Menu, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { dateTimeText, Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { Pager } from '../../../components/lists/pager.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
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
                As CSV, a line per run
              </Menu.Item>
              <Menu.Item component="a" href={`/api/export/services/${serviceId}/results?format=ndjson`} download>
                As NDJSON, with every step
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Loaded query={results}>
        {(list) =>
          list.total === 0 ? (
            <Text c="dimmed" size="sm">
              No run has been recorded yet. A service that is on runs by its schedule, and at once by Run now.
            </Text>
          ) : (
            <Stack>
              <ListTable
                verticalSpacing="xs"
                highlightOnHover
                miw={640}
                head={
                  <>
                    <Table.Th>Started</Table.Th>
                    <Table.Th>Status</Table.Th>
                    <Table.Th>Responses</Table.Th>
                    <Table.Th>Whole run</Table.Th>
                    <Table.Th>Agent</Table.Th>
                  </>
                }
              >
                {list.items.map((result) => (
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
                    <Table.Td>{millisecondsText(result.totalResponseMs)}</Table.Td>
                    <Table.Td>{millisecondsText(result.runDurationMs)}</Table.Td>
                    <Table.Td>{result.agentSlug}</Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  )
}
