import { millisecondsText } from '../numbers.ts'
import classes from './status.module.css'

const WIDTH = 96
const HEIGHT = 22

/** The p95 of the response time by hour over the last day. Hours without runs are gaps. */
export function Sparkline({ trend }: { trend: (number | null)[] }) {
  const known = trend.filter((value) => value !== null)
  const last = known.at(-1)
  if (last === undefined) return <svg className={classes.sparkline} width={WIDTH} height={HEIGHT} aria-hidden />
  const max = Math.max(...known, 1)
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`p95 by hour, at most ${millisecondsText(max)}, last ${millisecondsText(last)}`}
    >
      <path d={pathOf(trend, max)} />
    </svg>
  )
}

/** A point without neighbours is drawn as a short line. */
function pathOf(trend: (number | null)[], max: number): string {
  const step = WIDTH / Math.max(1, trend.length)
  return trend
    .map((value, index) => {
      if (value === null) return ''
      const y = (HEIGHT - 2 - (value / max) * (HEIGHT - 4)).toFixed(1)
      const isStart = index === 0 || trend[index - 1] === null
      const x = (index * step).toFixed(1)
      const start = isStart ? `M${x} ${y}` : `L${x} ${y}`
      return trend[index + 1] === undefined || trend[index + 1] === null ? `${start}h${(step / 2).toFixed(1)}` : start
    })
    .join('')
}
