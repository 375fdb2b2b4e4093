'use client'

import { useSearchParams } from 'next/navigation'

/** Changes of URL parameters; null removes one. */
export type UrlChanges = Record<string, string | null>

/**
 * Returns the URL's parameters, and a function that changes some of them without loading the page again. What someone
 * types (`isTyped`) makes no entry in the history for each letter.
 */
export function useUrlState(): [URLSearchParams, (changes: UrlChanges, isTyped?: boolean) => void] {
  const params = useSearchParams()
  const change = (changes: UrlChanges, isTyped = false) =>
    window.history[isTyped ? 'replaceState' : 'pushState'](null, '', changedUrl(changes, window.location.search))
  return [new URLSearchParams(params), change]
}

function changedUrl(changes: UrlChanges, search: string): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next.size === 0 ? window.location.pathname : `?${next}`
}
