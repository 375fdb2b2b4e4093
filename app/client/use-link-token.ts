import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/** The last link seen, read when this file is loaded: the router may rewrite the address before a page is rendered. */
let seen = typeof window === 'undefined' ? null : readLink(window.location.href)
if (seen) {
  window.addEventListener('hashchange', (event) => {
    seen = readLink(event.newURL)
  })
}

/**
 * The token of the link that opened the page: null until it is read, '' where there is none. It stands behind the `#` of
 * the address, so it is in no log and no referrer.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState<string | null>(null)
  const read = () => {
    const here = readLink(window.location.href)
    setToken(here.token || (seen?.path === here.path ? seen.token : ''))
  }
  useEffect(read, [])
  // The link may be pasted where the page is open already.
  useWindowEvent('hashchange', read)
  return token
}

function readLink(href: string): { path: string; token: string } {
  const { pathname, hash } = new URL(href)
  return { path: pathname, token: hash.slice(1) }
}
