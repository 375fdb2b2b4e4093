'use client'

import { Group, Skeleton, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Range } from '#server/schemas/results/ranges.ts'
import type { Series, SeriesBucket } from '#server/schemas/results/series.ts'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { CsvButton } from '../../../../components/charts/csv-button.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { millisecondsText } from '../../../../components/numbers.ts'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import { chartFrame } from './chart-frame.ts'
import { LatencyLines } from './latency-lines.tsx'
import { RangeControl } from './range-control.tsx'
import { RunBarsChart } from './run-bars.tsx'
import { chartIn } from './selection.ts'
import { SeriesTable } from './series-table.tsx'
import { useZoom } from './use-zoom.ts'
import { versionMarks } from './version-marks.ts'
import { ZoomNotice } from './zoom-notice.tsx'

/** The height of both charts with their captions, kept free while they load. */
const CHARTS_HEIGHT = 560

/** Runs and response times of a service over the range in the URL, or a part of it. A column leads to its runs. */
export function HistoryCharts({ serviceId, agent }: { serviceId: string; agent?: string | undefined }) {
  const [params] = useUrlState()
  const { zone } = useZone()
  const series = useQuery({
    ...query('statistics.series', { id: serviceId, ...chartIn(params, zone), agent }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title="History"
      actions={
        <Group gap="xs">
          {series.data && <HistoryCsv serviceId={serviceId} series={series.data} />}
          <RangeControl />
        </Group>
      }
    >
      {series.error && <ProblemAlert error={series.error} onRetry={() => series.refetch()} />}
      <div>
        <ZoomNotice />
        {series.data ? (
          <Charts serviceId={serviceId} series={series.data} agent={agent} />
        ) : (
          <Skeleton height={CHARTS_HEIGHT} aria-busy="true" aria-label="Loading" />
        )}
      </div>
    </Section>
  )
}

function Charts({ serviceId, series, agent }: { serviceId: string; series: Series; agent: string | undefined }) {
  const { zoom, zoomTo, reset } = useZoom()
  const { buckets } = series
  const { columns, ...frame } = chartFrame(serviceId, { ...series, range: series.range as Range }, zoom, agent)
  const shared = {
    ...frame,
    buckets,
    columns: columns.map((column, i) => {
      const bucket = buckets[i] as SeriesBucket
      return { ...column, values: valuesOf(bucket), failed: bucket.failed }
    }),
    marks: versionMarks(serviceId, series.versions, buckets),
    onZoom: zoomTo(buckets),
    onReset: reset,
  }
  return (
    <Stack gap="sm" mih={CHARTS_HEIGHT}>
      <RunBarsChart {...shared} />
      <LatencyLines {...shared} />
      <SeriesTable serviceId={serviceId} series={series} />
    </Stack>
  )
}

function valuesOf({ runs, failed, p50Ms, p95Ms }: SeriesBucket): string[] {
  if (runs === 0) return ['no runs']
  return [
    `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}`,
    `${failed === 0 ? 'none' : failed.toLocaleString('en')} failed`,
    `p50 ${millisecondsText(p50Ms)}`,
    `p95 ${millisecondsText(p95Ms)}`,
  ]
}

function HistoryCsv({ serviceId, series: { buckets, range } }: { serviceId: string; series: Series }) {
  return (
    <CsvButton
      of="the history"
      name={`history-${serviceId}-${range}`}
      rows={() => [
        ['start (UTC)', 'end (UTC)', 'runs', 'failed', 'p50 (ms)', 'p95 (ms)'],
        ...buckets.map(({ start, end, runs, failed, p50Ms, p95Ms }) => [start, end, runs, failed, p50Ms, p95Ms]),
      ]}
    />
  )
}
