import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { byName } from '#db/order.ts'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { AgentCreate, AgentSlug, AgentState } from '../schemas/agent-administration.ts'
import { orgSessionProcedure, router } from '../trpc.ts'

/** A worker is alive while its heartbeat is younger than this, in seconds. */
const ALIVE_SECONDS = 30

const list = orgSessionProcedure('settings', 'read')
  .output(z.array(AgentState))
  .query(({ ctx }) => readStates(ctx))

const create = orgSessionProcedure('settings', 'write')
  .input(AgentCreate)
  .output(AgentState)
  .mutation(async ({ ctx, input }) => {
    await ctx.db.transaction(async (tx) => {
      const row = { id: uuidv7(), ...input, organizationId: ctx.actor.organizationId, createdAt: ctx.now() }
      await tx.insert(agents).values(row)
      await audit(tx, ctx, {
        action: 'agent.create',
        entityType: 'agent',
        entityId: row.id,
        entityName: row.slug,
        details: { label: row.label },
      })
    })
    return requireState(ctx, input.slug)
  })

const setActive = orgSessionProcedure('settings', 'write')
  .input(z.object({ slug: AgentSlug, isActive: z.boolean() }))
  .output(AgentState)
  .mutation(async ({ ctx, input }) => {
    await ctx.db.transaction(async (tx) => {
      // Shared agents belong to the installation, so they are absent here.
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

export const agentAdministrationRouter = router({ list, create, setActive })

async function readStates(ctx: ActorContext): Promise<AgentState[]> {
  const fresh = sql`now() - make_interval(secs => ${ALIVE_SECONDS})`
  const rows = await ctx.db
    .select({
      slug: agents.slug,
      label: agents.label,
      isActive: agents.isActive,
      organizationId: agents.organizationId,
      createdAt: agents.createdAt,
      liveWorkers: sql<number>`count(${workers.id}) filter (where ${workers.heartbeatAt} > ${fresh})::int`,
      lastSeenAt: sql<Date | null>`max(${workers.heartbeatAt})`.mapWith(workers.heartbeatAt),
    })
    .from(agents)
    .leftJoin(workers, eq(workers.agentId, agents.id))
    .where(or(isNull(agents.organizationId), eq(agents.organizationId, ctx.actor.organizationId)))
    .groupBy(agents.id)
    .orderBy(byName(agents.slug))
  return rows.map(({ organizationId, ...row }) => ({
    ...row,
    isShared: organizationId === null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }))
}

async function requireState(ctx: ActorContext, slug: string): Promise<AgentState> {
  const state = (await readStates(ctx)).find((agent) => agent.slug === slug)
  if (!state) throw notFound()
  return state
}
