'use client'

import { Group, Paper, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { Segments } from '../inputs/segments.tsx'

// Loaded on demand: the chart library is large, and the chart is below the metrics.
const RunHistoryChart = dynamic(() => import('./run-history-chart.tsx').then((module) => module.RunHistoryChart), {
  ssr: false,
  loading: () => <div style={{ height: 140 }} />,
})

const SPANS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
]

/** The runs in a workspace or project by hour and status. Nothing if there were none in the last 24 hours. */
export function RunHistory({ scope, id }: { scope: 'workspace' | 'project'; id: string }) {
  const [hours, setHours] = useState('24')
  const history = useQuery({
    ...query(`metrics.${scope}.history`, { id, hours: Number(hours) }),
    placeholderData: keepPreviousData,
  })
  const total = history.data?.reduce((sum, bucket) => sum + bucket.total, 0) ?? 0
  if (!history.data || (total === 0 && hours === '24')) return null
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            Runs by hour
          </Text>
          <Segments size="xs" label="Time span" options={SPANS} value={hours} onChange={setHours} />
        </Group>
        <RunHistoryChart history={history.data} range={history.data.length > 48 ? '7d' : '24h'} />
      </Stack>
    </Paper>
  )
}
