import { CookieJar, MemoryCookieStore } from 'tough-cookie'
import { readCookieJarMode } from '../cookie-jar-mode.ts'

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
    const cookies = await this.cookies.jar.getCookies(url.href)
    return cookies.map((cookie) => [cookie.key, cookie.value])
  }

  /** Stores the cookies of a response; cookies that this URL is not allowed to set are skipped. */
  async storeCookies(setCookie: string | string[] | undefined, url: URL): Promise<void> {
    if (setCookie === undefined) return
    this.cookies ??= createJar()
    for (const line of Array.isArray(setCookie) ? setCookie : [setCookie]) {
      // Browsers do so too (RFC 6265bis). Each cookie makes every later hop slower.
      if (line.length > MAX_COOKIE_LENGTH || this.received >= MAX_COOKIES) continue
      this.received++
      await this.cookies.jar.setCookie(line, url.href, { ignoreError: true })
    }
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

function createJar(): { jar: CookieJar; store: MemoryCookieStore } {
  const store = new MemoryCookieStore()
  // Probed hosts are often internal names and addresses, which are not registrable domains.
  const jar = new CookieJar(store, { allowSpecialUseDomain: true, rejectPublicSuffixes: true, looseMode: true })
  return { jar, store }
}
