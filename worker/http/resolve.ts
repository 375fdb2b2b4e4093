import { Resolver as NameServers } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Returns all addresses of a name, IPv4 first; empty when it has none. Rejects when no name server responds. */
export type Resolver = (host: string) => Promise<string[]>

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
const HOSTS_FILE_TTL_MS = 10_000
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Creates a resolver that uses the hosts file first and then the machine's name servers. It queries them with c-ares:
 * the system call `getaddrinfo` blocks one of four threads, so four dead names would stall all probes.
 */
export function createResolver(options: { servers?: string[]; timeoutMs: number; hostsFile?: string }): Resolver {
  const nameServers = new NameServers({
    timeout: Math.ceil(options.timeoutMs / 2),
    tries: 2,
    maxTimeout: options.timeoutMs,
  })
  if (options.servers) nameServers.setServers(options.servers)
  const readHosts = createHostsFileReader(options.hostsFile ?? HOSTS_FILE)

  return async (host) => {
    const listed = (await readHosts()).get(host)
    if (listed) return listed
    const [v4, v6] = await Promise.allSettled([nameServers.resolve4(host), nameServers.resolve6(host)])
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    for (const answer of [v4, v6]) {
      if (answer.status === 'rejected' && !NO_SUCH_NAME.has(answer.reason?.code)) throw answer.reason
    }
    return []
  }
}

function createHostsFileReader(path: string): () => Promise<Map<string, string[]>> {
  let readAt = Number.NEGATIVE_INFINITY
  let hosts = Promise.resolve(new Map<string, string[]>())
  return () => {
    if (performance.now() - readAt > HOSTS_FILE_TTL_MS) {
      readAt = performance.now()
      hosts = readFile(path, 'utf8').then(parseHosts, () => new Map())
    }
    return hosts
  }
}

function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(ip) === 0) continue
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), ip])
  }
  return hosts
}
