import { and, eq, isNotNull } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { domains } from '#db/schema/organizations.ts'
import type { Settings } from '../process/settings.ts'
import { MASK } from '../schemas/variables.ts'
import { type AllowedNetworks, checkHost, isIpLiteral, parseNetworks } from './target-addresses.ts'

/** Decides which hosts an organization may probe without restriction. */
export type Trust = {
  /** Unverified hosts are not restricted either. */
  trustsAll: boolean
  allowedNetworks: AllowedNetworks
  verifiedDomains: ReadonlySet<string>
}

export type TrustSettings = Pick<Settings, 'TRUSTED_DOMAIN_MODE' | 'PROBE_ALLOWED_NETWORKS'>

export async function readTrust(db: Queryable, organizationId: string, settings: TrustSettings): Promise<Trust> {
  const rows = await db
    .select({ domain: domains.domain })
    .from(domains)
    .where(and(eq(domains.organizationId, organizationId), isNotNull(domains.verifiedAt)))
  return {
    trustsAll: settings.TRUSTED_DOMAIN_MODE,
    allowedNetworks: parseNetworks(settings.PROBE_ALLOWED_NETWORKS),
    verifiedDomains: new Set(rows.map((row) => row.domain)),
  }
}

/**
 * Returns whether a host (lower case, as a URL parser gives it) may be probed without restriction. A verified domain
 * covers its subdomains. An IP address is trusted only in a network that the operator allowed. The mask, stored in place
 * of a host that would reveal a secret, is always unverified.
 */
export function isTrusted(host: string, trust: Trust): boolean {
  if (trust.trustsAll) return true
  if (host === MASK) return false
  if (checkHost(host, trust.allowedNetworks) === 'allowed') return true
  if (isIpLiteral(host)) return false
  const labels = host.split('.')
  return labels.some((_, start) => trust.verifiedDomains.has(labels.slice(start).join('.')))
}
