'use client'

import './tokens.css'
import './full-page.css'

/** Shown when the root layout fails, so it cannot use the layout or its providers. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en" className="full-page">
      <body>
        <main className="full-page-message">
          <h1>This page could not be shown</h1>
          <p>An error occurred. Try again.</p>
          <div className="full-page-actions">
            <button type="button" onClick={reset}>
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  )
}
