'use client'

// Plain HTML: every page loads this.

export default function PageError({ reset }: { reset: () => void }) {
  return (
    <main className="full-page-message">
      <h1>This page could not be shown</h1>
      <p>An error occurred. Try again.</p>
      <div className="full-page-actions">
        <button type="button" onClick={reset}>
          Try again
        </button>
        <a href="/">Go to the start page</a>
      </div>
    </main>
  )
}
