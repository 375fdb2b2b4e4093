'use client'

/** The root layout itself failed, so nothing of it is there to build on. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main>
          <h1>This page could not be shown</h1>
          <p>Something went wrong. Trying again often helps.</p>
          <button type="button" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  )
}
