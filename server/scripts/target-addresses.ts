import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isOwnAddress } from './own-addresses.ts'

/**
 * The SSRF policy: which hosts and addresses probes and webhooks may reach. Nothing here resolves names or connects.
 *
 * The server checks when a script or webhook is saved. The worker checks the resolved address again before it connects.
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = { address: Address; bits: number }

/** Networks that are not public and that the operator allowed to be probed (`PROBE_ALLOWED_NETWORKS`). */
export type AllowedNetworks = readonly Network[]

export type Verdict = 'public' | 'allowed' | 'blocked'

export type BlockReason = 'not_a_url' | 'scheme' | 'userinfo' | 'port' | 'internal_name' | 'address'

/** Whether a host is blocked by the networks of a place, and not by the URL itself, which is blocked everywhere. */
export function isOfNetworks(reason: BlockReason): boolean {
  return reason === 'address' || reason === 'internal_name'
}

/** `host` is the host name without brackets and trailing dot, null when there is none. */
export type TargetCheck = { verdict: Verdict; host: string | null; reason: BlockReason | null; url: URL | null }

// The ports that the Fetch standard blocks: other protocols use them and could misread an HTTP request.
const BLOCKED_PORTS = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
  137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
  1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`
    .split(/\s+/)
    .map(Number),
)

// Names for hosts inside a network, by RFC 6762, RFC 8375, ICANN's reservation or convention.
const INTERNAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'svc',
]

// Public by range, but used for metadata endpoints and relays inside cloud networks.
const EXTRA_BLOCKED = parseNetworks(['168.63.129.16/32', '100.100.100.200/32', '192.88.99.0/24'])

/** RFC 1918, RFC 4193 and RFC 6598. */
const PRIVATE_RANGES = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat'])

// IANA allocates public IPv6 addresses only from this block.
const GLOBAL_IPV6 = parseNetwork('2000::/3')
// The 6bone, returned to IANA in 2006.
const RETIRED_IPV6 = parseNetwork('3ffe::/16')

/**
 * Parses CIDR blocks and single addresses, such as `10.0.0.0/8`, `127.0.0.1` or `fd00::/8`. Ignores empty entries.
 * @throws Error that names the first invalid entry
 */
export function parseNetworks(cidrs: readonly string[]): AllowedNetworks {
  return cidrs
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '')
    .map(parseNetwork)
}

/** Returns whether a URL's host, with or without brackets, is an IP address. */
export function isIpLiteral(host: string): boolean {
  return isIP(bareHost(host)) !== 0
}

/** Checks an IP address. Blocks text that is not an address, and addresses of this machine even if they are public. */
export function checkAddress(ip: string, allowed: AllowedNetworks): Verdict {
  if (isIP(ip) === 0 || ip.includes('%')) return 'blocked'
  const address = parseAddress(ip)
  if (isWithin(address, allowed)) return 'allowed'
  return isPublic(address) && !isOwnAddress(address) ? 'public' : 'blocked'
}

/**
 * Checks the host of a URL as the URL parser gives it, without resolving it.
 *
 * `localhost` and its subdomains mean 127.0.0.1 and ::1. Any other internal name is allowed if the operator allowed a
 * network other than loopback; it must then resolve to addresses in allowed networks (`isResolutionAllowed`).
 */
export function checkHost(hostname: string, allowed: AllowedNetworks): Verdict {
  const host = bareHost(hostname)
  if (isIP(host) !== 0) return checkAddress(host, allowed)
  if (isLoopbackName(host)) return loopbackAddresses(allowed).length > 0 ? 'allowed' : 'blocked'
  if (host === '' || host.split('.').includes('')) return 'blocked'
  if (!isInternalName(host)) return 'public'
  return allowsInternalNames(allowed) ? 'allowed' : 'blocked'
}

/**
 * Returns whether internal names may be resolved, and search domains applied. Without a private network that is allowed,
 * scripts could only find out which internal names exist.
 */
export function allowsInternalNames(allowed: AllowedNetworks): boolean {
  return allowed.some((network) => network.address.range() !== 'loopback')
}

/** Checks the URL of a probe or webhook as it is written. */
export function checkTarget(text: string, allowed: AllowedNetworks): TargetCheck {
  const url = URL.parse(text)
  return url ? checkUrl(url, allowed) : { verdict: 'blocked', host: null, reason: 'not_a_url', url }
}

/** Checks a parsed URL. */
export function checkUrl(url: URL, allowed: AllowedNetworks): TargetCheck {
  const host = bareHost(url.hostname)
  const blocked = (reason: BlockReason): TargetCheck => ({ verdict: 'blocked', host: host || null, reason, url })

  if (url.protocol !== 'http:' && url.protocol !== 'https:') return blocked('scheme')
  if (url.username !== '' || url.password !== '') return blocked('userinfo')
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port))) return blocked('port')
  if (host.split('.').includes('')) return blocked('not_a_url')
  const verdict = checkHost(url.hostname, allowed)
  if (verdict === 'blocked') return blocked(isIP(host) ? 'address' : 'internal_name')
  return { verdict, host, reason: null, url }
}

/**
 * Returns whether all addresses that a name resolved to may be connected to. False without an address. False for an
 * internal name with a public address: the operator did not allow that address.
 */
export function isResolutionAllowed(host: string, ips: readonly string[], allowed: AllowedNetworks): boolean {
  if (ips.length === 0) return false
  const internal = isInternalName(bareHost(host))
  return ips.every((ip) => {
    const verdict = checkAddress(ip, allowed)
    return verdict === 'allowed' || (verdict === 'public' && !internal)
  })
}

/**
 * Returns whether one of the addresses that block a name is a private one, or one of this machine: a place with other
 * networks may reach it. Loopback and the like are no address of any target: then the name is wrong, or its DNS.
 */
export function isElsewhereReachable(ips: readonly string[], allowed: AllowedNetworks): boolean {
  return ips.some((ip) => {
    if (isIP(ip) === 0 || checkAddress(ip, allowed) !== 'blocked') return false
    const address = parseAddress(ip)
    return PRIVATE_RANGES.has(address.range()) || isPublic(address)
  })
}

/**
 * Returns whether a `Host` header names the host of the URL. A different one could reach an unchecked virtual host at the
 * same address.
 */
export function isHostOf(url: URL, header: string): boolean {
  const text = header.trim()
  return !/[/?#@\\\s]/.test(text) && URL.parse(`${url.protocol}//${text}`)?.host === url.host
}

