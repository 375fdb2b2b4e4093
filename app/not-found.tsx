import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <main className="full-page-message">
      <h1>Page not found</h1>
      <p>The address may be wrong, or the page was deleted.</p>
      <a href="/">Go to the start page</a>
    </main>
  )
}
