'use client'

import type { SeriesBucket } from '#server/schemas/results/series.ts'
import colors from '../../../../components/charts/chart-colors.module.css'
import { Legend } from '../../../../components/charts/legend.tsx'
import { Plot } from '../../../../components/charts/plot.tsx'
import { axisUpTo, barOf } from '../../../../components/charts/scale.ts'
import type { SeriesChart } from './series-chart.ts'

/** Passed and failed runs of each bucket. Failed runs stand at the bottom, so that few of many are seen. */
export function RunBarsChart({ buckets, columns, ...frame }: SeriesChart) {
  const most = Math.max(1, ...buckets.map((bucket) => bucket.runs))
  const axis = axisUpTo(most, (value) => value.toLocaleString('en'), 1)
  const shareOf = ({ failed }: SeriesBucket) => failed / axis.max
  return (
    <>
      <Legend
        entries={[
          { label: 'Passed', color: 'chart-passed' },
          { label: 'Failed', color: 'chart-failed' },
        ]}
      />
      <Plot
        label="Runs over time"
        unit="Runs"
        height={128}
        axis={axis}
        columns={columns.map((column, i) => ({ ...column, failedShare: shareOf(buckets[i] as SeriesBucket) }))}
        {...frame}
      >
        {buckets.map(({ start, runs, failed }, index) =>
          runs > failed ? (
            <rect key={start} className={colors.passed} {...barOf(index, buckets.length, [failed, runs], axis.max)} />
          ) : null,
        )}
      </Plot>
    </>
  )
}
