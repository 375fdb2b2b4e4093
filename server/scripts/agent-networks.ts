import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type AllowedNetworks, parseNetworks } from './target-addresses.ts'

/** The networks of each process of an agent `a`, or without any what it reported last; null where they do not count. */
const networks = sql`case when w.agent_id is null then a.allowed_networks when w.kind = 'agent' then w.allowed_networks end`
export const agentProcesses = sql`join agents a on a.id = sa.agent_id left join workers w on w.agent_id = a.id`

/** The networks as `readAgentNetworks` finds them, null without, of service agents `sa` joined with `agentProcesses`. */
export const agentNetworks = sql`case when bool_and(${networks} is not null) then jsonb_agg(${networks}) end`

/**
 * Returns the networks that the operators of remote agents opened, by service: an entry per process that may run the
 * service. Contains only services that name agents, all of them remote: their scripts never run elsewhere. An agent without
 * a live process counts with what it reported last.
 */
export async function readAgentNetworks(
  db: Queryable,
  organizationId: string,
  serviceIds: string[],
): Promise<Map<string, readonly AllowedNetworks[]>> {
  if (serviceIds.length === 0) return new Map()
  const rows = await db.execute<{ service_id: string; networks: string[][] }>(sql`
    select sa.service_id, jsonb_agg(${networks}) as networks
    from service_agents sa ${agentProcesses}
    where sa.organization_id = ${organizationId} and sa.service_id = any(${uuids(serviceIds)})
    group by sa.service_id having bool_and(${networks} is not null)`)
  return new Map(rows.map(({ service_id, networks }) => [service_id, networks.map(parseNetworks)]))
}
