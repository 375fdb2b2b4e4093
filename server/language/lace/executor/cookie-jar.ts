import { Cookie, CookieJar, MemoryCookieStore } from 'tough-cookie'
import { readCookieJarMode } from '../cookie-jar-mode.ts'
import { escapeBytes } from './header-bytes.ts'

/** Name, value and attributes of one cookie, in characters. */
const MAX_COOKIE_LENGTH = 8 * 1024
/** Cookies that a jar accepts during a run; setting a cookie again counts. */
const MAX_COOKIES = 1_000

/**
 * The cookie jars of one run. Calls share the default jar unless they name another. Jars share no cookies.
 */
export class CookieJars {
  private readonly jars = new Map<string, RunJar>()

  /** Returns the jar of a call, after removing the cookies that its mode clears. The default mode is `inherit`. */
  async open(mode = 'inherit', clearCookies: string[] = []): Promise<RunJar> {
    // The validator rejects all other forms.
    const { name, fresh, clears } = readCookieJarMode(mode)!
    if (fresh) this.jars.delete(name)
    const jar = this.jars.get(name) ?? new RunJar()
    this.jars.set(name, jar)
    if (clears) await jar.clear(clearCookies)
    return jar
  }
}

export class RunJar {
  private received = 0
  /** Null until a response sets a cookie: most targets set none. */
  private cookies: { jar: CookieJar; store: MemoryCookieStore } | null = null

  /** Returns the name and value of each cookie to send to a URL. */
  async cookiesFor(url: URL): Promise<[name: string, value: string][]> {
    if (this.cookies === null) return []
    const cookies = await this.cookies.jar.getCookies(jarUrl(url))
    return cookies.map((cookie) => [cookie.key, cookie.value])
  }

  /**
   * Stores the cookies of a response; cookies that this URL is not allowed to set are skipped. Returns a warning when a
   * cookie exceeds a limit.
   */
  async storeCookies(setCookie: string | string[] | undefined, url: URL): Promise<string | null> {
    if (setCookie === undefined) return null
    this.cookies ??= createJar()
    const lines = [setCookie].flat()
    const setBy = jarUrl(url)
    let refused = 0
    for (const line of lines) {
      // Browsers do so too (RFC 6265bis). Each cookie makes every later hop slower.
      if (line.length > MAX_COOKIE_LENGTH || this.received >= MAX_COOKIES) {
        refused += 1
        continue
      }
      this.received++
      const cookie = Cookie.parse(line, { loose: true })
      if (!cookie) continue
      if (cookie.path?.startsWith('/')) cookie.path = escapedPath(cookie.path)
      await this.cookies.jar.setCookie(cookie, setBy, { ignoreError: true })
    }
    if (refused === 0) return null
    const limits = `a jar takes ${MAX_COOKIES} cookies in a run, of ${MAX_COOKIE_LENGTH} characters`
    return `${refused} of the ${lines.length} cookies of a response were not kept: ${limits}`
  }

  /** Removes the cookies with these names, for all domains and paths. */
  async clear(names: string[]): Promise<void> {
    if (this.cookies === null) return
    const { store } = this.cookies
    for (const { domain, path, key } of await store.getAllCookies()) {
      if (names.includes(key)) await store.removeCookie(domain ?? '', path ?? '/', key)
    }
  }
}

/** The URL for the jar, which undoes one level of escapes in the path. Cookie paths are compared as they are sent. */
function jarUrl(url: URL): string {
  const given = new URL(url)
  given.pathname = url.pathname.replaceAll('%', '%25')
  return given.href
}

/** Returns the path of a cookie with the escapes that it has in a URL, so that `/my app` is the path `/my%20app`. */
function escapedPath(path: string): string {
  const url = new URL('http://localhost')
  url.pathname = escapeBytes(path)
  return url.pathname
}

function createJar(): { jar: CookieJar; store: MemoryCookieStore } {
  const store = new MemoryCookieStore()
  // Probed hosts are often internal names and addresses, which are not registrable domains.
  const jar = new CookieJar(store, { allowSpecialUseDomain: true, rejectPublicSuffixes: true, looseMode: true })
  return { jar, store }
}
