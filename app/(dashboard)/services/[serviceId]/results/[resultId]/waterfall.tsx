import type { ResultStep } from '#server/schemas/results/results.ts'
import { millisecondsText } from '../../../../../components/numbers.ts'
import { PHASES } from '../../../../../components/runs/phases.ts'
import styles from './waterfall.module.css'

/** The phases of a call in order, each as a bar of its duration. */
export function Waterfall({ step }: { step: ResultStep }) {
  const phases = PHASES.map((phase) => ({ ...phase, ms: step[phase.key] })).filter((phase) => phase.ms !== null)
  const total = phases.reduce((sum, phase) => sum + (phase.ms ?? 0), 0)
  if (phases.length === 0) return null
  let start = 0
  return (
    <ul className={styles.phases} aria-label="Phases of the call">
      {phases.map(({ key, label, ms }) => {
        const from = start
        start += ms ?? 0
        return (
          <li key={key} className={styles.phase}>
            <span className={styles.label}>{label}</span>
            <span className={styles.track} aria-hidden="true">
              <span
                className={styles.bar}
                data-phase={key}
                style={{ left: `${percentOf(from, total)}%`, width: `max(2px, ${percentOf(ms ?? 0, total)}%)` }}
              />
            </span>
            <span className={styles.value}>{millisecondsText(ms)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 1_000) / 10
}
