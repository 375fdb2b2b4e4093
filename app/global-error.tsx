'use client'

/** Shown when the root layout fails, so it cannot use the layout or its providers. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main>
          <h1>This page could not be shown</h1>
          <p>An error occurred. Try again.</p>
          <button type="button" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  )
}
