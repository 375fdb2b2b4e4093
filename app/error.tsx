'use client'

import styles from './full-page.module.css'

// Plain HTML: every page loads this.

export default function PageError({ reset }: { reset: () => void }) {
  return (
    <main className={styles.message}>
      <h1>This page could not be shown</h1>
      <p>An error occurred. Try again.</p>
      <div className={styles.actions}>
        <button type="button" onClick={reset}>
          Try again
        </button>
        <a href="/">Go to the start page</a>
      </div>
    </main>
  )
}
