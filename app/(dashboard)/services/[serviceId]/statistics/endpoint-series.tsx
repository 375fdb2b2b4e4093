'use client'

import { SegmentedControl, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Window } from '#server/schemas/statistics.ts'
import { type Output, query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import colors from '../../../../components/charts/chart-colors.module.css'
import { Legend } from '../../../../components/charts/legend.tsx'
import { Plot } from '../../../../components/charts/plot.tsx'
import { axisUpTo, linePath } from '../../../../components/charts/scale.ts'
import { timeLabels } from '../../../../components/charts/time-labels.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { millisecondsText, roundedPercentText } from '../../../../components/numbers.ts'
import { zonedText } from '../../../../components/zoned-text.ts'

/** A chart with more lines is hard to read. */
const SERIES_MAX = 6
const COLOURS = ['chart-1', 'chart-3', 'chart-2', 'chart-4', 'chart-5', 'chart-6']

const DATE: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

const METRICS = [
  { value: 'p50Ms', label: 'p50' },
  { value: 'p95Ms', label: 'p95' },
  { value: 'p99Ms', label: 'p99' },
  { value: 'errorRatePct', label: 'Failed' },
] as const

type Metric = (typeof METRICS)[number]['value']
type Data = Output<'statistics.endpointSeries'>

/** The endpoints with the most calls over time. Nothing if the script has no endpoint. */
export function EndpointSeries({ serviceId, window }: { serviceId: string; window: Window }) {
  const [metric, setMetric] = useState<Metric>('p95Ms')
  const series = useQuery({
    ...query('statistics.endpointSeries', { id: serviceId, window }),
    placeholderData: keepPreviousData,
  })
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
      <Stack mih={250}>{series.data && <Chart serviceId={serviceId} series={series.data} metric={metric} />}</Stack>
    </Section>
  )
}

function Chart({ serviceId, series, metric }: { serviceId: string; series: Data; metric: Metric }) {
  const { zone } = useZone()
  const isDaily = series.bucketType === 'day'
  const format = (value: number | null) =>
    metric === 'errorRatePct' && value !== null ? roundedPercentText(value) : millisecondsText(value)
  const lines = series.endpoints.slice(0, SERIES_MAX).map(({ method, template, points }, index) => {
    const at = new Map(points.map((point) => [point.bucketStart, point[metric]]))
    return {
      label: `${method.toUpperCase()} ${template}`,
      color: COLOURS[index] ?? 'chart-6',
      values: series.buckets.map((start) => at.get(start) ?? null),
    }
  })
  const axis = axisUpTo(Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))), format)
  // Daily buckets are UTC days. Another zone would show the wrong date.
  const bucketZone = isDaily ? 'UTC' : zone
  const timeOf = (start: string) => zonedText(start, bucketZone, isDaily ? DATE : { ...DATE, ...TIME })
  return (
    <>
      <Legend entries={lines} />
      <Plot
        label="Endpoints over time"
        unit={metric === 'errorRatePct' ? 'Share of calls that failed' : 'Response time of a call'}
        timeUnit={isDaily ? 'By day, UTC.' : `By hour, ${zoneName(zone)}.`}
        height={160}
        axis={axis}
        columns={series.buckets.map((start, index) => ({
          key: start,
          text: `${timeOf(start)}: ${lines.map(({ label, values }) => `${label} ${format(values[index] ?? null)}`).join(', ')}`,
          href: bucketHref(serviceId, start, isDaily),
        }))}
        times={timeLabels(
          series.buckets.map((start) => ({ start })),
          series.window as Window,
          bucketZone,
        )}
      >
        {lines.map(({ label, color, values }) => (
          <path key={label} className={colors.line} stroke={`var(--${color})`} d={linePath(values, axis.max)} />
        ))}
      </Plot>
    </>
  )
}

/** Returns the link to the runs of a UTC hour or day. */
function bucketHref(serviceId: string, start: string, isDaily: boolean): string {
  const end = Date.parse(start) + (isDaily ? 86_400_000 : 3_600_000) - 1
  const params = new URLSearchParams({ since: start, until: new Date(end).toISOString() })
  return `/services/${serviceId}?${params}#results`
}
