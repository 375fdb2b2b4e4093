import { TransportError } from '#server/lace/transport.ts'
import {
  type AllowedNetworks,
  checkTarget,
  isIpLiteral,
  isLoopbackName,
  isResolutionAllowed,
  loopbackAddresses,
} from '#server/scripts/target-addresses.ts'
import type { Resolver } from './resolve.ts'

/** Where an exchange goes: the name it is for, and the checked addresses that alone may be dialled for it. */
export type Destination = { url: URL; host: string; port: number; secure: boolean; addresses: string[] }

/** One text for every refusal, so that a script learns nothing about what stands behind an address. */
export function blockedTargetError(): TransportError {
  return new TransportError('blocked', 'blocked_probe_target: probes may not reach this target')
}

/**
 * Parses the URL once, judges it, resolves its host at most once, and judges every address that came back: one that
 * may not be reached refuses the whole name.
 */
export async function resolveDestination(
  text: string,
  allowed: AllowedNetworks,
  resolve: Resolver,
): Promise<Destination> {
  const { verdict, host, reason, url } = checkTarget(text, allowed)
  if (reason === 'not_a_url') throw new TransportError('protocol', 'the URL is not valid')
  if (verdict === 'blocked' || host === null || url === null) throw blockedTargetError()

  const addresses = await resolveAddresses(host, allowed, resolve)
  if (!isResolutionAllowed(host, addresses, allowed)) throw blockedTargetError()
  const secure = url.protocol === 'https:'
  return { url, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), secure, addresses }
}

async function resolveAddresses(host: string, allowed: AllowedNetworks, resolve: Resolver): Promise<string[]> {
  if (isIpLiteral(host)) return [host]
  if (isLoopbackName(host)) return loopbackAddresses(allowed)
  const addresses = await resolve(host).catch((cause) => {
    throw new TransportError('connection', `the name servers gave no answer for ${host}`, { cause })
  })
  if (addresses.length === 0) throw new TransportError('connection', `the host name ${host} was not found`)
  return [...new Set(addresses)]
}
