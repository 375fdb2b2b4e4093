import { TransportError } from '#server/language/lace/transport.ts'
import {
  type AllowedNetworks,
  allowsInternalNames,
  checkUrl,
  isElsewhereReachable,
  isIpLiteral,
  isLoopbackName,
  isOfNetworks,
  isResolutionAllowed,
  loopbackAddresses,
} from '#server/scripts/target-addresses.ts'
import type { Resolver } from './resolve.ts'
import { resolveFailure } from './transport-failures.ts'

// The SSRF guard (server-side request forgery): probes, each of their redirects, and webhooks reach only allowed
// addresses. dial.ts connects to the checked addresses, and checks the peer of each connection again.

/**
 * The destination of an exchange. Only its checked `addresses` may be dialled. `late` gives further checked addresses
 * when the lookup was not waited for in full; it never rejects.
 */
export type Destination = {
  url: URL
  host: string
  port: number
  secure: boolean
  addresses: string[]
  late: Promise<string[]> | null
}

/** Returns the same error for every blocked target, so that a script learns nothing about internal networks. */
export function blockedTargetError(): TransportError {
  return new TransportError('blocked', BLOCKED)
}

const BLOCKED = 'blocked_probe_target: probes may not reach this target'

/** The same, with the same words, where another machine or other allowed networks might let the request out. */
export class OutsideNetworks extends TransportError {
  constructor() {
    super('blocked', BLOCKED)
  }
}

/**
 * Checks the URL, resolves its host at most once, and checks every resolved address. One blocked address blocks the whole
 * name; among the late addresses, it blocks those. `signal` ends the lookup, also of late addresses.
 *
 * @throws TransportError when the target is blocked, or the name does not resolve
 */
export async function resolveDestination(
  url: URL,
  allowed: AllowedNetworks,
  resolve: Resolver,
  signal: AbortSignal,
): Promise<Destination> {
  const { verdict, host, reason } = checkUrl(url, allowed)
  if (verdict === 'blocked' || host === null) {
    throw reason !== null && isOfNetworks(reason) ? new OutsideNetworks() : blockedTargetError()
  }

  let late: Promise<string[]> | null = null
  const onLate = (addresses: Promise<string[]>) => {
    late = addresses.then((ips) => (isResolutionAllowed(host, ips, allowed) ? ips : []))
  }
  const lookup = { search: allowsInternalNames(allowed), signal, onLate }
  // `host` lacks the trailing dot, which makes a name absolute.
  const name = url.hostname.endsWith('.') ? `${host}.` : host
  const addresses = await resolveAddresses(host, allowed, () => resolve(name, lookup))
  if (!isResolutionAllowed(host, addresses, allowed)) {
    throw isElsewhereReachable(addresses, allowed) ? new OutsideNetworks() : blockedTargetError()
  }
  const secure = url.protocol === 'https:'
  return { url, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), secure, addresses, late }
}

async function resolveAddresses(
  host: string,
  allowed: AllowedNetworks,
  resolve: () => Promise<string[]>,
): Promise<string[]> {
  if (isIpLiteral(host)) return [host]
  if (isLoopbackName(host)) return loopbackAddresses(allowed)
  const addresses = await resolve().catch((cause) => {
    throw resolveFailure(cause, host)
  })
  if (addresses.length === 0) throw new TransportError('connection', `the host name ${host} was not found`)
  return [...new Set(addresses)]
}
