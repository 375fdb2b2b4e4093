import ipaddr from 'ipaddr.js'
import type { Target } from './path.ts'

/**
 * Returns the client's address: the socket's, or behind `hops` trusted proxies the address that the outermost of them
 * saw, which is entry number `hops` of `X-Forwarded-For` from the right. The client can forge the entries further left.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string | null, hops: number): string {
  const direct = normalizedAddress(socketAddress ?? '') ?? 'unknown'
  if (hops === 0 || !forwardedFor) return direct
  const entry = forwardedFor.split(',').at(-hops)
  return (entry === undefined ? null : normalizedAddress(entry.trim())) ?? direct
}

/** Returns what rate limits per address count: the address, or the /64 of an IPv6 address, the least of a subscriber. */
export function addressBucket(address: string): string {
  return ipaddr.IPv6.isValid(address) ? networkOf(address, 64) : address
}

/** Returns the network of an IPv6 address, such as `2001:db8::/64`. */
export function networkOf(address: string, prefix: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`
}

/** Returns the address without port, brackets, zone and IPv4-in-IPv6 form; null when it is not an address. */
function normalizedAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '')
  if (!ipaddr.isValid(address) || (!address.includes(':') && !/^\d+\.\d+\.\d+\.\d+$/.test(address))) return null
  return ipaddr.process(address).toString()
}

/** The facts about the client from the host. Nothing in it is claimed by the client. */
export type Client = {
  address: string
  requestId?: string
  /** Set by our front, which sees the raw request. */
  target?: Target
  /** Calls back if the connection closes before the whole response was handed to it. Set by our front. */
  onLost?: (callback: () => void) => void
}

let isBehindFront = false
const ADDRESS_HEADER = 'x-client-address'
const REQUEST_ID_HEADER = 'x-request-id'

/** Makes `clientFromHeaders` trust the headers that the front of this process sets. The front calls it. */
export function trustFrontHeaders(): void {
  isBehindFront = true
}

/** Sets the headers that `clientFromHeaders` reads, and so replaces any that the client sent. */
export function setClientHeaders(headers: Record<string, string | string[] | undefined>, client: Client): void {
  headers[ADDRESS_HEADER] = client.address
  headers[REQUEST_ID_HEADER] = client.requestId
}

/**
 * Returns the client of a request that came through Next. Behind our front, the front's headers name it. Without
 * our front, only trusted proxies name the address; without them, all clients share one address.
 */
export function clientFromHeaders(headers: Headers, hops: number): Client {
  if (isBehindFront) {
    const requestId = headers.get(REQUEST_ID_HEADER)
    return { address: headers.get(ADDRESS_HEADER) ?? 'unknown', ...(requestId ? { requestId } : {}) }
  }
  return { address: clientAddress(undefined, headers.get('x-forwarded-for'), hops) }
}
