import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/**
 * The token of the link that opened the page: null until it is read, '' where there is none. It stands behind the `#` of
 * the address, so it is in no log and no referrer.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState<string | null>(null)
  const read = () => setToken(window.location.hash.slice(1))
  useEffect(read, [])
  // The link may be pasted where the page is open already.
  useWindowEvent('hashchange', read)
  return token
}
