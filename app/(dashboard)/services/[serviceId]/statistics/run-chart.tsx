'use client'

import { BarChart } from '@mantine/charts'
import type { StatisticsBucket } from '#server/schemas/statistics.ts'
import { bucketText } from './bucket-text.ts'

const SERIES = [
  { name: 'passed', label: 'Passed', color: 'teal.6' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
]

export function RunChart({ buckets, isDaily }: { buckets: StatisticsBucket[]; isDaily: boolean }) {
  const data = buckets.map(({ bucketStart, probeCount, errorRatePct }) => {
    // Buckets have no count of failed runs, only their share.
    const failed = Math.round((probeCount * (errorRatePct ?? 0)) / 100)
    return { at: bucketText(bucketStart, isDaily), passed: probeCount - failed, failed }
  })
  return (
    <BarChart
      h={200}
      data={data}
      dataKey="at"
      type="stacked"
      series={SERIES}
      withLegend
      legendProps={{ verticalAlign: 'top' }}
      yAxisProps={{ width: 50, allowDecimals: false, interval: 'equidistantPreserveStart' }}
      xAxisProps={{ minTickGap: 30 }}
      aria-label="Runs over time"
      role="img"
    />
  )
}
