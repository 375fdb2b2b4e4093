import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import {
  type AgentUse,
  describeAgentUses,
  findLostAgents,
  isMissed,
  LOST_AFTER_SECONDS,
  namesNoAgent,
} from '#server/alerts/alerts/lost-agents.ts'
import { storeEvents } from '#server/runs/record/events.ts'
import { isAgentAlive } from '#server/schedule/agent-liveness.ts'
import { isUsable } from '#server/schedule/usable-agents.ts'
import type { Liveness } from '../liveness.ts'

/**
 * Stores `agent.lost` for each organization whose services need an agent that is lost, and `agent.back` when it is alive
 * again. The rows of `lost_agents` make both happen once, however many workers run this job at the same time.
 */
export async function watchAgents(db: Db, canTrustSilence: Liveness['canTrustSilence']): Promise<void> {
  await db.transaction(announceBack)
  await db.transaction((tx) => announceLost(tx, canTrustSilence))
}

async function announceLost(tx: Tx, canTrustSilence: Liveness['canTrustSilence']): Promise<void> {
  const lost = await findLostAgents(tx)
  if (lost.length === 0 || !canTrustSilence(new Date(lost[0]?.now ?? 0), LOST_AFTER_SECONDS * 1_000)) return
  const ids = uuids(lost.map(({ id }) => id))
  // An agent that is stopped for good stays lost, so this must not read all services each minute: 4 ms among 100,000.
  const announced = await tx.execute<{ organization_id: string; agent_id: string }>(sql`
    with users as (
      select s.organization_id, sa.agent_id from service_agents sa join services s on (s.organization_id, s.id) = (sa.organization_id, sa.service_id)
        join agents a on a.id = sa.agent_id
      where sa.agent_id = any(${ids}) and s.is_active and ${isUsable(sql`a`, sql`s.organization_id`)}
      union
      select o.id, a.id from agents a join organizations o on ${isUsable(sql`a`, sql`o.id`)}
      where a.id = any(${ids}) and ${isMissed(sql`o.id`)} and exists (
        select 1 from services s where s.organization_id = o.id and s.is_active and ${namesNoAgent(sql`s`)}))
    insert into lost_agents (organization_id, agent_id, lost_at)
    select u.organization_id, u.agent_id, now() from users u
    where not exists (
      select 1 from lost_agents l where l.organization_id = u.organization_id and l.agent_id = u.agent_id)
    order by 1, 2
    on conflict do nothing returning organization_id, agent_id`)
  await store(tx, 'agent.lost', announced.map(toUse))
}

/** An agent that was switched off was stopped on purpose: its row is deleted without an event. */
async function announceBack(tx: Tx): Promise<void> {
  await tx.execute(sql`
    delete from lost_agents l where not exists (
      select 1 from agents a where a.id = l.agent_id and ${isUsable(sql`a`, sql`l.organization_id`)})
      or not exists (select 1 from organizations o where o.id = l.organization_id)`)
  const back = await tx.execute<{ organization_id: string; agent_id: string }>(sql`
    delete from lost_agents l where ${isAgentAlive(sql`l.agent_id`)} returning organization_id, agent_id`)
  await store(tx, 'agent.back', back.map(toUse))
}

function toUse(row: { organization_id: string; agent_id: string }): AgentUse {
  return { organizationId: row.organization_id, agentId: row.agent_id }
}

async function store(tx: Tx, kind: 'agent.lost' | 'agent.back', uses: AgentUse[]): Promise<void> {
  const described = await describeAgentUses(tx, uses)
  await storeEvents(
    tx,
    described.map(({ organizationId, agentId, ...payload }) => ({ organizationId, agentId, kind, payload })),
  )
}
