import type { Queryable, Tx } from '#db/client.ts'
import { and, asc, eq, sql } from '#db/drizzle.cjs'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { agents as agentTable, serviceAgents } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid } from '../../errors.ts'
import { isOpen, isUsable } from '../../schedule/usable-agents.ts'
import { type Agent, AgentSlugs, AgentsInput } from '../../schemas/agents.ts'
import { AgentSlug } from '../../schemas/organization/agents.ts'
import { validateTargets } from '../../scripts/validation.ts'
import { isVisible } from '../../services/agents/agent-states.ts'
import { isSameList } from '../../services/labels.ts'
import { lockService, readScriptContext } from '../../services/lock-service.ts'
import type { ServiceRow } from '../../services/view.ts'
import { router, serviceProcedure } from '../../trpc.ts'
import { SCRIPT_ERRORS } from './scripts.ts'

const get = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/agents',
      operationId: 'getServiceAgents',
      summary: 'Get the agents a service may run on; an empty array means any open agent',
      description:
        'The slugs that `setServiceAgents` stored, in alphabetical order. An empty array means that any agent which all organizations share, and which is open, may run the service; other agents run only services that name them.',
      tags: ['Services'],
    },
  })
  .output(AgentSlugs)
  .query(({ ctx }) => readAssignedSlugs(ctx.db, ctx.service))

const set = serviceProcedure('write')
  .meta({
    openapi: {
      method: 'PUT',
      path: '/services/{id}/agents',
      operationId: 'setServiceAgents',
      summary: 'Set the agents a service may run on; an empty array means any open agent',
      description:
        'Replaces the list. An empty array means that any agent which all organizations share, and which is open, may run the service; other agents run only services that name them. Agents that are switched off are refused, those that the service names already too. While the service is on, its script is judged again: remote agents may reach other private networks than the installation.',
      tags: ['Services'],
    },
    api: { errors: SCRIPT_ERRORS },
  })
  .input(AgentsInput)
  .output(AgentSlugs)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      // Before the service: the removal of an agent locks in this order too.
      await lockAgents(tx, ctx, input.slugs)
      return assignAgents(tx, ctx, await lockService(tx, ctx.service), input.slugs, 'slugs')
    }),
  )

export const serviceAgentsRouter = router({ get, set })

/**
 * Replaces the agents of a service, which the caller has locked after the agents. Returns their slugs, sorted.
 * @throws ApiError `field_invalid` on `field` for agents that are unknown or switched off; as `validateTargets` while the
 * service is on
 */
export async function assignAgents(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  wanted: string[],
  field: string,
): Promise<string[]> {
  const [active, assigned] = await Promise.all([activeAgents(tx, row.organizationId), readAssignedSlugs(tx, row)])
  const known = new Map(active.map((agent) => [agent.slug, agent.id]))
  const slugs = [...new Set(wanted)].sort()
  const unknown = slugs.filter((slug) => !known.has(slug))
  if (unknown.length > 0) throw fieldInvalid(field, 'names agents that are unknown or inactive', { unknown })
  await tx.delete(serviceAgents).where(matchesRow(serviceAgents.serviceId, row))
  if (slugs.length > 0) {
    await tx.insert(serviceAgents).values(
      slugs.map((slug) => ({
        organizationId: row.organizationId,
        serviceId: row.id,
        agentId: known.get(slug) as string,
      })),
    )
  }
  if (row.isActive && row.script !== null) {
    validateTargets(await readScriptContext(tx, ctx, { ...row, script: row.script }))
  }
  await audit(tx, ctx, {
    action: 'service.agents',
    entityType: 'service',
    entityId: row.id,
    entityName: row.name,
    details: { slugs, ...(isSameList(slugs, assigned) ? { changed: false } : {}) },
  })
  return slugs
}

/** Keeps agents from being removed until the transaction ends. */
export async function lockAgents(tx: Tx, ctx: ActorContext, slugs: string[]): Promise<void> {
  const valid = slugs.filter((slug) => AgentSlug.safeParse(slug).data === slug)
  const named = sql`${agentTable.slug} = any(${`{${valid.join(',')}}`}::text[])`
  await tx
    .select({ id: agentTable.id })
    .from(agentTable)
    .where(and(named, isVisible(ctx)))
    .orderBy(asc(agentTable.id))
    .for('key share')
}

/** Returns the slugs of the agents that a service names, sorted. */
export async function readAssignedSlugs(db: Queryable, service: RowKey<string>): Promise<string[]> {
  const rows = await db
    .select({ slug: agentTable.slug })
    .from(serviceAgents)
    .innerJoin(agentTable, eq(agentTable.id, serviceAgents.agentId))
    .where(matchesRow(serviceAgents.serviceId, service))
  return rows.map(({ slug }) => slug).sort()
}

/** Returns the active agents that an organization's services may run on, shared ones and its own, ordered by slug. */
export async function activeAgents(db: Queryable, organizationId: string): Promise<Agent[]> {
  const { id, slug, label, isRemote, organizationId: owner } = agentTable
  const rows = await db
    .select({ id, slug, label, isRemote, isShared: sql<boolean>`${owner} is null`, isOpen: isOpen(sql`agents`) })
    .from(agentTable)
    .where(isUsable(sql`agents`, sql`${organizationId}::uuid`))
  // Sorted here: the sort order of strings in the database depends on its locale.
  return rows
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map(({ isRemote, ...agent }) => ({ ...agent, kind: isRemote ? 'remote' : 'in-house' }))
}
