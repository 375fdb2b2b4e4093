import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { uuids } from '#db/any-of.ts'
import { services } from '#db/schema/resources.ts'
import { reachesService } from '../access.ts'
import { findLostAgents, isMissed, namesAgent, namesNoAgent } from '../alerts/lost-agents.ts'
import { isUsable } from '../schedule/usable-agents.ts'
import { Agent, LostAgent, LostAgentsQuery } from '../schemas/agents.ts'
import { memberProcedure, router, sessionProcedure } from '../trpc.ts'
import { activeAgents } from './services/agents.ts'

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/agents',
      operationId: 'listAgents',
      summary: 'List the agents that services may run on',
      description:
        'The active agents of the installation and of the organization, by slug. Nothing tells of their place or health.',
      tags: ['Agents'],
    },
  })
  .output(z.array(Agent))
  .query(async ({ ctx }) => {
    const found = await activeAgents(ctx.db, ctx.actor.organizationId)
    return found.map(({ slug, label }) => ({ slug, label }))
  })

/**
 * The lost agents that active services need, or whose observations of the last day these services show. Without a lost
 * agent, which is the rule, this reads only the agents.
 */
const lost = sessionProcedure
  .input(LostAgentsQuery)
  .output(z.array(LostAgent))
  .query(async ({ ctx, input }) => {
    const found = await findLostAgents(ctx.db)
    if (found.length === 0) return []
    const ids = found.map(({ id }) => id)
    const rows = await ctx.db.execute<{ id: string }>(sql`
      with lost as materialized (
        select a.id, ${isMissed(sql`${ctx.actor.organizationId}::uuid`)} as is_missed from agents a
        where a.id = any(${uuids(ids)}) and ${isUsable(sql`a`, sql`${ctx.actor.organizationId}::uuid`)})
      select lost.id from lost where exists (
        select 1 from services
        where ${isWithin(input)} and ${reachesService(ctx.actor, 'visible')} and services.is_active
          and (${namesAgent(sql`services`, sql`lost`)} or (lost.is_missed and ${namesNoAgent(sql`services`)}) or exists (
            select 1 from previous_results p
            where p.service_id = services.id and p.agent_id = lost.id and p.started_at > now() - interval '1 day')))`)
    return found
      .filter(({ id }) => rows.some((row) => row.id === id))
      .map(({ slug, label, last_seen_at }) => ({ slug, label, lastSeenAt: new Date(last_seen_at).toISOString() }))
  })

export const agentsRouter = router({ list, lost })

function isWithin({ workspaceId, projectId, serviceId }: LostAgentsQuery): SQL {
  if (serviceId) return sql`${services.id} = ${serviceId}`
  if (projectId) return sql`${services.projectId} = ${projectId}`
  if (workspaceId) return sql`${services.projectId} in (select id from projects where workspace_id = ${workspaceId})`
  return sql`true`
}
