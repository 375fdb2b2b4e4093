'use client'

import { Skeleton, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RANGES, type Range } from '#server/schemas/results/ranges.ts'
import type { Series, SeriesBucket } from '#server/schemas/results/series.ts'
import { query } from '../../../../client/api.ts'
import { useUrlState } from '../../../../client/url-state.ts'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import { periodText, positionOf, timeLabels } from '../../../../components/charts/time-labels.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { millisecondsText } from '../../../../components/numbers.ts'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import { LatencyLines } from './latency-lines.tsx'
import { RangeControl } from './range-control.tsx'
import { RunBarsChart } from './run-bars.tsx'
import { rangeIn } from './selection.ts'
import { SeriesTable } from './series-table.tsx'

/** The height of both charts with their captions, kept free while they load. */
const CHARTS_HEIGHT = 490

/** Runs and response times of a service over the range in the URL. A column leads to its runs. */
export function HistoryCharts({ serviceId, agent }: { serviceId: string; agent?: string | undefined }) {
  const [params] = useUrlState()
  const { zone } = useZone()
  const range = rangeIn(params)
  const series = useQuery({
    ...query('statistics.series', { id: serviceId, range, zone, agent }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="History" actions={<RangeControl />}>
      {series.error && <ProblemAlert error={series.error} onRetry={() => series.refetch()} />}
      {series.data ? (
        <Charts serviceId={serviceId} series={series.data} agent={agent} />
      ) : (
        <Skeleton height={CHARTS_HEIGHT} aria-busy="true" aria-label="Loading" />
      )}
    </Section>
  )
}

function Charts({ serviceId, series, agent }: { serviceId: string; series: Series; agent: string | undefined }) {
  const range = series.range as Range
  const { buckets, zone } = series
  const columns = buckets.map((bucket) => ({
    key: bucket.start,
    text: `${periodText(bucket.start, bucket.end, range, zone)}: ${valuesText(bucket)}`,
    href: runsHref(serviceId, bucket, range, agent),
  }))
  const marks = series.versions.flatMap(({ version, firstRunAt }) => {
    const at = positionOf(firstRunAt, buckets)
    return at === null ? [] : [{ at, text: `v${version}` }]
  })
  const times = timeLabels(buckets, range, zone)
  const timeUnit = `By ${RANGES[range].bucket}, ${zoneName(zone)}. Select a column to see its runs.`
  const shared = { series, columns, times, marks, timeUnit }
  return (
    <Stack gap="sm" mih={CHARTS_HEIGHT}>
      <RunBarsChart {...shared} range={range} />
      <LatencyLines {...shared} />
      <SeriesTable series={series} />
    </Stack>
  )
}

function valuesText({ runs, failed, p50Ms, p95Ms }: SeriesBucket): string {
  if (runs === 0) return 'no runs'
  const counts = `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}, ${failed === 0 ? 'none' : failed.toLocaleString('en')} failed`
  return `${counts}, p50 ${millisecondsText(p50Ms)}, p95 ${millisecondsText(p95Ms)}`
}

/** Returns the link to the list of the runs in a bucket. `until` is included, so it is the bucket's last millisecond. */
function runsHref(serviceId: string, { start, end }: SeriesBucket, range: Range, agent: string | undefined): string {
  const until = new Date(Date.parse(end) - 1).toISOString()
  const params = new URLSearchParams({ range, since: start, until, ...(agent && { agent }) })
  return `/services/${serviceId}?${params}#results`
}
