'use client'

import colors from '../../components/charts/chart-colors.module.css'
import { Plot } from '../../components/charts/plot.tsx'
import { axisUpTo } from '../../components/charts/scale.ts'
import { bytesText } from '../../components/numbers.ts'

const LABELS_MAX = 6

/** The size of the database by day. */
export function GrowthChart({ samples }: { samples: { day: string; databaseBytes: number }[] }) {
  const axis = axisUpTo(Math.max(...samples.map(({ databaseBytes }) => databaseBytes)), bytesText)
  const width = 100 / samples.length
  const every = Math.ceil(samples.length / LABELS_MAX)
  return (
    <Plot
      label="Size of the database by day"
      unit="Size"
      timeUnit="By day, UTC."
      height={120}
      axis={axis}
      columns={samples.map(({ day, databaseBytes }) => ({ key: day, text: `${day}: ${bytesText(databaseBytes)}` }))}
      times={samples.flatMap(({ day }, index) =>
        index % every === 0 ? [{ at: index / samples.length, text: day.slice(5) }] : [],
      )}
    >
      {samples.map(({ day, databaseBytes }, index) => {
        const height = (databaseBytes / axis.max) * 100
        return (
          <rect
            key={day}
            className={colors.passed}
            x={(index + 0.1) * width}
            width={width * 0.8}
            y={100 - height}
            height={height}
          />
        )
      })}
    </Plot>
  )
}
