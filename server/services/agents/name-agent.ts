import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { and, eq, or, type SQL } from '#db/drizzle.cjs'
import { matchesAny, matchesRow, matchesRows } from '#db/row-match.ts'
import { insertRows } from '#db/rows.ts'
import { agents, serviceAgents, services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { requireProject } from '../../resources.ts'
import { type EligibleAgent, eligibleAgents } from '../../schedule/placement.ts'
import type { NamedAgent, ServicesToName } from '../../schemas/organization/agents.ts'
import { SKIPPED_MAX } from '../../schemas/toggles.ts'
import { validateTargets } from '../../scripts/validation.ts'
import { lockedBatches, validateBatch } from '../switching.ts'
import type { ServiceRow } from '../view.ts'

/**
 * Lets services name an agent besides those that run them. A service that names none names the open agents too that run it
 * now: it loses no location. Services that are on and whose scripts may not run there are left out. Writes an audit entry
 * per service. The caller has locked the agent, which is always locked before its services.
 * @throws ApiError `not_found` on `projectId` or `serviceIds`
 */
export async function nameAgent(
  tx: Tx,
  ctx: ActorContext,
  agent: { id: string },
  given: ServicesToName,
): Promise<NamedAgent> {
  const within = await selectionOf(tx, ctx, given)
  const leftOut: NamedAgent['leftOut'] = []
  let added = 0
  for await (const batch of within === undefined ? [] : lockedBatches(tx, within)) {
    const refused = await nameInBatch(tx, ctx, agent.id, batch)
    added += refused.added
    leftOut.push(...refused.leftOut)
  }
  return { added, leftOut: leftOut.slice(0, SKIPPED_MAX), leftOutTotal: leftOut.length }
}

/** Returns the condition that selects the services; undefined for none. */
async function selectionOf(
  tx: Tx,
  ctx: ActorContext,
  { projectId, serviceIds = [] }: ServicesToName,
): Promise<SQL | undefined> {
  const own = reachesService(ctx.actor, 'write')
  const picked = serviceIds.length === 0 ? undefined : (and(anyOf(services.id, serviceIds), own) as SQL)
  if (picked && (await tx.$count(services, picked)) !== serviceIds.length) throw notFound('serviceIds')
  if (projectId === undefined) return picked
  const project = await requireProject({ ...ctx, db: tx }, projectId, 'write', 'projectId')
  return or(and(matchesRow(services.projectId, project), own), picked)
}

async function nameInBatch(
  tx: Tx,
  ctx: ActorContext,
  agentId: string,
  batch: ServiceRow[],
): Promise<Pick<NamedAgent, 'added' | 'leftOut'>> {
  const before = await namedBy(tx, batch)
  const joining = batch.filter(({ id }) => !before.get(id)?.some((agent) => agent.id === agentId))
  const eligible = await eligibleAgents(
    tx,
    joining.filter(({ id }) => !before.has(id)),
  )
  const rows = joining.flatMap(({ organizationId, id: serviceId }) =>
    [agentId, ...runningNow(eligible.get(serviceId) ?? [])].map((id) => ({ organizationId, serviceId, agentId: id })),
  )
  await insertRows(tx, serviceAgents, rows)
  const refusals = await validateBatch(
    tx,
    ctx,
    joining.filter((row) => row.isActive),
    validateTargets,
  )
  const refused = joining.filter(({ id }) => refusals.has(id))
  await removeAgain(tx, ctx, refused, before, agentId)
  const named = joining.filter(({ id }) => !refusals.has(id))
  const after = await namedBy(tx, named)
  await audit(
    tx,
    ctx,
    ...named.map(({ id, name }) => ({
      action: 'service.agents',
      entityType: 'service',
      entityId: id,
      entityName: name,
      details: { slugs: (after.get(id) ?? []).map(({ slug }) => slug).sort() },
    })),
  )
  const leftOut = refused.map(({ id, name }) => ({ id, name, reason: refusals.get(id) ?? '' }))
  return { added: named.length, leftOut }
}

/** The open agents that run a service: without those that are gone for long, which a run on all agents would miss. */
function runningNow(open: readonly EligibleAgent[]): string[] {
  const known = open.filter(({ isAlive, isKnown }) => isAlive || isKnown)
  return (known.length > 0 ? known : open).map(({ id }) => id)
}

/** Services that named no agent before name none again. */
async function removeAgain(
  tx: Tx,
  { actor }: ActorContext,
  refused: ServiceRow[],
  before: ReadonlyMap<string, unknown>,
  agentId: string,
): Promise<void> {
  const ids = refused.map(({ id }) => id)
  const unnamed = ids.filter((id) => !before.has(id))
  const ofServices = (of: string[]) => matchesAny(serviceAgents.serviceId, actor.organizationId, of)
  if (ids.length > 0) await tx.delete(serviceAgents).where(and(ofServices(ids), eq(serviceAgents.agentId, agentId)))
  if (unnamed.length > 0) await tx.delete(serviceAgents).where(ofServices(unnamed))
}

/** Returns the agents that services name; a service that names none has no entry. */
async function namedBy(tx: Tx, rows: ServiceRow[]): Promise<Map<string, { id: string; slug: string }[]>> {
  if (rows.length === 0) return new Map()
  const found = await tx
    .select({ serviceId: serviceAgents.serviceId, id: agents.id, slug: agents.slug })
    .from(serviceAgents)
    .innerJoin(agents, eq(agents.id, serviceAgents.agentId))
    .where(matchesRows(serviceAgents.serviceId, rows))
  const named = new Map<string, { id: string; slug: string }[]>()
  for (const { serviceId, ...agent } of found) named.set(serviceId, [...(named.get(serviceId) ?? []), agent])
  return named
}
