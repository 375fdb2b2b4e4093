import styles from './chart-colors.module.css'

/** The names of the lines or bars of a chart with their colours, which are tokens such as `chart-1`. */
export function Legend({ entries }: { entries: { label: string; color: string }[] }) {
  return (
    <ul className={styles.legend}>
      {entries.map(({ label, color }) => (
        <li key={label} style={{ overflowWrap: 'anywhere' }}>
          <span className={styles.key} style={{ background: `var(--${color})` }} aria-hidden />
          {label}
        </li>
      ))}
    </ul>
  )
}
