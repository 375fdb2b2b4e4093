'use client'

import { Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { query } from '../../client/api.ts'

// Charts are the larger part of these pages, and stand below what is read first.
const RunHistoryChart = dynamic(() => import('./run-history-chart.tsx').then((module) => module.RunHistoryChart), {
  ssr: false,
  loading: () => <div style={{ height: 140 }} />,
})

const SPANS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
]

/** Runs by the hour beneath a workspace or project, as they ended. Nothing while there were none. */
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
            Runs by the hour
          </Text>
          <SegmentedControl size="xs" aria-label="Time shown" data={SPANS} value={hours} onChange={setHours} />
        </Group>
        <RunHistoryChart history={history.data} />
      </Stack>
    </Paper>
  )
}
