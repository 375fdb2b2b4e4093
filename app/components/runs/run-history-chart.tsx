'use client'

import { BarChart } from '@mantine/charts'
import type { HourlyBucket } from '#server/schemas/statistics.ts'

const SERIES = [
  { name: 'success', label: 'Passed', color: 'teal.6' },
  { name: 'failure', label: 'Failed', color: 'red.6' },
  { name: 'timeout', label: 'Timed out', color: 'orange.6' },
]

const hourText = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

export function RunHistoryChart({ history }: { history: HourlyBucket[] }) {
  return (
    <BarChart
      h={140}
      data={history.map(({ hour, success, failure, timeout }) => ({
        at: hourText.format(new Date(hour)),
        success,
        failure,
        timeout,
      }))}
      dataKey="at"
      type="stacked"
      series={SERIES}
      yAxisProps={{ width: 44, allowDecimals: false, interval: 'equidistantPreserveStart' }}
      xAxisProps={{ minTickGap: 40 }}
      aria-label="Runs by hour"
      role="img"
    />
  )
}
