import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { alertEvents } from '#db/schema/alerts.ts'
import { agentExclusions, agents } from '#db/schema/resources.ts'
import { readEventPage } from '../../alerts/alerts/event-page.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid, fieldRequired, notFound } from '../../errors.ts'
import { releaseRunsOf } from '../../schedule/agent-runs.ts'
import { AgentHistory } from '../../schemas/agents.ts'
import { AlertEventPage } from '../../schemas/alerts/events.ts'
import { PageQuery } from '../../schemas/conventions.ts'
import {
  AgentActivation,
  AgentCreate,
  AgentCreated,
  AgentRemoval,
  AgentRemoved,
  AgentServices,
  AgentServicesToName,
  AgentSlug,
  AgentState,
  AgentUpdate,
  NamedAgent,
} from '../../schemas/organization/agents.ts'
import { SKIPPED_MAX } from '../../schemas/toggles.ts'
import { readAgentHistory } from '../../services/agents/agent-history.ts'
import { isVisible, readAgentStates, requireAgentState } from '../../services/agents/agent-states.ts'
import { deleteAgent } from '../../services/agents/delete-agent.ts'
import { nameAgent } from '../../services/agents/name-agent.ts'
import { readServicesNaming } from '../../services/agents/named-services.ts'
import { createOwnAgent, requireNotShared } from '../../services/agents/own-agents.ts'
import { orgSessionProcedure, requireSection, router } from '../../trpc.ts'
import { activeAgents } from '../services/agents.ts'
import { agentsReadProcedure, enrol, keys, revoke } from './agent-keys.ts'

type AgentRow = typeof agents.$inferSelect

const OneAgent = z.object({ slug: AgentSlug })

const list = agentsReadProcedure.output(z.array(AgentState)).query(({ ctx }) => readAgentStates(ctx))

const get = agentsReadProcedure
  .input(OneAgent)
  .output(AgentState)
  .query(({ ctx, input }) => requireAgentState(ctx, input))

const history = agentsReadProcedure
  .input(OneAgent)
  .output(AgentHistory)
  .query(({ ctx, input }) => readAgentHistory(ctx, input))

/** The services that name an agent: what its removal or its switching off concerns. */
const services = agentsReadProcedure
  .input(OneAgent)
  .output(AgentServices)
  .query(async ({ ctx, input }) => readServicesNaming(ctx.db, ctx, (await requireAgentState(ctx, input)).id))

/** Creates a remote agent of the organization, which the chosen services name. It gets their secrets. */
const create = orgSessionProcedure('workspaces', 'write')
  .input(AgentCreate)
  .output(AgentCreated)
  .mutation(async ({ ctx, input }) => {
    const { slug, label, ...chosen } = input
    const named = await ctx.db.transaction(async (tx) => {
      const id = await createOwnAgent(tx, ctx, { slug, label })
      return nameAgent(tx, ctx, { id }, chosen)
    })
    return { ...(await requireAgentState(ctx, { slug })), services: named }
  })

/** Lets further services name an agent that the organization can use. */
const addServices = orgSessionProcedure('workspaces', 'write')
  .input(AgentServicesToName)
  .output(NamedAgent)
  .mutation(({ ctx, input: { slug, ...chosen } }) =>
    ctx.db.transaction(async (tx) => {
      // As `setServiceAgents`: it keeps the agent from being removed, and does not hold up its heartbeats.
      const row = await lockAgent(tx, ctx, slug, 'key share')
      const usable = await activeAgents(tx, ctx.actor.organizationId)
      if (!usable.some(({ id }) => id === row.id)) throw fieldInvalid('slug', 'must name an agent that is switched on')
      return nameAgent(tx, ctx, row, chosen)
    }),
  )

/** Changes the label and the slug of the organization's agent. */
const update = orgSessionProcedure('settings', 'write')
  .input(AgentUpdate)
  .output(AgentState)
  .mutation(async ({ ctx, input }) => {
    const { label, newSlug } = input
    const changes = { ...(label !== undefined && { label }), ...(newSlug !== undefined && { slug: newSlug }) }
    await ctx.db.transaction(async (tx) => {
      const row = await lockOwnAgent(tx, ctx, input.slug)
      if (newSlug !== undefined && newSlug !== row.slug) await requireNotShared(tx, newSlug)
      if (Object.keys(changes).length > 0) await tx.update(agents).set(changes).where(eq(agents.id, row.id))
      await audit(tx, ctx, entryOf('agent.update', row, changedFields(row, changes)))
    })
    return requireAgentState(ctx, { slug: newSlug ?? input.slug })
  })

