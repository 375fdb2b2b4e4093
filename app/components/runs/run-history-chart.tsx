'use client'

import type { HourlyBucket } from '#server/schemas/statistics.ts'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import colors from '../charts/chart-colors.module.css'
import { Plot } from '../charts/plot.tsx'
import { axisUpTo } from '../charts/scale.ts'
import { timeLabels } from '../charts/time-labels.ts'
import { zonedText } from '../zoned-text.ts'

/** Passed and failed runs by hour. */
export function RunHistoryChart({ history, range }: { history: HourlyBucket[]; range: '24h' | '7d' }) {
  const { zone } = useZone()
  const axis = axisUpTo(Math.max(1, ...history.map(({ total }) => total)), (value) => value.toLocaleString('en'), 1)
  const width = 100 / Math.max(1, history.length)
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
        text: `${timeOf(hour)}: ${success} passed, ${failure} failed, ${timeout} timed out`,
      }))}
      times={timeLabels(
        history.map(({ hour }) => ({ start: hour })),
        range,
        zone,
      )}
    >
      {history.map(({ hour, total, success }, index) => {
        const share = (runs: number) => (runs / axis.max) * 100
        const place = { x: (index + 0.1) * width, width: width * 0.8 }
        return (
          <g key={hour}>
            <rect
              className={colors.failed}
              {...place}
              y={100 - share(total - success)}
              height={share(total - success)}
            />
            <rect className={colors.passed} {...place} y={100 - share(total)} height={share(success)} />
          </g>
        )
      })}
    </Plot>
  )
}
