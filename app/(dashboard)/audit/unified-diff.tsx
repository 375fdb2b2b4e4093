import styles from './audit.module.css'

const KINDS: Record<string, string | undefined> = { '+': styles.added, '-': styles.removed, '@': styles.place }

/** A unified diff. Its signs tell added and removed lines apart, and colors repeat that. */
export function UnifiedDiff({ diff }: { diff: string }) {
  const lines = diff.split('\n').filter((line) => !/^(Index: |={10}|\\ No newline)/.test(line))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide code must scroll by keyboard
    <section className={styles.diff} tabIndex={0} aria-label="Changed lines">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff keep their order
        <span key={index} className={KINDS[line[0] ?? '']}>
          {line}
          {'\n'}
        </span>
      ))}
    </section>
  )
}
