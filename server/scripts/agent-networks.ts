import { type SQL, sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { type AllowedNetworks, parseNetworks } from './target-addresses.ts'

const processNetworks = sql`
  left join lateral (
    select case w.kind when 'agent' then w.allowed_networks end as networks from workers w where w.agent_id = a.id
    union all
    select a.allowed_networks where not exists (select 1 from workers w where w.agent_id = a.id)) process on true`

/** The networks of one service as `readAgentNetworks` finds them, null without. `service` is its row. */
export function agentNetworksOf(service: SQL): SQL {
  return sql`(select case when bool_and(process.networks is not null) then jsonb_agg(process.networks) end
    from service_agents sa join agents a on a.id = sa.agent_id ${processNetworks}
    where sa.organization_id = ${service}.organization_id and sa.service_id = ${service}.id)`
}

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
    select sa.service_id, jsonb_agg(process.networks) as networks
    from service_agents sa join agents a on a.id = sa.agent_id ${processNetworks}
    where sa.organization_id = ${organizationId} and sa.service_id = any(${uuids(serviceIds)})
    group by sa.service_id having bool_and(process.networks is not null)`)
  return new Map(rows.map(({ service_id, networks }) => [service_id, networks.map(parseNetworks)]))
}
