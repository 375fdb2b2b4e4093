import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isOwnAddress } from './own-addresses.ts'

/**
 * What probes and webhooks may reach, judged from text and this machine's own addresses: nothing here resolves or
 * connects.
 *
 * The server asks when a script or webhook is saved; the worker asks again, of the address itself, before it dials.
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = { address: Address; bits: number }

/** Networks that the operator opened to probes although they are not public. */
export type AllowedNetworks = readonly Network[]

export type Verdict = 'public' | 'allowed' | 'blocked'

export type BlockReason = 'not_a_url' | 'scheme' | 'userinfo' | 'port' | 'internal_name' | 'address'

/** `host` is the normalised host name (no brackets, no trailing dot), null when the text is no URL with a host. */
export type TargetCheck = { verdict: Verdict; host: string | null; reason: BlockReason | null; url: URL | null }

// The ports that the Fetch standard refuses: other protocols live there, and an HTTP request can be read as theirs.
const BLOCKED_PORTS = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
  137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
  1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`
    .split(/\s+/)
    .map(Number),
)

// Names that stand for something inside a network, by RFC 6762, RFC 8375, ICANN's reservation or plain custom.
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

// Public by their range, yet answered inside a cloud's own network.
const EXTRA_BLOCKED = parseNetworks(['168.63.129.16/32', '100.100.100.200/32', '192.88.99.0/24'])

// Only this part of IPv6 is handed out to the public; all else is special, whatever is known of it today.
const GLOBAL_IPV6 = parseNetwork('2000::/3')
// Returned to IANA in 2006 (the 6bone), and so no part of the public network.
const RETIRED_IPV6 = parseNetwork('3ffe::/16')

/**
 * Reads CIDR blocks, or single addresses, such as `10.0.0.0/8`, `127.0.0.1` or `fd00::/8`.
 *
 * Empty entries are passed over; anything else that is no network throws an `Error` that names it.
 */
export function parseNetworks(cidrs: readonly string[]): AllowedNetworks {
  return cidrs
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '')
    .map(parseNetwork)
}

/** Whether a URL's host name (brackets or not) is an address rather than a name. */
export function isIpLiteral(host: string): boolean {
  return isIP(bare(host)) !== 0
}

/** Judges an address. What is not an address is blocked, and so is one of this machine's own, however public. */
export function checkAddress(ip: string, allowed: AllowedNetworks): Verdict {
  if (isIP(ip) === 0 || ip.includes('%')) return 'blocked'
  const address = ipaddr.parse(ip)
  if (isWithin(address, allowed)) return 'allowed'
  return isPublic(address) && !isOwnAddress(address) ? 'public' : 'blocked'
}

/**
 * Judges the host of a URL as the URL parser gives it; names are not resolved.
 *
 * `localhost` and the names under it stand for 127.0.0.1 and ::1. Any other internal-only name passes where a network
 * that is not loopback has been opened, and then only addresses in an opened network may answer for it
 * (`judgeResolved`).
 */
export function checkHost(hostname: string, allowed: AllowedNetworks): Verdict {
  const host = bare(hostname)
  if (isIP(host) !== 0) return checkAddress(host, allowed)
  if (isLoopbackName(host)) return loopbackAddresses(allowed).length > 0 ? 'allowed' : 'blocked'
  if (host === '' || host.split('.').includes('')) return 'blocked'
  if (!isInternalName(host)) return 'public'
  return allowed.some((network) => network.address.range() !== 'loopback') ? 'allowed' : 'blocked'
}

/** Judges the URL of a probe or webhook, as it will be requested. */
export function checkTarget(text: string, allowed: AllowedNetworks): TargetCheck {
  const url = URL.parse(text)
  if (!url) return { verdict: 'blocked', host: null, reason: 'not_a_url', url }
  const host = bare(url.hostname)
  const blocked = (reason: BlockReason): TargetCheck => ({ verdict: 'blocked', host: host || null, reason, url })

  if (url.protocol !== 'http:' && url.protocol !== 'https:') return blocked('scheme')
  if (url.username !== '' || url.password !== '') return blocked('userinfo')
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port))) return blocked('port')
  const verdict = checkHost(url.hostname, allowed)
  if (verdict === 'blocked') return blocked(isIP(host) ? 'address' : 'internal_name')
  return { verdict, host, reason: null, url }
}

/**
 * Whether every address that a name resolved to may be dialled. No address at all is a refusal, and for an
 * internal-only name a public address is one too: it is not what the operator opened.
 */
export function isResolutionAllowed(host: string, ips: readonly string[], allowed: AllowedNetworks): boolean {
  if (ips.length === 0) return false
  const internal = isInternalName(bare(host))
  return ips.every((ip) => {
    const verdict = checkAddress(ip, allowed)
    return verdict === 'allowed' || (verdict === 'public' && !internal)
  })
}

/**
 * Whether a `Host` header says what the URL says. Another host in it could reach, behind the same address, one that
 * nobody judged.
 */
export function isHostOf(url: URL, header: string): boolean {
  const text = header.trim()
  return !/[/?#@\\\s]/.test(text) && URL.parse(`${url.protocol}//${text}`)?.host === url.host
}

/** Whether a name is `localhost` or lies under it (RFC 6761), and so never needs a name server. */
export function isLoopbackName(host: string): boolean {
  const name = bare(host)
  return name === 'localhost' || name.endsWith('.localhost')
}

/** What `localhost` stands for here: those of 127.0.0.1 and ::1 that have been opened. */
export function loopbackAddresses(allowed: AllowedNetworks): string[] {
  return ['127.0.0.1', '::1'].filter((ip) => checkAddress(ip, allowed) === 'allowed')
}

function bare(hostname: string): string {
  const host = hostname.toLowerCase()
  if (host.startsWith('[') && host.endsWith(']')) return host.slice(1, -1)
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function isInternalName(host: string): boolean {
  // An IPv6 address has no dot either, and is no name at all.
  if (isIP(host) !== 0) return false
  if (!host.includes('.')) return true
  return INTERNAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isWithin(address, EXTRA_BLOCKED)) return false
  return address.kind() === 'ipv4' || (isWithin(address, [GLOBAL_IPV6]) && !isWithin(address, [RETIRED_IPV6]))
}

function isWithin(address: Address, networks: AllowedNetworks): boolean {
  // An IPv4-mapped address is IPv6 here and falls in no IPv4 network: no honest target is written that way.
  return networks.some((network) => network.address.kind() === address.kind() && matches(address, network))
}

function matches(address: Address, network: Network): boolean {
  return address instanceof ipaddr.IPv4
    ? address.match(network.address as ipaddr.IPv4, network.bits)
    : address.match(network.address as ipaddr.IPv6, network.bits)
}

function parseNetwork(cidr: string): Network {
  const [ip = '', prefix, ...rest] = cidr.split('/')
  const most = isIP(ip) === 4 ? 32 : 128
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (isIP(ip) === 0 || ip.includes('%') || rest.length > 0 || !(bits <= most)) {
    throw new Error(`"${cidr}" is not a network; write it like 10.0.0.0/8 or fd00::/8`)
  }
  return { address: ipaddr.parse(ip), bits }
}
