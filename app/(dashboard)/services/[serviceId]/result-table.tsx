'use client'

import { Button, Group, Menu, Stack, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { ResultList } from '../../../components/runs/result-list.tsx'

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
      <ResultList
        serviceId={serviceId}
        results={results}
        onPage={setPage}
        empty="No results yet. A service that is switched on runs on its schedule, and when someone chooses Run now."
      />
    </Stack>
  )
}
