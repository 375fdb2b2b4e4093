import classes from './status.module.css'

const HEIGHT = 22
const STEP = 5
/** Failures are the tallest bars. */
const HEIGHTS: Record<string, number> = { failure: HEIGHT, timeout: HEIGHT, success: 10, skipped: 4 }

/** How the latest runs ended, as bars: the newest on the right. One path per status, because lists have hundreds of rows. */
export function RunBars({ runs }: { runs: string[] }) {
  if (runs.length === 0) return null
  const failed = runs.filter((status) => status === 'failure' || status === 'timeout').length
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${runs.length * STEP} ${HEIGHT}`}
      width={runs.length * STEP}
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${failed} of the last ${runs.length} runs failed`}
    >
      {[...new Set(runs)].map((status) => (
        <path key={status} d={pathOf(runs, status)} data-status={status} />
      ))}
    </svg>
  )
}

function pathOf(runs: string[], wanted: string): string {
  const height = HEIGHTS[wanted] ?? 4
  return runs
    .map((status, index) =>
      status === wanted ? `M${index * STEP} ${HEIGHT - height}h${STEP - 1}v${height}h${1 - STEP}z` : '',
    )
    .join('')
}
