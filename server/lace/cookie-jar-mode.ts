/** Which cookie jar a call uses, and what happens to it before the call. */
export type CookieJarMode = {
  /** `default` unless the script names another. */
  name: string
  /** Starts empty. */
  fresh: boolean
  /** Loses the cookies that `clearCookies` names. */
  clears: boolean
}

const DEFAULT = 'default'
const NAME = /^[A-Za-z0-9_-]+$/
const CLEARING = ':selective_clear'

/**
 * Reads the `cookieJar` of a call; null when it is in no known form. `named:` is read first: in
 * `named:selective_clear`, the jar is called `selective_clear` and nothing is cleared.
 */
export function readCookieJarMode(mode: string): CookieJarMode | null {
  if (mode === 'inherit' || mode === 'fresh') return { name: DEFAULT, fresh: mode === 'fresh', clears: false }
  if (mode === 'selective_clear') return { name: DEFAULT, fresh: false, clears: true }
  const clears = !mode.startsWith('named:') && mode.endsWith(CLEARING)
  const name = mode.startsWith('named:') ? mode.slice('named:'.length) : clears ? mode.slice(0, -CLEARING.length) : ''
  return NAME.test(name) ? { name, fresh: false, clears } : null
}
