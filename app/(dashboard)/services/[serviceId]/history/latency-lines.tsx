'use client'

import type { Series } from '#server/schemas/results/series.ts'
import colors from '../../../../components/charts/chart-colors.module.css'
import { Legend } from '../../../../components/charts/legend.tsx'
import { type Column, type Label, Plot } from '../../../../components/charts/plot.tsx'
import { axisUpTo, linePath } from '../../../../components/charts/scale.ts'
import { millisecondsText } from '../../../../components/numbers.ts'

type Props = { series: Series; columns: Column[]; times: Label[]; marks: Label[]; timeUnit: string }

const LINES = [
  { key: 'p50Ms', label: 'p50', color: 'chart-1' },
  { key: 'p95Ms', label: 'p95', color: 'chart-3' },
] as const

/** The response times of runs: half of them take at most p50, and 95 of 100 at most p95. */
export function LatencyLines({ series: { buckets }, columns, times, marks, timeUnit }: Props) {
  const axis = axisUpTo(Math.max(1, ...buckets.map(({ p95Ms }) => p95Ms ?? 0)), millisecondsText)
  return (
    <>
      <Legend entries={[...LINES]} />
      <Plot
        label="Response time over time"
        unit="Response time of a run"
        timeUnit={timeUnit}
        height={160}
        axis={axis}
        columns={columns}
        times={times}
        marks={marks}
      >
        {LINES.map(({ key, color }) => (
          <path
            key={key}
            className={colors.line}
            stroke={`var(--${color})`}
            d={linePath(
              buckets.map((bucket) => bucket[key]),
              axis.max,
            )}
          />
        ))}
      </Plot>
    </>
  )
}
