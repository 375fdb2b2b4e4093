import type { BucketLength, Range, Span } from '#server/schemas/results/ranges.ts'
import { zoneName } from '../../../../client/zone-choice.ts'
import type { Label } from '../../../../components/charts/plot.tsx'
import { periodText, timeLabels } from '../../../../components/charts/time-labels.ts'

type Chart = {
  range: Range
  zone: string
  length: BucketLength
  buckets: { start: string; end: string }[]
}

/** What all charts of a service over the same buckets share. `zoom` is the part of the range that they show. */
export type ChartFrame = {
  /** Of each bucket: its key, its time with the zone, and the link to its runs. */
  columns: { key: string; title: string; href: string }[]
  times: Label[]
  timeUnit: string
}

export function chartFrame(serviceId: string, chart: Chart, zoom: Span | null, agent?: string): ChartFrame {
  const { range, zone, length, buckets } = chart
  return {
    columns: buckets.map(({ start, end }) => ({
      key: `${start} ${length}`,
      title: `${periodText(start, end, length, zone)} (${zoneName(zone)})`,
      href: runsHref(serviceId, { start, end }, range, zoom, agent),
    })),
    times: timeLabels(buckets, zoom ? { length } : range, zone),
    timeUnit: `By ${length}, ${zoneName(zone)}. Select a column to see its runs.`,
  }
}

/** Returns the link to the list of the runs in a bucket. `until` is included, so it is the bucket's last millisecond. */
export function runsHref(
  serviceId: string,
  { start, end }: { start: string; end: string },
  range: Range,
  zoom: Span | null,
  agent?: string,
): string {
  const until = new Date(Date.parse(end) - 1).toISOString()
  const params = new URLSearchParams({
    range,
    ...(zoom && { zoom: `${zoom.since}/${zoom.until}` }),
    since: start,
    until,
    ...(agent && { agent }),
  })
  return `/services/${serviceId}?${params}#results`
}