/** Returns whether a name is `localhost` or a subdomain of it, which is never looked up (RFC 6761). */
export function isLoopbackName(host: string): boolean {
  const name = bareHost(host)
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Returns the addresses of `localhost`: those of 127.0.0.1 and ::1 that the operator allowed. */
export function loopbackAddresses(allowed: AllowedNetworks): string[] {
  return ['127.0.0.1', '::1'].filter((ip) => checkAddress(ip, allowed) === 'allowed')
}

function bareHost(hostname: string): string {
  const host = hostname.toLowerCase()
  if (host.startsWith('[') && host.endsWith(']')) return host.slice(1, -1)
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function isInternalName(host: string): boolean {
  // An IPv6 address has no dot either.
  if (isIP(host) !== 0) return false
  if (!host.includes('.')) return true
  return INTERNAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
}

const PARSED_MAX = 1_000
const parsed = new Map<string, Address>()

/** Parses an IP address. Each request checks the same one three times, and parsing it costs more than checking it. */
function parseAddress(ip: string): Address {
  const known = parsed.get(ip)
  if (known) return known
  const address = ipaddr.parse(ip)
  if (parsed.size >= PARSED_MAX) parsed.clear()
  parsed.set(ip, address)
  return address
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isWithin(address, EXTRA_BLOCKED)) return false
  return address.kind() === 'ipv4' || (isWithin(address, [GLOBAL_IPV6]) && !isWithin(address, [RETIRED_IPV6]))
}

function isWithin(address: Address, networks: AllowedNetworks): boolean {
  // An IPv4-mapped address counts as IPv6 and matches no IPv4 network. Legitimate targets do not use that form.
  return networks.some((network) => network.address.kind() === address.kind() && matches(address, network))
}

function matches(address: Address, network: Network): boolean {
  return address instanceof ipaddr.IPv4
    ? address.match(network.address as ipaddr.IPv4, network.bits)
    : address.match(network.address as ipaddr.IPv6, network.bits)
}

function parseNetwork(cidr: string): Network {
  const [ip = '', prefix, ...rest] = cidr.split('/')
  const bitsMax = isIP(ip) === 4 ? 32 : 128
  const bits = prefix === undefined ? bitsMax : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (isIP(ip) === 0 || ip.includes('%') || rest.length > 0 || !(bits <= bitsMax)) {
    throw new Error(`"${cidr}" is not a network such as 10.0.0.0/8 or fd00::/8`)
  }
  return { address: ipaddr.parse(ip), bits }
}
