import ipaddr from 'ipaddr.js'
import type { Target } from './path.ts'

/**
 * The client's address: the socket's, or behind `hops` trusted proxies the one the outermost of them saw, which is the
 * hops-th entry of `X-Forwarded-For` from the right. What stands further left the client wrote itself.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string | null, hops: number): string {
  const direct = normalizedAddress(socketAddress ?? '') ?? 'unknown'
  if (hops === 0 || !forwardedFor) return direct
  const entry = forwardedFor.split(',').at(-hops)
  return (entry === undefined ? null : normalizedAddress(entry.trim())) ?? direct
}

/** Whom an address budget counts: the address, or the /64 of an IPv6 one, which is what one subscriber holds. */
export function addressBucket(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}

/**
 * The networks whose failures count together, smallest first, and how many subscribers' share each is allowed: an IPv6
 * address counts with its /64, and with the /56 and the /48 that a subscriber may hold as well.
 */
export function networksOf(address: string): { network: string; shares: number }[] {
  if (!ipaddr.IPv6.isValid(address)) return [{ network: address, shares: 1 }]
  return [
    { network: networkOf(address, 64), shares: 1 },
    { network: networkOf(address, 56), shares: 2 },
    { network: networkOf(address, 48), shares: 4 },
  ]
}

function networkOf(address: string, prefix: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`
}

/** The address without port, brackets, zone and IPv4-in-IPv6 wrapping; null when it is none. */
function normalizedAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '')
  if (!ipaddr.isValid(address) || (!address.includes(':') && !/^\d+\.\d+\.\d+\.\d+$/.test(address))) return null
  return ipaddr.process(address).toString()
}

/** What the host knows about the client. Nothing in it is the client's own claim. */
export type Client = {
  address: string
  requestId?: string
  /** Set by our front, which sees the raw request. */
  target?: Target
}

const FRONT = Symbol.for('soundline.front')
const ADDRESS_HEADER = 'x-client-address'
const REQUEST_ID_HEADER = 'x-request-id'

/** Called by the front of this process: from now on the headers it sets on what it hands on are believed. */
export function trustFrontHeaders(): void {
  ;(globalThis as { [FRONT]?: true })[FRONT] = true
}

/** Sets what `handedOnClient` reads, over whatever the client sent. */
export function setClientHeaders(headers: Record<string, string | string[] | undefined>, client: Client): void {
  headers[ADDRESS_HEADER] = client.address
  headers[REQUEST_ID_HEADER] = client.requestId
}

/**
 * The client of a request that came through Next. Behind our front it is what the front says. Where Next is hosted
 * without it nothing but trusted proxies tells the address, and without those all clients count as one.
 */
export function clientFromHeaders(headers: Headers, hops: number): Client {
  if ((globalThis as { [FRONT]?: true })[FRONT]) {
    const requestId = headers.get(REQUEST_ID_HEADER)
    return { address: headers.get(ADDRESS_HEADER) ?? 'unknown', ...(requestId ? { requestId } : {}) }
  }
  return { address: clientAddress(undefined, headers.get('x-forwarded-for'), hops) }
}
