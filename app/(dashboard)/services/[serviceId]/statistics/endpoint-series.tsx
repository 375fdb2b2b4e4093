'use client'

import { Group, SegmentedControl, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Span } from '#server/schemas/results/ranges.ts'
import type { Window } from '#server/schemas/statistics.ts'
import { type Output, query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import colors from '../../../../components/charts/chart-colors.module.css'
import { CsvButton } from '../../../../components/charts/csv-button.tsx'
import { Legend } from '../../../../components/charts/legend.tsx'
import { LINE_COLORS } from '../../../../components/charts/line-colors.ts'
import { Plot } from '../../../../components/charts/plot.tsx'
import { axisUpTo, linePath } from '../../../../components/charts/scale.ts'
import { periodText, timeLabels } from '../../../../components/charts/time-labels.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { millisecondsText, roundedPercentText } from '../../../../components/numbers.ts'
import { runsHref } from '../history/chart-frame.ts'
import { useZoom } from '../history/use-zoom.ts'

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
        <Group gap="xs">
          {series.data && <SeriesCsv serviceId={serviceId} series={series.data} metric={metric} />}
          <SegmentedControl
            size="xs"
            aria-label="Metric"
            data={METRICS.map((entry) => ({ ...entry }))}
            value={metric}
            onChange={(value) => setMetric(value as Metric)}
          />
        </Group>
      }
    >
      <Stack mih={250}>{series.data && <Chart serviceId={serviceId} series={series.data} metric={metric} />}</Stack>
    </Section>
  )
}

function Chart({ serviceId, series, metric }: { serviceId: string; series: Data; metric: Metric }) {
  const { zone } = useZone()
  const { zoom, zoomTo, reset } = useZoom()
  const isDaily = series.bucketType === 'day'
  const format = (value: number | null) =>
    metric === 'errorRatePct' && value !== null ? roundedPercentText(value) : millisecondsText(value)
  const buckets = series.buckets.map((start) => ({ start, end: endOf(start, isDaily) })).filter(isShownIn(zoom))
  const lines = linesOf(series, metric, buckets)
  const failed = new Map(series.all.map((point) => [point.bucketStart, point.failedCalls]))
  const axis = axisUpTo(Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))), format)
  // Daily buckets are UTC days. Another zone would show the wrong date.
  const bucketZone = isDaily ? 'UTC' : zone
  const length = isDaily ? 'day' : 'hour'
  return (
    <>
      <Legend entries={lines} />
      <Plot
        label="Endpoints over time"
        unit={metric === 'errorRatePct' ? 'Share of calls that failed' : 'Response time of a call'}
        timeUnit={`By ${length}, ${zoneName(bucketZone)}. Select a column to see its runs.`}
        height={160}
        axis={axis}
        columns={buckets.map((bucket, index) => ({
          key: bucket.start,
          title: `${periodText(bucket.start, bucket.end, length, bucketZone)} (${zoneName(bucketZone)})`,
          values: lines.map(({ label, values }) => `${label} ${format(values[index] ?? null)}`),
          href: runsHref(serviceId, bucket, series.window as Window, zoom),
          failed: failed.get(bucket.start) ?? 0,
        }))}
        times={timeLabels(buckets, zoom ? { length } : (series.window as Window), bucketZone)}
        onZoom={zoomTo(buckets)}
        onReset={reset}
      >
        {lines.map(({ label, color, values }) => (
          <path key={label} className={colors.line} stroke={`var(--${color})`} d={linePath(values, axis.max)} />
        ))}
      </Plot>
    </>
  )
}

function SeriesCsv({ serviceId, series, metric }: { serviceId: string; series: Data; metric: Metric }) {
  const { zoom } = useZoom()
  const isDaily = series.bucketType === 'day'
  const unit = metric === 'errorRatePct' ? '%' : 'ms'
  return (
    <CsvButton
      of="the endpoints over time"
      name={`endpoints-${serviceId}-${series.window}`}
      rows={() => {
        const buckets = series.buckets.map((start) => ({ start, end: endOf(start, isDaily) })).filter(isShownIn(zoom))
        const lines = linesOf(series, metric, buckets)
        const name = METRICS.find(({ value }) => value === metric)?.label
        return [
          ['start (UTC)', 'end (UTC)', ...lines.map(({ label }) => `${label} ${name} (${unit})`)],
          ...buckets.map(({ start, end }, i) => [start, end, ...lines.map(({ values }) => values[i] ?? null)]),
        ]
      }}
    />
  )
}

function linesOf({ endpoints }: Data, metric: Metric, buckets: { start: string }[]) {
  return endpoints.slice(0, LINE_COLORS.length).map(({ method, template, points }, index) => {
    const at = new Map(points.map((point) => [point.bucketStart, point[metric]]))
    return {
      label: `${method.toUpperCase()} ${template}`,
      color: LINE_COLORS[index] as string,
      values: buckets.map(({ start }) => at.get(start) ?? null),
    }
  })
}

/** The end of a UTC hour or day. */
function endOf(start: string, isDaily: boolean): string {
  return new Date(Date.parse(start) + (isDaily ? 86_400_000 : 3_600_000)).toISOString()
}

/** Whether the zoomed part covers some of a bucket. */
function isShownIn(zoom: Span | null) {
  return ({ start, end }: { start: string; end: string }) => !zoom || (start < zoom.until && end > zoom.since)
}
