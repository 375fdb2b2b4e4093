'use client'

import { LineChart } from '@mantine/charts'
import type { StatisticsBucket } from '#server/schemas/statistics.ts'
import { millisecondsText } from '../../../../components/numbers.ts'
import { bucketText } from './bucket-text.ts'

const SERIES = [
  { name: 'p50Ms', label: 'p50', color: 'deep.6' },
  { name: 'p95Ms', label: 'p95', color: 'orange.6' },
  { name: 'p99Ms', label: 'p99', color: 'red.6' },
]

export function LatencyChart({ buckets, isDaily }: { buckets: StatisticsBucket[]; isDaily: boolean }) {
  const data = buckets.map((bucket) => ({ ...bucket, at: bucketText(bucket.bucketStart, isDaily) }))
  return (
    <LineChart
      h={260}
      data={data}
      dataKey="at"
      series={SERIES}
      curveType="linear"
      withDots
      dotProps={{ r: 2 }}
      connectNulls={false}
      withLegend
      legendProps={{ verticalAlign: 'top' }}
      valueFormatter={millisecondsText}
      yAxisProps={{ width: 70 }}
      xAxisProps={{ minTickGap: 30 }}
      aria-label="Latency percentiles over time"
      role="img"
    />
  )
}
