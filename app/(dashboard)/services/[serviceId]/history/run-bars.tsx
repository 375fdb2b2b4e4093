'use client'

import type { Range } from '#server/schemas/results/ranges.ts'
import type { Series } from '#server/schemas/results/series.ts'
import colors from '../../../../components/charts/chart-colors.module.css'
import { Legend } from '../../../../components/charts/legend.tsx'
import { type Column, type Label, Plot } from '../../../../components/charts/plot.tsx'
import { axisUpTo } from '../../../../components/charts/scale.ts'

type Props = { series: Series; range: Range; columns: Column[]; times: Label[]; marks: Label[]; timeUnit: string }

/** Passed and failed runs of each bucket. Failed runs stand at the bottom, so that few of many are seen. */
export function RunBarsChart({ series: { buckets }, columns, times, marks, timeUnit }: Props) {
  const most = Math.max(1, ...buckets.map((bucket) => bucket.runs))
  const axis = axisUpTo(most, (value) => value.toLocaleString('en'), 1)
  const width = 100 / buckets.length
  const bar = (index: number, from: number, to: number, name: string | undefined) => (
    <rect
      key={`${index} ${name}`}
      className={name}
      x={(index + 0.1) * width}
      width={width * 0.8}
      y={100 - (to / axis.max) * 100}
      height={((to - from) / axis.max) * 100}
    />
  )
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
        timeUnit={timeUnit}
        height={130}
        axis={axis}
        columns={columns}
        times={times}
        marks={marks}
      >
        {buckets.flatMap(({ runs, failed }, index) => [
          ...(failed > 0 ? [bar(index, 0, Math.max(failed, axis.max * 0.04), colors.failed)] : []),
          ...(runs > failed ? [bar(index, failed, runs, colors.passed)] : []),
        ])}
      </Plot>
    </>
  )
}
