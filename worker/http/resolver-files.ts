import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

/** The content of `resolv.conf`. `servers` is empty when it names none. */
export type NameServerConfig = {
  servers: string[]
  search: string[]
  /** Names with fewer dots are tried in the search domains first. */
  ndots: number
  timeoutMs: number
  attempts: number
}

/** Addresses by name in lower case. */
export type Hosts = ReadonlyMap<string, string[]>

// The limits are those of glibc. Its default timeout, 5 s, is long for a monitor: one lost packet would cost it all.
const MAX_SERVERS = 3
const NDOTS = { default: 1, max: 15 }
const TIMEOUT_SECONDS = { default: 2, max: 30 }
const ATTEMPTS = { default: 3, max: 5 }

/** Returns a reader of the parsed file, which parses it again after a change. A missing file is empty. */
export function createFileReader<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let version: string | undefined
  let parsed: Promise<T>
  return async () => {
    const found = await stat(path, { bigint: true }).then(
      ({ ino, size, mtimeNs, ctimeNs }) => [ino, size, mtimeNs, ctimeNs].join(),
      () => 'missing',
    )
    if (found !== version) {
      version = found
      parsed = readFile(path, 'utf8').then(parse, () => parse(''))
    }
    return parsed
  }
}

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(ip) === 0) continue
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), ip])
  }
  return hosts
}

/** Parses `resolv.conf`. A name server may have a port, as in `127.0.0.1:5353`. Ignores what it does not know. */
export function parseResolvConf(text: string): NameServerConfig {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  )
  const valuesOf = (keyword: string) => lines.flatMap(([first, ...values]) => (first === keyword ? [values] : []))
  // `domain` is an old form of `search`; the last of them counts.
  const search = lines.findLast(([first]) => first === 'search' || first === 'domain')?.slice(1) ?? []
  const options = valuesOf('options').flat()
  const option = (name: string, limits: { default: number; max: number }, min: number) => {
    const value = options.findLast((text) => text.startsWith(`${name}:`))?.slice(name.length + 1)
    return value !== undefined && /^\d+$/.test(value)
      ? Math.min(limits.max, Math.max(min, Number(value)))
      : limits.default
  }
  return {
    servers: valuesOf('nameserver')
      .flatMap(([server]) => (server !== undefined && isServer(server) ? [server] : []))
      .slice(0, MAX_SERVERS),
    search: search.map((domain) => domain.replace(/^\.+|\.+$/g, '').toLowerCase()).filter((domain) => domain !== ''),
    ndots: option('ndots', NDOTS, 0),
    timeoutMs: option('timeout', TIMEOUT_SECONDS, 1) * 1_000,
    attempts: option('attempts', ATTEMPTS, 1),
  }
}

function isServer(text: string): boolean {
  const [, host = text] = /^\[(.+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  return isIP(host) !== 0
}
