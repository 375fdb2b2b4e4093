import { and, asc, eq, gte, sql } from '#db/drizzle.cjs'
import { organizations } from '#db/schema/organizations.ts'
import { agentHours, agents } from '#db/schema/resources.ts'
import { operates } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import type { AgentHistory } from '../../schemas/agents.ts'
import { type AgentRef, agentNotFound, isAgent, isVisible } from './agent-states.ts'

/**
 * Returns the hours of the last 30 days in which the agent had a live process. At most 721 rows along the primary key. What
 * a shared agent executes is the work of all organizations, so only the operator sees how much that is.
 */
export async function readAgentHistory(ctx: ActorContext, ref: AgentRef): Promise<AgentHistory> {
  const until = ctx.now()
  const since = new Date(Math.floor((until.getTime() - 30 * DAY_MS) / HOUR_MS) * HOUR_MS)
  const found = await ctx.db
    .select({
      slug: agents.slug,
      createdAt: agents.createdAt,
      showsRuns: sql<boolean>`${agents.organizationId} is not null
        or exists (select from ${organizations} where ${operates(ctx.actor)})`,
      hour: agentHours,
    })
    .from(agents)
    .leftJoin(agentHours, and(eq(agentHours.agentId, agents.id), gte(agentHours.hour, since)))
    .where(and(isAgent(ref), isVisible(ctx)))
    .orderBy(asc(agentHours.hour))
  const [agent] = found
  if (!agent) throw agentNotFound(ref)
  const { slug, showsRuns } = agent
  const rows = found.flatMap(({ hour }) => hour ?? [])
  // Before its first hour the agent did not exist, or nothing was recorded yet.
  const from = Math.max(rows[0]?.hour.getTime() ?? until.getTime(), agent.createdAt.getTime())
  const aliveSeconds = rows.reduce((sum, row) => sum + row.aliveSeconds, 0)
  const seconds = (until.getTime() - from) / 1_000
  return {
    slug,
    since: since.toISOString(),
    until: until.toISOString(),
    availability: rows.length > 0 && seconds > 0 ? Math.min(100, (100 * aliveSeconds) / seconds) : null,
    hours: rows.map((row) => ({
      hour: row.hour.toISOString(),
      aliveSeconds: Math.round(row.aliveSeconds),
      slots: row.slotsMax,
      busyMax: showsRuns ? row.busyMax : null,
      loadMax: row.cpuMax,
      latenessMaxMs: row.latenessMaxMs,
      runs: showsRuns ? row.runs : null,
    })),
  }
}
