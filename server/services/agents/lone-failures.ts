import { sql } from '#db/drizzle.cjs'
import { reachesService } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { isUsable } from '../../schedule/usable-agents.ts'
import type { LoneAgent } from '../../schemas/agents.ts'

/** Fewer services say little about an agent. */
const COMPARED_MIN = 5

/** Whether what an agent saw last, in the row `s`, is not older than an hour. */
const IS_RECENT = sql`s.started_at > now() - interval '1 hour'`

/**
 * Returns the agents that alone fail at least half of the services that all other agents pass, of what the caller can see.
 * Compares the latest result of each service on each agent, if it is not older than an hour. By slug. Usually few services
 * fail, and nothing is compared.
 */
export async function readLoneAgents(ctx: ActorContext): Promise<(LoneAgent & { id: string })[]> {
  const organization = sql`${ctx.actor.organizationId}::uuid`
  return ctx.db.execute<LoneAgent & { id: string }>(sql`
    with suspects as materialized (
      select s.agent_id from service_agent_states s
      where s.organization_id = ${organization} and s.status <> 'success' and ${IS_RECENT}
      group by s.agent_id having count(*) * 2 >= ${COMPARED_MIN} limit 1),
    seen as (
      select s.agent_id, (s.status <> 'success')::int as failed, count(*) over of_service as agents,
        count(*) filter (where s.status <> 'success') over of_service as failing
      from services join service_agent_states s on (s.organization_id, s.service_id) = (services.organization_id, services.id)
        join agents a on a.id = s.agent_id and ${isUsable(sql`a`, organization)}
      where exists (select from suspects) and ${reachesService(ctx.actor, 'visible')} and services.is_active
        and ${IS_RECENT}
      window of_service as (partition by s.service_id)),
    compared as (
      select agent_id, sum(failed)::int as failed, count(*)::int as compared
      from seen where agents > 1 and failing = failed group by agent_id)
    select a.id, a.slug, a.label, c.failed, c.compared from compared c join agents a on a.id = c.agent_id
    where c.compared >= ${COMPARED_MIN} and c.failed * 2 >= c.compared
    order by a.slug`)
}
