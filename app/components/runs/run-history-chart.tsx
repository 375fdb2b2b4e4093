'use client'

import type { HourlyBucket } from '#server/schemas/statistics.ts'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import colors from '../charts/chart-colors.module.css'
import { Plot } from '../charts/plot.tsx'
import { axisUpTo, barOf } from '../charts/scale.ts'
import { timeLabels } from '../charts/time-labels.ts'
import { zonedText } from '../zoned-text.ts'

/** Passed and failed runs by hour. */
export function RunHistoryChart({ history, range }: { history: HourlyBucket[]; range: '24h' | '7d' }) {
  const { zone } = useZone()
  const axis = axisUpTo(Math.max(1, ...history.map(({ total }) => total)), (value) => value.toLocaleString('en'), 1)
  const timeOf = (hour: string) =>
    zonedText(hour, zone, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  return (
    <Plot
      label="Runs by hour"
      unit="Runs"
      timeUnit={`By hour, ${zoneName(zone)}.`}
      height={120}
      axis={axis}
      columns={history.map(({ hour, success, failure, timeout }) => ({
        key: hour,
        title: `${timeOf(hour)} (${zoneName(zone)})`,
        values: [`${success} passed`, `${failure} failed`, `${timeout} timed out`],
        failed: failure + timeout,
        failedShare: (failure + timeout) / axis.max,
      }))}
      times={timeLabels(
        history.map(({ hour }) => ({ start: hour })),
        range,
        zone,
      )}
    >
      {history.map(({ hour, total, success }, index) => (
        <rect
          key={hour}
          className={colors.passed}
          {...barOf(index, history.length, [total - success, total], axis.max)}
        />
      ))}
    </Plot>
  )
}
