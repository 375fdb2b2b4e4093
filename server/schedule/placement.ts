import { sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { settings } from '../process/settings.ts'

export type EligibleAgent = {
  id: string
  slug: string
  /** Whether one of its workers has been heard of lately. */
  isLive: boolean
  /** Whether the service names it, rather than taking any. */
  isNamed: boolean
}

export type Placement = {
  probeMode: 'consecutive' | 'simultaneous' | 'random'
  /** The agent of the service's last run. */
  lastAgentId: string | null
  /** A failure waits to be confirmed: another agent than the last is to look, where there is one. */
  isConfirming: boolean
}

/** The agents each service may run on, by id: those it names, or every active one its organization sees. */
export async function eligibleAgents(
  tx: Queryable,
  services: { id: string; organizationId: string }[],
): Promise<Map<string, EligibleAgent[]>> {
  const rows = await tx.execute<{
    service_id: string
    id: string
    slug: string
    is_live: boolean
    is_named: boolean
  }>(sql`
    select s.id as service_id, a.id, a.slug, exists (
      select 1 from workers w
      where w.agent_id = a.id and w.heartbeat_at > now() - make_interval(secs => ${settings().WORKER_STALE_SECONDS})
    ) as is_live, exists (select 1 from service_agents sa where sa.service_id = s.id) as is_named
    from services s join agents a on a.is_active and (a.organization_id is null or a.organization_id = s.organization_id)
    where s.id = any(${uuids(services.map((service) => service.id))})
      and (exists (select 1 from service_agents sa where sa.service_id = s.id and sa.agent_id = a.id)
        or not exists (select 1 from service_agents sa where sa.service_id = s.id))
    order by a.id`)
  const found = new Map<string, EligibleAgent[]>(services.map((service) => [service.id, []]))
  for (const { service_id, id, slug, is_live: isLive, is_named: isNamed } of rows) {
    found.get(service_id)?.push({ id, slug, isLive, isNamed })
  }
  return found
}

/**
 * Where the next run goes: one agent, or with `simultaneous` all of them. `agents` are in order of their ids; the order
 * of rotation is that one.
 */
export function placeRun(
  agents: EligibleAgent[],
  { probeMode, lastAgentId, isConfirming }: Placement,
): EligibleAgent[] {
  if (probeMode === 'simultaneous' || agents.length <= 1) return agents
  if (probeMode === 'consecutive') {
    return [agents.find((agent) => lastAgentId !== null && agent.id > lastAgentId) ?? (agents[0] as EligibleAgent)]
  }
  const others = isConfirming ? agents.filter((agent) => agent.id !== lastAgentId) : agents
  return [others[Math.floor(Math.random() * others.length)] as EligibleAgent]
}
