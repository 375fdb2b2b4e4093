'use client'

import './tokens.css'
import styles from './full-page.module.css'

/** Shown when the root layout fails, so it cannot use the layout or its providers. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en" className={styles.alone}>
      <body>
        <main className={styles.message}>
          <h1>This page could not be shown</h1>
          <p>An error occurred. Try again.</p>
          <div className={styles.actions}>
            <button type="button" onClick={reset}>
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  )
}
