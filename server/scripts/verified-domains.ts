import type { Queryable } from '#db/client.ts'
import { and, eq, isNotNull, type SQL, sql } from '#db/drizzle.cjs'
import { domains } from '#db/schema/organizations.ts'
import type { Settings } from '../process/settings.ts'
import { MASK } from '../schemas/variables.ts'
import { readAgentNetworks } from './agent-networks.ts'
import { type AllowedNetworks, checkHost, isIpLiteral, parseNetworks } from './target-addresses.ts'

/** Decides which hosts an organization may probe without restriction. */
export type Trust = {
  /** Unverified hosts are not restricted either. */
  trustsAll: boolean
  /**
   * The networks that are not public and that probes may reach, for each place where the script may run: the installation,
   * or each process of the remote agents that its service names. A target must be allowed in all of them.
   */
  allowedNetworks: readonly AllowedNetworks[]
  verifiedDomains: ReadonlySet<string>
}

export type TrustSettings = Pick<Settings, 'TRUSTED_DOMAIN_MODE' | 'PROBE_ALLOWED_NETWORKS'>

/** Returns what a service may probe; without a service, what one may that names no agent. */
export async function readTrust(
  db: Queryable,
  { organizationId, id }: { organizationId: string; id?: string },
  settings: TrustSettings,
): Promise<Trust> {
  const trustOf = await readTrusts(db, organizationId, id === undefined ? [] : [id], settings)
  return trustOf(id)
}

/** Like `readTrust`, for many services of one organization in two queries. */
export async function readTrusts(
  db: Queryable,
  organizationId: string,
  serviceIds: string[],
  settings: TrustSettings,
): Promise<(serviceId?: string) => Trust> {
  const [rows, agentNetworks] = await Promise.all([
    db
      .select({ domain: domains.domain })
      .from(domains)
      .where(and(eq(domains.organizationId, organizationId), isNotNull(domains.verifiedAt))),
    readAgentNetworks(db, organizationId, serviceIds),
  ])
  const trustsAll = settings.TRUSTED_DOMAIN_MODE
  const verifiedDomains = new Set(rows.map((row) => row.domain))
  const ofInstallation = [parseNetworks(settings.PROBE_ALLOWED_NETWORKS)]
  return (serviceId = '') => ({
    trustsAll,
    allowedNetworks: agentNetworks.get(serviceId) ?? ofInstallation,
    verifiedDomains,
  })
}

/** The verified domains of an organization that cover a host. `hosts` is a text array; a host contains no space. */
export function verifiedDomainsOf(organizationId: SQL, hosts: SQL): SQL {
  return sql`array(select d.domain from domains d
    where d.organization_id = ${organizationId} and d.verified_at is not null
      and strpos('.' || array_to_string(${hosts}, ' .') || ' ', '.' || d.domain || ' ') > 0)`
}

/** Returns what a service may probe, from what the statement of its view has read. */
export function trustOf(
  { agentNetworks, verifiedDomains }: { agentNetworks: string[][] | null; verifiedDomains: string[] | null },
  settings: TrustSettings,
): Trust {
  return {
    trustsAll: settings.TRUSTED_DOMAIN_MODE,
    allowedNetworks: agentNetworks?.map(parseNetworks) ?? [parseNetworks(settings.PROBE_ALLOWED_NETWORKS)],
    verifiedDomains: new Set(verifiedDomains),
  }
}

/**
 * Returns whether a host (lower case, as a URL parser gives it) may be probed without restriction. A verified domain
 * covers its subdomains. An IP address is trusted only in a network that operators allowed everywhere where the script may run. The mask, stored in place
 * of a host that would reveal a secret, is always unverified.
 */
export function isTrusted(host: string, trust: Trust): boolean {
  if (trust.trustsAll) return true
  if (host === MASK) return false
  if (trust.allowedNetworks.every((allowed) => checkHost(host, allowed) === 'allowed')) return true
  if (isIpLiteral(host)) return false
  const labels = host.split('.')
  return labels.some((_, start) => trust.verifiedDomains.has(labels.slice(start).join('.')))
}
