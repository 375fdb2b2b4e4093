import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/** The last link, read when this module is loaded: the router may change the address before the page renders. */
let lastLink = typeof window === 'undefined' ? null : readLink(window.location.href)
if (lastLink) {
  window.addEventListener('hashchange', (event) => {
    lastLink = readLink(event.newURL)
  })
}

/**
 * Returns the token of the link that opened the page: null before the first effect, '' if there is no token. The token is
 * in the fragment of the URL, so that it appears in no log and no referrer.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState<string | null>(null)
  const read = () => {
    const here = readLink(window.location.href)
    setToken(here.token || (lastLink?.path === here.path ? lastLink.token : ''))
  }
  useEffect(read, [])
  // The link may be pasted into a tab that already shows the page.
  useWindowEvent('hashchange', read)
  return token
}

function readLink(href: string): { path: string; token: string } {
  const { pathname, hash } = new URL(href)
  return { path: pathname, token: hash.slice(1) }
}
