import { z } from 'zod'
import { uuids } from '#db/any-of.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { reachesService } from '../access.ts'
import { findLostAgents, isMissed, namesAgent, namesNoAgent } from '../alerts/alerts/lost-agents.ts'
import { isUsable } from '../schedule/usable-agents.ts'
import { Agent, AgentHealth, AgentHistory, LoneAgent, LostAgent, LostAgentsQuery } from '../schemas/agents.ts'
import { AgentId } from '../schemas/conventions.ts'
import type { AgentState } from '../schemas/organization/agents.ts'
import { readAgentHistory } from '../services/agents/agent-history.ts'
import { requireAgentState } from '../services/agents/agent-states.ts'
import { readLoneAgents } from '../services/agents/lone-failures.ts'
import { memberProcedure, orgProcedure, router, sessionProcedure } from '../trpc.ts'
import { activeAgents } from './services/agents.ts'

const OneAgent = z.object({ id: AgentId })

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/agents',
      operationId: 'listAgents',
      summary: 'List the agents that services may run on',
      description:
        'The agents of the installation and of the organization that are switched on, by slug. `getAgentHealth` returns the state of one.',
      tags: ['Agents'],
    },
  })
  .output(z.array(Agent))
  .query(({ ctx }) => activeAgents(ctx.db, ctx.actor.organizationId))

const health = orgProcedure('settings', 'read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/agents/{id}/health',
      operationId: 'getAgentHealth',
      summary: 'Get the current state of an agent',
      description:
        'Whether the agent is switched on and connected, and the releases, load, clock, address and allowed networks of its running processes. `listAgents` returns the ids.',
      tags: ['Agents'],
    },
    api: { errors: ['insufficient_permissions', 'not_found'] },
  })
  .input(OneAgent)
  .output(AgentHealth)
  .query(async ({ ctx, input }) => {
    const [state, lone] = await Promise.all([requireAgentState(ctx, input), readLoneAgents(ctx)])
    const failing = lone.find(({ id }) => id === state.id)
    return presentHealth(state, failing ? { failed: failing.failed, compared: failing.compared } : null)
  })

const history = orgProcedure('settings', 'read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/agents/{id}/history',
      operationId: 'getAgentHistory',
      summary: 'Get the last 30 days of an agent',
      description:
        'Uptime, load and finished runs of its processes, by the hour. For a shared agent, the numbers of runs cover all organizations, and only the organization of the operator gets them.',
      tags: ['Agents'],
    },
    api: { errors: ['insufficient_permissions', 'not_found'] },
  })
  .input(OneAgent)
  .output(AgentHistory)
  .query(({ ctx, input }) => readAgentHistory(ctx, input))

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
            select 1 from service_agent_states p
            where (p.organization_id, p.service_id) = (services.organization_id, services.id) and p.agent_id = lost.id
              and p.started_at > now() - interval '1 day')))`)
    return found
      .filter(({ id }) => rows.some((row) => row.id === id))
      .map(({ slug, label, last_seen_at }) => ({ slug, label, lastSeenAt: new Date(last_seen_at).toISOString() }))
  })

/** The agents that alone fail what passes on all others. */
const lone = sessionProcedure.output(z.array(LoneAgent)).query(async ({ ctx }) => {
  const found = await readLoneAgents(ctx)
  return found.map(({ id: _, ...agent }) => agent)
})

export const agentsRouter = router({ list, health, history, lost, lone })

function presentHealth(state: AgentState, failsAlone: AgentHealth['failsAlone']): AgentHealth {
  const {
    id,
    slug,
    isActive,
    processes,
    versions,
    capacity,
    load,
    latenessMs,
    clockOffsetMs,
    lastSeenAt,
    allowedNetworks,
  } = state
  const newest = processes.at(-1)
  return {
    ...{ id, slug, isActive, isAlive: processes.length > 0, processes: processes.length, versions },
    ...{ version: newest?.version ?? null, address: newest?.address ?? null },
    ...{ capacity, load, latenessMs, clockOffsetMs, lastSeenAt, allowedNetworks, failsAlone },
  }
}

function isWithin({ workspaceId, projectId, serviceId }: LostAgentsQuery): SQL {
  if (serviceId) return sql`${services.id} = ${serviceId}`
  if (projectId) return sql`${services.projectId} = ${projectId}`
  if (workspaceId)
    return sql`${services.projectId} in (select p.id from projects p
      where p.organization_id = ${services.organizationId} and p.workspace_id = ${workspaceId})`
  return sql`true`
}
