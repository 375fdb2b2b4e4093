import classes from './status.module.css'

const HEIGHT = 22
const STEP = 5
/** Failures are the tallest bars. */
const HEIGHTS: Record<string, number> = { failure: HEIGHT, timeout: HEIGHT, success: 10, skipped: 4 }

/** How the latest runs ended, as bars: the newest on the right. */
export function RunBars({ runs }: { runs: string[] }) {
  if (runs.length === 0) return null
  const failed = runs.filter((status) => status === 'failure' || status === 'timeout').length
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${runs.length * STEP} ${HEIGHT}`}
      width={runs.length * STEP}
      height={HEIGHT}
      role="img"
      aria-label={`${failed} of the last ${runs.length} runs failed`}
    >
      {runs.map((status, index) => {
        const height = HEIGHTS[status] ?? 4
        const x = index * STEP
        return <rect key={x} x={x} y={HEIGHT - height} width={STEP - 1} height={height} data-status={status} />
      })}
    </svg>
  )
}
