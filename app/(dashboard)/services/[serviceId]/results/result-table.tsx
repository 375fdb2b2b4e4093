'use client'

import { Button, Group, Stack, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { Download } from '../../../../components/icons.ts'
import { ActionMenu } from '../../../../components/menus/action-menu.tsx'
import { ResultList } from '../../../../components/runs/result-list.tsx'
import { filterQuery, filtersIn } from '../history/selection.ts'
import { ResultFilters } from './result-filters.tsx'

/** The results of a service, with the filters of the URL. */
export function ResultTable({ serviceId }: { serviceId: string }) {
  const [params] = useUrlState()
  const { zone } = useZone()
  const search = filterQuery(params)
  // Another selection starts at its first page.
  const [{ page, of }, setPage] = useState({ page: 1, of: search })
  const results = useQuery({
    ...query('results.search', {
      id: serviceId,
      page: of === search ? page : 1,
      pageSize: 25,
      ...filtersIn(params, zone),
    }),
    placeholderData: keepPreviousData,
  })
  const exportHref = (format: string) => `/api/export/services/${serviceId}/results?format=${format}`
  return (
    <Stack gap="sm" id="results">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz="lg">
          Results
        </Title>
        <ActionMenu
          entries={[
            { label: 'CSV, one line per run', href: exportHref('csv'), download: true },
            { label: 'NDJSON, with every step', href: exportHref('ndjson'), download: true },
          ]}
        >
          {(target) => (
            <Button variant="default" size="xs" leftSection={<Download size={14} aria-hidden />} {...target}>
              Export
            </Button>
          )}
        </ActionMenu>
      </Group>
      <ResultFilters serviceId={serviceId} />
      <ResultList
        serviceId={serviceId}
        search={search}
        results={results}
        onPage={(next) => setPage({ page: next, of: search })}
        empty={
          search
            ? 'No result matches these filters.'
            : 'No results yet. A service that is switched on runs on its schedule, and when someone chooses Run now.'
        }
      />
    </Stack>
  )
}
