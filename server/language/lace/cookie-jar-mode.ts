/** The cookie jar that a call uses, and how it changes before the call. */
export type CookieJarMode = {
  /** `default` unless the script names another. */
  name: string
  /** The jar starts empty. */
  fresh: boolean
  /** The cookies named in `clearCookies` are removed first. */
  clears: boolean
}

const DEFAULT = 'default'
const NAME = /^[A-Za-z0-9_-]+$/
const CLEARING = ':selective_clear'

/**
 * Parses the `cookieJar` of a call; null when its form is unknown. The prefix `named:` wins: `named:selective_clear` is
 * a jar called `selective_clear`, and nothing is cleared.
 */
export function readCookieJarMode(mode: string): CookieJarMode | null {
  if (mode === 'inherit' || mode === 'fresh') return { name: DEFAULT, fresh: mode === 'fresh', clears: false }
  if (mode === 'selective_clear') return { name: DEFAULT, fresh: false, clears: true }
  const clears = !mode.startsWith('named:') && mode.endsWith(CLEARING)
  const name = mode.startsWith('named:') ? mode.slice('named:'.length) : clears ? mode.slice(0, -CLEARING.length) : ''
  return NAME.test(name) ? { name, fresh: false, clears } : null
}
