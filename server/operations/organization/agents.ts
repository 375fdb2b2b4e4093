import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { byName } from '#db/order.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { readEventPage } from '../../alerts/event-page.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isWorkerAlive } from '../../schedule/agent-liveness.ts'
import { AlertEventPage } from '../../schemas/alerts/events.ts'
import { PageQuery } from '../../schemas/conventions.ts'
import { AgentCreate, AgentSlug, AgentState, type AgentWorker } from '../../schemas/organization/agents.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'

/** A live worker that takes nothing for this long while runs are queued is stalled. Longer than a run lasts by default. */
const STALLED_SECONDS = 90

const list = orgSessionProcedure('settings', 'read')
  .output(z.array(AgentState))
  .query(({ ctx }) => readStates(ctx))

const create = orgSessionProcedure('settings', 'write')
  .input(AgentCreate)
  .output(AgentState)
  .mutation(async ({ ctx, input }) => {
    const createdAt = ctx.now()
    await ctx.db.transaction(async (tx) => {
      const row = { id: uuidv7(), ...input, organizationId: ctx.actor.organizationId, createdAt }
      await tx.insert(agents).values(row)
      await audit(tx, ctx, {
        action: 'agent.create',
        entityType: 'agent',
        entityId: row.id,
        entityName: row.slug,
        details: { label: row.label },
      })
    })
    return {
      ...input,
      isActive: true,
      isShared: false,
      liveWorkers: 0,
      isLost: false,
      workers: [],
      lastSeenAt: null,
      createdAt: createdAt.toISOString(),
    }
  })

const setActive = orgSessionProcedure('settings', 'write')
  .input(z.object({ slug: AgentSlug, isActive: z.boolean() }))
  .output(AgentState)
  .mutation(async ({ ctx, input }) => {
    await ctx.db.transaction(async (tx) => {
      // Shared agents belong to the installation: no organization may change them.
      const [row] = await tx
        .update(agents)
        .set({ isActive: input.isActive })
        .where(and(eq(agents.slug, input.slug), eq(agents.organizationId, ctx.actor.organizationId)))
        .returning({ id: agents.id })
      if (!row) throw notFound()
      await audit(tx, ctx, {
        action: input.isActive ? 'agent.activate' : 'agent.deactivate',
        entityType: 'agent',
        entityId: row.id,
        entityName: input.slug,
      })
    })
    return requireState(ctx, input.slug)
  })

/** Lists when agents were lost and back, newest first, with what became of each event for its recipients. */
const events = orgSessionProcedure('settings', 'read')
  .input(PageQuery)
  .output(AlertEventPage)
  .query(({ ctx, input }) => {
    const own = and(eq(alertEvents.organizationId, ctx.actor.organizationId), isNull(alertEvents.serviceId))
    return readEventPage(ctx, input, own)
  })

export const organizationAgentsRouter = router({ list, events, create, setActive })

async function readStates(ctx: ActorContext): Promise<AgentState[]> {
  const rows = await ctx.db
    .select({
      id: agents.id,
      slug: agents.slug,
      label: agents.label,
      isActive: agents.isActive,
      organizationId: agents.organizationId,
      createdAt: agents.createdAt,
      lastSeenAt: sql<Date | null>`greatest(${agents.lastSeenAt}, max(${workers.heartbeatAt}))`.mapWith(
        workers.heartbeatAt,
      ),
      isLost: sql<boolean>`exists (select 1 from lost_agents l
        where l.agent_id = ${agents.id} and l.organization_id = ${ctx.actor.organizationId})`,
    })
    .from(agents)
    .leftJoin(workers, eq(workers.agentId, agents.id))
    .where(or(isNull(agents.organizationId), eq(agents.organizationId, ctx.actor.organizationId)))
    .groupBy(agents.id)
    .orderBy(byName(agents.slug))
  const alive = await readLiveWorkers(ctx)
  return rows.map(({ id, organizationId, ...row }) => {
    const own = alive.get(id) ?? []
    return {
      ...row,
      isShared: organizationId === null,
      liveWorkers: own.length,
      workers: own,
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    }
  })
}

/** The live workers by agent id, oldest first. */
async function readLiveWorkers({ db, settings }: ActorContext): Promise<Map<string, AgentWorker[]>> {
  const stalledBefore = sql`now() - make_interval(secs => ${STALLED_SECONDS})`
  const rows = await db
    .select({
      id: workers.id,
      agentId: workers.agentId,
      lastSeenAt: workers.heartbeatAt,
      lastTask: workers.lastTask,
      lastTakenAt: workers.lastTakenAt,
      isStalled: sql<boolean>`coalesce(${workers.lastTakenAt}, ${workers.startedAt}) < ${stalledBefore}
        and exists (select 1 from runs r where r.state = 'queued' and r.agent_id = ${workers.agentId}
          and r.created_at < ${stalledBefore})`,
    })
    .from(workers)
    .where(isWorkerAlive(sql`workers`, settings.WORKER_STALE_SECONDS))
    .orderBy(asc(workers.startedAt))
  const found = new Map<string, AgentWorker[]>()
  for (const { agentId, lastSeenAt, lastTakenAt, ...row } of rows) {
    const worker = {
      ...row,
      lastSeenAt: lastSeenAt.toISOString(),
      lastTakenAt: lastTakenAt?.toISOString() ?? null,
    }
    found.set(agentId, [...(found.get(agentId) ?? []), worker])
  }
  return found
}

async function requireState(ctx: ActorContext, slug: string): Promise<AgentState> {
  const state = (await readStates(ctx)).find((agent) => agent.slug === slug)
  if (!state) throw notFound()
  return state
}
