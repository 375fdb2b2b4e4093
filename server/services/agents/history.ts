import { and, asc, eq, gte } from 'drizzle-orm'
import { organizations } from '#db/schema/organizations.ts'
import { agentHours, agents } from '#db/schema/resources.ts'
import { operates } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import { notFound } from '../../errors.ts'
import type { AgentHistory } from '../../schemas/agents.ts'
import { isVisible } from './states.ts'

/**
 * Returns the hours of the last 30 days in which the agent had a live process. At most 721 rows along the primary key. What
 * a shared agent executes is the work of all organizations, so only the operator sees how much that is.
 */
export async function readAgentHistory(ctx: ActorContext, slug: string): Promise<AgentHistory> {
  const [agent] = await ctx.db
    .select({ id: agents.id, organizationId: agents.organizationId, createdAt: agents.createdAt })
    .from(agents)
    .where(and(eq(agents.slug, slug), isVisible(ctx)))
  if (!agent) throw notFound('slug')
  const showsRuns = agent.organizationId !== null || (await ctx.db.$count(organizations, operates(ctx.actor))) > 0
  const until = ctx.now()
  const since = new Date(Math.floor((until.getTime() - 30 * DAY_MS) / HOUR_MS) * HOUR_MS)
  const rows = await ctx.db
    .select()
    .from(agentHours)
    .where(and(eq(agentHours.agentId, agent.id), gte(agentHours.hour, since)))
    .orderBy(asc(agentHours.hour))
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