/** Switches the organization's agent on or off, or a shared one for this organization only. */
const setActive = orgSessionProcedure('settings', 'write')
  .input(AgentActivation)
  .output(AgentState)
  .mutation(async ({ ctx, input }) => {
    await ctx.db.transaction(async (tx) => {
      const row = await lockAgent(tx, ctx, input.slug)
      if (row.organizationId === null) await exclude(tx, ctx, row, !input.isActive)
      else await tx.update(agents).set({ isActive: input.isActive }).where(eq(agents.id, row.id))
      if (row.organizationId !== null && !input.isActive) await releaseRunsOf(tx, row.id)
      await audit(tx, ctx, entryOf(input.isActive ? 'agent.activate' : 'agent.deactivate', row))
    })
    return requireAgentState(ctx, input)
  })

/**
 * Removes the organization's agent with its keys. If services name no other agent, the caller says what they run on:
 * another agent, or with null any shared agent. Moving them to another agent of the organization takes write access to
 * them.
 */
const remove = orgSessionProcedure('settings', 'write')
  .input(AgentRemoval)
  .output(AgentRemoved)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockOwnAgent(tx, ctx, input.slug)
      const { onlyThis } = await readServicesNaming(tx, ctx, row.id)
      if (onlyThis > 0 && input.replaceWith === undefined) throw fieldRequired('replaceWith')
      const replacement = input.replaceWith ? await requireReplacement(tx, ctx, row, input.replaceWith) : null
      const off = await deleteAgent(tx, ctx, row, replacement)
      const details = { services: onlyThis, replaceWith: replacement?.slug ?? null, switchedOff: off.length }
      await audit(tx, ctx, entryOf('agent.remove', row, details))
      return { switchedOff: off.slice(0, SKIPPED_MAX), switchedOffTotal: off.length }
    }),
  )

/** Lists when agents were lost and back, newest first, with what became of each event for its recipients. */
const events = agentsReadProcedure
  .input(z.object({ ...PageQuery.shape, slug: AgentSlug.optional() }))
  .output(AlertEventPage)
  .query(async ({ ctx, input: { slug, ...page } }) => {
    const agent = slug === undefined ? null : await requireAgentState(ctx, { slug })
    const own = and(
      eq(alertEvents.organizationId, ctx.actor.organizationId),
      isNull(alertEvents.serviceId),
      agent ? eq(alertEvents.agentId, agent.id) : undefined,
    )
    return readEventPage(ctx, page, own)
  })

export const organizationAgentsRouter = router({
  list,
  get,
  history,
  services,
  events,
  create,
  addServices,
  update,
  setActive,
  remove,
  enrol,
  revoke,
  keys,
})

/** Locks an agent that the organization can see. @throws ApiError `not_found` */
async function lockAgent(
  tx: Tx,
  ctx: ActorContext,
  slug: string,
  strength: 'update' | 'key share' = 'update',
): Promise<AgentRow> {
  const [row] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.slug, slug), isVisible(ctx)))
    .for(strength)
  if (!row) throw notFound('slug')
  return row
}

/** Shared agents belong to the installation: no organization may change them. @throws ApiError `not_found` */
async function lockOwnAgent(tx: Tx, ctx: ActorContext, slug: string): Promise<AgentRow> {
  const row = await lockAgent(tx, ctx, slug)
  if (row.organizationId === null) throw notFound('slug')
  return row
}

async function requireReplacement(tx: Tx, ctx: ActorContext, { id }: AgentRow, slug: string) {
  const usable = await activeAgents(tx, ctx.actor.organizationId)
  const found = usable.find((agent) => agent.slug === slug && agent.id !== id)
  if (!found) throw fieldInvalid('replaceWith', 'must name another agent that is switched on')
  if (!found.isShared) requireSection(ctx, 'workspaces', 'write')
  return found
}

async function exclude(tx: Tx, ctx: ActorContext, { id: agentId }: AgentRow, isExcluded: boolean): Promise<void> {
  const { organizationId } = ctx.actor
  if (isExcluded) await tx.insert(agentExclusions).values({ organizationId, agentId }).onConflictDoNothing()
  else {
    const ofOrganization = eq(agentExclusions.organizationId, organizationId)
    await tx.delete(agentExclusions).where(and(ofOrganization, eq(agentExclusions.agentId, agentId)))
  }
}

function entryOf(action: string, row: { id: string; slug: string }, details?: Record<string, unknown>) {
  return { action, entityType: 'agent', entityId: row.id, entityName: row.slug, ...(details && { details }) }
}
