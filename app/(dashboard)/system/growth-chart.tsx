'use client'

import colors from '../../components/charts/chart-colors.module.css'
import { Plot } from '../../components/charts/plot.tsx'
import { axisUpTo, barOf } from '../../components/charts/scale.ts'
import { bytesText } from '../../components/numbers.ts'

const LABELS_MAX = 6

/** The size of the database by day. */
export function GrowthChart({ samples }: { samples: { day: string; databaseBytes: number }[] }) {
  const axis = axisUpTo(Math.max(...samples.map(({ databaseBytes }) => databaseBytes)), bytesText)
  const every = Math.ceil(samples.length / LABELS_MAX)
  return (
    <Plot
      label="Size of the database by day"
      unit="Size"
      timeUnit="By day, UTC."
      height={120}
      axis={axis}
      columns={samples.map(({ day, databaseBytes }) => ({
        key: day,
        title: `${day} (UTC)`,
        values: [bytesText(databaseBytes)],
      }))}
      times={samples.flatMap(({ day }, index) =>
        index % every === 0 ? [{ at: index / samples.length, text: day.slice(5) }] : [],
      )}
    >
      {samples.map(({ day, databaseBytes }, index) => (
        <rect key={day} className={colors.quantity} {...barOf(index, samples.length, [0, databaseBytes], axis.max)} />
      ))}
    </Plot>
  )
}
