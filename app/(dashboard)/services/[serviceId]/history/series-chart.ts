import type { SeriesBucket } from '#server/schemas/results/series.ts'
import type { Column } from '../../../../components/charts/columns.tsx'
import type { Label, Mark } from '../../../../components/charts/plot.tsx'

/** What the charts of a series have in common. There is a column for each bucket. */
export type SeriesChart = {
  buckets: SeriesBucket[]
  columns: Column[]
  times: Label[]
  timeUnit: string
  marks: Mark[]
  onZoom: (first: number, last: number) => void
  onReset: (() => void) | undefined
}
