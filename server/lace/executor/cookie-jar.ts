import { CookieJar, MemoryCookieStore } from 'tough-cookie'
import { readCookieJarMode } from '../cookie-jar-mode.ts'

/** Name, value and attributes of one. */
const MAX_COOKIE_LENGTH = 8 * 1024
/** That a jar takes during a run, those that are set again included. */
const MAX_COOKIES = 1_000

/**
 * The cookie jars of one run. Calls share the default jar unless they name another; named jars see nothing of it, nor
 * of each other.
 */
export class CookieJars {
  private readonly jars = new Map<string, RunJar>()

  /** The jar of a call, cleared as its mode says. `inherit` is the default jar, and the mode of calls that name none. */
  async open(mode = 'inherit', clearCookies: string[] = []): Promise<RunJar> {
    // The validator has refused every other form.
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
  private readonly store = new MemoryCookieStore()
  // Hosts of probes are often internal names and addresses, which are no registrable domains.
  private readonly jar = new CookieJar(this.store, {
    allowSpecialUseDomain: true,
    rejectPublicSuffixes: true,
    looseMode: true,
  })

  /** Name and value pairs to send to a URL. */
  async cookiesFor(url: URL): Promise<[name: string, value: string][]> {
    const cookies = await this.jar.getCookies(url.href)
    return cookies.map((cookie) => [cookie.key, cookie.value])
  }

  /** Takes what a response sets; cookies that may not be set from there are passed over. */
  async storeCookies(setCookie: string | string[] | undefined, url: URL): Promise<void> {
    if (setCookie === undefined) return
    for (const line of Array.isArray(setCookie) ? setCookie : [setCookie]) {
      // As browsers do (RFC 6265bis); the jar is asked at each hop, and takes time for each cookie.
      if (line.length > MAX_COOKIE_LENGTH || this.received >= MAX_COOKIES) continue
      this.received++
      await this.jar.setCookie(line, url.href, { ignoreError: true })
    }
  }

  /** Removes cookies by name, whatever their domain and path. */
  async clear(names: string[]): Promise<void> {
    for (const { domain, path, key } of await this.store.getAllCookies()) {
      if (names.includes(key)) await this.store.removeCookie(domain ?? '', path ?? '/', key)
    }
  }
}
