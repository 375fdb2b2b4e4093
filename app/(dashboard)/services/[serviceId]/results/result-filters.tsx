'use client'

import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import { PeriodInput } from '../../../../components/inputs/period-input.tsx'
import { chartIn, FILTERS, filtersIn, STATUS_LABELS } from '../history/selection.ts'
import { cellText } from '../statistics/cell-text.ts'

/** The filters of the results: status, agent, script version and period. They stand in the URL. */
export function ResultFilters({ serviceId }: { serviceId: string }) {
  const [params, change] = useUrlState()
  const { zone } = useZone()
  const filters = filtersIn(params, zone)
  const series = useQuery(query('statistics.series', { id: serviceId, ...chartIn(params, zone) }))
  const agents = [...new Set([...(series.data?.agents ?? []), ...(filters.agent ? [filters.agent] : [])])]
  const isFiltered = FILTERS.some((name) => params.has(name))
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Filter the results">
      <NativeSelect
        size="xs"
        label="Status"
        value={filters.status ?? ''}
        data={[
          { value: '', label: 'All' },
          ...Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => change({ status: event.currentTarget.value || null })}
      />
      <NativeSelect
        size="xs"
        label="Agent"
        value={filters.agent ?? ''}
        data={[{ value: '', label: 'All' }, ...agents]}
        onChange={(event) => change({ agent: event.currentTarget.value || null })}
      />
      <VersionInput key={`version ${filters.version}`} value={filters.version} />
      <PeriodInput key={`since ${filters.since} ${zone}`} label="From" name="since" value={filters.since} zone={zone} />
      <PeriodInput key={`until ${filters.until} ${zone}`} label="To" name="until" value={filters.until} zone={zone} />
      {filters.cell && (
        <Button size="xs" variant="light" onClick={() => change({ cell: null })}>
          {cellText(filters.cell.weekday, filters.cell.hour)}, {zoneName(zone)} ×
        </Button>
      )}
      {isFiltered && (
        <Button
          size="xs"
          variant="default"
          onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}
        >
          Show all results
        </Button>
      )}
    </Group>
  )
}

function VersionInput({ value }: { value: number | undefined }) {
  const [, change] = useUrlState()
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const apply = () => {
    if (text === (value === undefined ? '' : String(value))) return
    change({ version: /^[1-9]\d{0,8}$/.test(text) ? text : null })
  }
  return (
    <TextInput
      size="xs"
      label="Script version"
      inputMode="numeric"
      w={110}
      value={text}
      onChange={(event) => setText(event.currentTarget.value.trim())}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  )
}
