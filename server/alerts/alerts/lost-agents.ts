import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { isAgentAlive } from '../../schedule/agent-liveness.ts'
import { isOpen, isUsable } from '../../schedule/usable-agents.ts'

// Which agents are lost, and which services need them: those that name the agent, and those that name no agent if no other
// open agent is alive. In the SQL, `a` is the agent.

/**
 * An active agent that has sent no heartbeat for this long is lost. An agent that has never sent a heartbeat is not
 * lost.
 */
export const LOST_AFTER_SECONDS = 180

/** The names of services that an event contains. */
const NAMES_MAX = 5

export type LostAgent = {
  id: string
  slug: string
  label: string
  organization_id: string | null
  last_seen_at: string
}

/** When a worker of the agent `a` last sent a heartbeat; null if none ever did. */
export function lastSeen(): SQL<string | null> {
  return sql`greatest(a.last_seen_at, (select max(w.heartbeat_at) from workers w where w.agent_id = a.id))`
}

/** Whether the agent `a`, last seen at `seen.at`, is lost. An agent that was never seen is not lost. */
export function isLost(): SQL<boolean> {
  return sql`coalesce(seen.at < now() - make_interval(secs => ${LOST_AFTER_SECONDS}) and not ${isAgentAlive(sql`a.id`)}, false)`
}

/** Returns the active agents that are lost, with the database's time. There are few agents: 0.2 ms. */
export function findLostAgents(db: Queryable): Promise<(LostAgent & { now: string })[]> {
  return db.execute(sql`
    select a.id, a.slug, a.label, a.organization_id, seen.at as last_seen_at, now() as now
    from agents a cross join lateral (select ${lastSeen()} as at) seen
    where a.is_active and ${isLost()}
    order by a.slug`)
}

/** Whether the service names the agent. The parameters are names in the statement. */
export function namesAgent(service: SQL, agent: SQL): SQL<boolean> {
  return sql`exists (select 1 from ${agentsOf(service)} and sa.agent_id = ${agent}.id)`
}

/** Whether the service names no agent: it may run on any open one. */
export function namesNoAgent(service: SQL): SQL<boolean> {
  return sql`not exists (select 1 from ${agentsOf(service)})`
}

function agentsOf(service: SQL): SQL {
  return sql`service_agents sa where (sa.organization_id, sa.service_id) = (${service}.organization_id, ${service}.id)`
}

/**
 * Whether an organization's services that name no agent need the agent `a`, which the organization can use: it is open,
 * and no other agent is alive that could run them.
 */
export function isMissed(organizationId: SQL): SQL<boolean> {
  return sql`(${isOpen(sql`a`)} and not exists (
    select 1 from agents b where b.id <> a.id and ${isOpen(sql`b`)} and ${isUsable(sql`b`, organizationId)}
      and ${isAgentAlive(sql`b.id`)}))`
}

/** An agent and an organization that uses it. */
export type AgentUse = { organizationId: string; agentId: string }

export type AgentEvent = AgentUse & {
  organization: { id: string; name: string }
  agent: { id: string; slug: string; label: string }
  lastSeenAt: string | null
  /** The active services that need the agent: how many, and the first names. */
  services: { total: number; names: string[] }
}

/** Returns what events of agents say about them, one entry per agent and organization. */
export async function describeAgentUses(db: Queryable, uses: AgentUse[]): Promise<AgentEvent[]> {
  if (uses.length === 0) return []
  const pairs = uses.map(({ organizationId, agentId }) => ({ organization_id: organizationId, agent_id: agentId }))
  const rows = await db.execute<{
    organization_id: string
    organization_name: string
    id: string
    slug: string
    label: string
    last_seen_at: string | null
    total: number
    names: string[] | null
  }>(sql`
    select o.id as organization_id, o.name as organization_name, a.id, a.slug, a.label, ${lastSeen()} as last_seen_at,
      needed.total, needed.names
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as i(organization_id uuid, agent_id uuid)
      join organizations o on o.id = i.organization_id join agents a on a.id = i.agent_id
      cross join lateral (select ${isMissed(sql`o.id`)} as is_missed) any_agent
      cross join lateral (
        select count(*)::int as total, (array_agg(s.name order by s.name, s.id))[1:${NAMES_MAX}::int] as names
        from services s where s.organization_id = o.id and s.is_active
          and (${namesAgent(sql`s`, sql`a`)} or (any_agent.is_missed and ${namesNoAgent(sql`s`)}))) needed`)
  return rows.map(({ id, slug, label, ...row }) => ({
    organizationId: row.organization_id,
    agentId: id,
    organization: { id: row.organization_id, name: row.organization_name },
    agent: { id, slug, label },
    lastSeenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
    services: { total: row.total, names: row.names ?? [] },
  }))
}
