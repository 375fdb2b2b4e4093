'use client'

import { LineChart } from '@mantine/charts'
import { SegmentedControl, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Window } from '#server/schemas/statistics.ts'
import { type Output, query } from '../../../../client/api.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { millisecondsText, roundedPercentText } from '../../../../components/numbers.ts'
import { bucketText } from './bucket-text.ts'

/** A chart with more lines is hard to read. */
const SERIES_MAX = 6
const COLOURS = ['deep.6', 'orange.6', 'grape.6', 'blue.6', 'teal.6', 'red.6']

const METRICS = [
  { value: 'p50Ms', label: 'p50' },
  { value: 'p95Ms', label: 'p95' },
  { value: 'p99Ms', label: 'p99' },
  { value: 'errorRatePct', label: 'Failed' },
] as const

type Metric = (typeof METRICS)[number]['value']

/** The endpoints with the most calls over time. Nothing if the script has only one endpoint. */
export function EndpointSeries({ serviceId, window }: { serviceId: string; window: Window }) {
  const [metric, setMetric] = useState<Metric>('p95Ms')
  const series = useQuery({
    ...query('statistics.endpointSeries', { id: serviceId, window }),
    placeholderData: keepPreviousData,
  })
  if (!series.data || series.data.endpoints.length < 2) return null
  return (
    <Section
      title="By endpoint"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Metric"
          data={METRICS.map((entry) => ({ ...entry }))}
          value={metric}
          onChange={(value) => setMetric(value as Metric)}
        />
      }
    >
      <Stack>
        <Chart series={series.data} metric={metric} />
      </Stack>
    </Section>
  )
}

function Chart({ series, metric }: { series: Output<'statistics.endpointSeries'>; metric: Metric }) {
  const shown = series.endpoints.slice(0, SERIES_MAX)
  const data = series.buckets.map((start) => ({
    at: bucketText(start, series.bucketType === 'day'),
    ...Object.fromEntries(
      shown.map(({ key, points }) => [key, points.find((point) => point.bucketStart === start)?.[metric] ?? null]),
    ),
  }))
  return (
    <LineChart
      h={260}
      data={data}
      dataKey="at"
      series={shown.map(({ key, method, template }, index) => ({
        name: key,
        label: `${method.toUpperCase()} ${template}`,
        color: COLOURS[index] ?? 'gray.6',
      }))}
      curveType="linear"
      dotProps={{ r: 2 }}
      connectNulls={false}
      withLegend
      legendProps={{ verticalAlign: 'top' }}
      valueFormatter={(value) => (metric === 'errorRatePct' ? roundedPercentText(value) : millisecondsText(value))}
      yAxisProps={{ width: 70 }}
      xAxisProps={{ minTickGap: 30 }}
      aria-label="Endpoints over time"
      role="img"
    />
  )
}
