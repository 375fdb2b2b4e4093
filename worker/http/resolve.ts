import { Resolver as NameServers } from 'node:dns/promises'
import { createFileReader, type NameServerConfig, parseHosts, parseResolvConf } from './resolver-files.ts'

/**
 * Returns the addresses of a name, alternating between families, IPv6 first; empty when it has none. Calls `onLate` when
 * it does not wait for the rest of them. A trailing dot makes the name absolute: search domains do not apply.
 * @throws Error with the `code` of the failure when the name servers fail or do not respond
 */
export type Resolver = (host: string, lookup: LookupOptions) => Promise<string[]>

/**
 * `search`: whether the machine's search domains apply. `signal` ends all queries, also those for late addresses. The
 * promise given to `onLate` never rejects.
 */
export type LookupOptions = { search: boolean; signal: AbortSignal; onLate: (late: Promise<string[]>) => void }

/** `code` is empty if there are addresses. */
type Answer = { addresses: string[]; code: string }

const ON_WINDOWS = process.platform === 'win32'
const HOSTS_FILE = ON_WINDOWS ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** The resolution delay of RFC 8305: with the addresses of one family at hand, the wait for the other one. */
const RESOLUTION_DELAY_MS = 50
const NO_SUCH_NAME = 'ENOTFOUND'
/** Errors that further queries cannot change. */
const FINAL_CODES = new Set([NO_SUCH_NAME, 'ENODATA', 'EBADNAME'])

/**
 * Creates a resolver that uses the hosts file first, and then the name servers of `resolv.conf`; changes of both files
 * apply to the next lookup. It does not use `getaddrinfo`, which blocks one of four threads for each silent name.
 */
export function createResolver(files: { hostsFile?: string; resolvConf?: string } = {}): Resolver {
  const readHosts = createFileReader(files.hostsFile ?? HOSTS_FILE, parseHosts)
  const readConfig = createFileReader(files.resolvConf ?? '/etc/resolv.conf', parseResolvConf)

  return async (host, lookup) => {
    const [hosts, config] = await Promise.all([readHosts(), readConfig()])
    const listed = hosts.get(host.replace(/\.$/, ''))
    if (listed) return listed
    // Without a file, as on Windows, c-ares knows the name servers of the system.
    const servers = config.servers.length > 0 ? config.servers : new NameServers().getServers()
    let failure: Error | undefined
    for (const name of namesToTry(host, lookup.search ? config.search : [], config.ndots)) {
      try {
        const addresses = await lookUp(name, { ...config, servers }, lookup)
        if (addresses.length > 0) return addresses
      } catch (error) {
        failure ??= error as Error
        // Silent name servers would be silent for the next name too.
        if ((error as NodeJS.ErrnoException).code === 'ETIMEOUT') break
      }
    }
    if (failure) throw failure
    return []
  }
}

function namesToTry(host: string, search: string[], ndots: number): string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)]
  const relative = search.map((domain) => `${host}.${domain}`)
  return host.split('.').length > ndots ? [host, ...relative] : [...relative, host]
}

/** Queries both families of one name at once. */
async function lookUp(name: string, config: NameServerConfig, { signal, onLate }: LookupOptions): Promise<string[]> {
  const v4 = query(name, 'resolve4', config, signal)
  const v6 = query(name, 'resolve6', config, signal)
  let known4: Answer | undefined
  let known6: Answer | undefined
  await new Promise<void>((resolve) => {
    let delay: NodeJS.Timeout | undefined
    const onAnswer = (isEnough: boolean) => {
      if (isEnough) delay ??= setTimeout(resolve, RESOLUTION_DELAY_MS)
      if (!known4 || !known6) return
      clearTimeout(delay)
      resolve()
    }
    v4.then((answer) => {
      known4 = answer
      onAnswer(answer.addresses.length > 0 || answer.code === NO_SUCH_NAME)
    })
    v6.then((answer) => {
      known6 = answer
      // When asked for IPv6, some servers deny that a name with only IPv4 addresses exists (RFC 4074, section 4.2).
      onAnswer(answer.addresses.length > 0)
    })
  })

  const addresses = alternate(known6?.addresses ?? [], known4?.addresses ?? [])
  if (addresses.length > 0) {
    if (!known4 || !known6) onLate((known4 ? v6 : v4).then((answer) => answer.addresses))
  } else if (known4?.code !== NO_SUCH_NAME) {
    const code = [known4?.code, known6?.code].find((one) => one && !FINAL_CODES.has(one))
    if (code) throw Object.assign(new Error(`${name}: ${code}`), { code })
  }
  return addresses
}

function alternate(a: string[], b: string[]): string[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [a[at], b[at]])
    .flat()
    .filter((address) => address !== undefined)
}

/**
 * Queries one name server after another until one has a final answer. Each query has its own c-ares channel: one that
 * is shared learns from fast responses and then gives up on slow ones after 250 ms.
 */
async function query(
  name: string,
  method: 'resolve4' | 'resolve6',
  { servers, attempts, timeoutMs }: NameServerConfig,
  signal: AbortSignal,
): Promise<Answer> {
  let code = ''
  for (const server of Array.from({ length: attempts }, () => servers).flat()) {
    if (signal.aborted) break
    const nameServer = new NameServers({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: 1 })
    const cancel = () => nameServer.cancel()
    signal.addEventListener('abort', cancel)
    try {
      // Node drops the zone of a link-local address. Without this call, c-ares reads the file itself, with the zone.
      if (!server.includes('%')) nameServer.setServers([server])
      return { addresses: await nameServer[method](name), code: '' }
    } catch (error) {
      code = (error as NodeJS.ErrnoException).code ?? 'EBADRESP'
    } finally {
      signal.removeEventListener('abort', cancel)
    }
    if (FINAL_CODES.has(code)) break
  }
  return { addresses: [], code: code || 'ECANCELLED' }
}
