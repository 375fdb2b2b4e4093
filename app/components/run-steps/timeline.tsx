import { Text } from '@mantine/core'
import { millisecondsText } from '../numbers.ts'
import { PHASES } from '../runs/phases.ts'
import styles from './timeline.module.css'
import { type Segment, type TimelineRow, type TimelineRun, timelineOf } from './timeline-rows.ts'

const LEGEND: { kind: Segment['kind']; label: string }[] = [
  { kind: 'before', label: 'Before the request' },
  ...PHASES.map(({ key, label }) => ({ kind: key, label })),
  { kind: 'none', label: 'No response' },
  { kind: 'wait', label: 'Wait' },
]

/** All steps of a run as one waterfall: their phases and waits on the scale of the whole run. */
export function Timeline({ run }: { run: TimelineRun }) {
  const { rows, totalMs } = timelineOf(run)
  if (rows.length === 0) return null
  const kinds = new Set(rows.flatMap(({ segments }) => segments.map(({ kind }) => kind)))
  return (
    <div className={styles.timeline}>
      <ol className={styles.rows} aria-label="Timeline of the run">
        {rows.map((row) => (
          <Row key={row.step.id} row={row} totalMs={totalMs} />
        ))}
      </ol>
      <div className={styles.axis} aria-hidden="true">
        <span>0</span>
        <span>{millisecondsText(totalMs / 2)}</span>
        <span>{millisecondsText(totalMs)}</span>
      </div>
      <div className={styles.legend}>
        {LEGEND.filter(({ kind }) => kinds.has(kind)).map(({ kind, label }) => (
          <span key={kind} className={styles.key}>
            <span className={styles.swatch} data-kind={kind} aria-hidden="true" />
            {label}
          </span>
        ))}
        <Text span inherit fw={600} ml="auto">
          Total {millisecondsText(run.runDurationMs)}
        </Text>
      </div>
    </div>
  )
}

function Row({ row, totalMs }: { row: TimelineRow; totalMs: number }) {
  const { step, fromMs, ms, segments } = row
  const isSkipped = step.outcome === 'skipped'
  return (
    <li className={styles.row} data-outcome={step.outcome}>
      <a className={styles.label} href={`#step-${step.stepNum}`} title={step.requestUrl ?? step.urlTemplate}>
        {step.stepNum}. {step.method} {pathOf(step.requestUrl ?? step.urlTemplate)}
      </a>
      <span className={styles.track} role="img" aria-label={isSkipped ? 'Skipped' : describe(row)}>
        {segments.map((segment) => (
          <span
            key={segment.kind}
            className={styles.bar}
            data-kind={segment.kind}
            title={`${segment.label}: ${millisecondsText(segment.ms)}`}
            style={{
              left: `${percentOf(segment.fromMs, totalMs)}%`,
              width: `max(2px, ${percentOf(segment.ms, totalMs)}%)`,
            }}
          />
        ))}
      </span>
      <span className={styles.value} title={isSkipped ? undefined : `Starts at ${millisecondsText(fromMs)}`}>
        {isSkipped ? 'skipped' : millisecondsText(ms)}
      </span>
    </li>
  )
}

function describe({ fromMs, segments }: TimelineRow): string {
  const parts = segments.map(({ label, ms }) => `${label} ${millisecondsText(ms)}`)
  return [`Starts at ${millisecondsText(fromMs)}`, ...parts].join(', ')
}

/** Returns the path of a URL with its query. A template without a host stays as it is. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*(?=.)/i, '') || '/'
}

function percentOf(part: number, total: number): number {
  return Math.min(100, Math.round((part / total) * 1_000) / 10)
}
