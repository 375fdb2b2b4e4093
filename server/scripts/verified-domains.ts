import { and, eq, isNotNull } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { domains } from '#db/schema/organizations.ts'
import type { Settings } from '../process/settings.ts'
import { MASK } from '../schemas/variables.ts'
import { type AllowedNetworks, checkHost, isIpLiteral, parseNetworks } from './target-addresses.ts'

/** What decides whether a host counts as the organization's own. */
export type Trust = {
  /** Hosts that nobody verified are not restricted. */
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
 * Whether a host (lower case, as a URL parser gives it) may be probed without restriction. A verified domain covers
 * its subdomains; an address is nobody's unless the operator opened its network. The mask, which stands for a host that
 * a secret hides, was unverified when it was written.
 */
export function isTrusted(host: string, trust: Trust): boolean {
  if (trust.trustsAll) return true
  if (host === MASK) return false
  if (checkHost(host, trust.allowedNetworks) === 'allowed') return true
  if (isIpLiteral(host)) return false
  const labels = host.split('.')
  return labels.some((_, start) => trust.verifiedDomains.has(labels.slice(start).join('.')))
}
