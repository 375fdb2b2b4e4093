import styles from './load-bar.module.css'

/** From this share on, the bar warns. */
const HIGH = 0.9

/** A share as a small bar beside its text; a dash if nothing is known. */
export function LoadBar({ share, text }: { share: number | null; text: string }) {
  if (share === null) return <>–</>
  const width = `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`
  return (
    <span className={styles.load}>
      <span className={styles.track} aria-hidden>
        <span className={styles.bar} style={{ width }} data-high={share >= HIGH || undefined} />
      </span>
      {text}
    </span>
  )
}
