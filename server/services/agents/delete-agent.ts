import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import { lostAgents } from '#db/schema/alerts.ts'
import { agents, serviceAgents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { releaseRunsOf } from '../../schedule/agent-runs.ts'
import { validateTargets } from '../../scripts/validation.ts'
import { lockedBatches, switchBatch, validateBatch } from '../switching.ts'
import type { ServiceRow } from '../view.ts'
import { namesAgent } from './named-services.ts'

export type SwitchedOff = { id: string; name: string; reason: string }

/**
 * Deletes an agent with its keys. Its services name `replacement` instead, if they name no other agent; without one,
 * they may run on any shared agent. Services that are on are judged again where they run now, and switched off if that
 * refuses them. Writes an audit entry per service; the caller audits the removal. The caller has locked the agent,
 * which is always locked before its services, keys and processes.
 * @returns the services that were switched off
 */
export async function deleteAgent(
  tx: Tx,
  ctx: ActorContext,
  agent: { id: string; slug: string },
  replacement: { id: string; slug: string } | null,
): Promise<SwitchedOff[]> {
  const switchedOff: SwitchedOff[] = []
  for await (const batch of lockedBatches(tx, namesAgent(ctx.actor.organizationId, agent.id))) {
    await replaceAgent(tx, ctx, batch, agent, replacement)
    switchedOff.push(...(await judgeAgain(tx, ctx, batch)))
  }
  await releaseRunsOf(tx, agent.id)
  await tx.delete(workers).where(eq(workers.agentId, agent.id))
  await tx.delete(lostAgents).where(eq(lostAgents.agentId, agent.id))
  await tx.delete(agents).where(eq(agents.id, agent.id))
  return switchedOff
}

async function replaceAgent(
  tx: Tx,
  ctx: ActorContext,
  rows: ServiceRow[],
  agent: { id: string },
  replacement: { id: string } | null,
): Promise<void> {
  await tx
    .delete(serviceAgents)
    .where(and(matchesRows(serviceAgents.serviceId, rows), eq(serviceAgents.agentId, agent.id)))
  const before = await namedBy(tx, rows)
  const orphans = rows.filter((row) => !before.has(row.id))
  if (replacement && orphans.length > 0) {
    const { organizationId } = ctx.actor
    await tx
      .insert(serviceAgents)
      .values(orphans.map((row) => ({ organizationId, serviceId: row.id, agentId: replacement.id })))
  }
  const after = replacement ? await namedBy(tx, rows) : before
  await audit(
    tx,
    ctx,
    ...rows.map((row) => ({
      action: 'service.agents',
      entityType: 'service',
      entityId: row.id,
      entityName: row.name,
      details: { slugs: (after.get(row.id) ?? []).sort() },
    })),
  )
}

/** Returns the slugs that services name; a service that names no agent has no entry. */
async function namedBy(tx: Tx, services: readonly RowKey<string>[]): Promise<Map<string, string[]>> {
  const rows = await tx
    .select({ serviceId: serviceAgents.serviceId, slug: agents.slug })
    .from(serviceAgents)
    .innerJoin(agents, eq(agents.id, serviceAgents.agentId))
    .where(matchesRows(serviceAgents.serviceId, services))
  const found = new Map<string, string[]>()
  for (const { serviceId, slug } of rows) found.set(serviceId, [...(found.get(serviceId) ?? []), slug])
  return found
}

/** Switches off the services whose scripts may not run where they run now. */
async function judgeAgain(tx: Tx, ctx: ActorContext, rows: ServiceRow[]): Promise<SwitchedOff[]> {
  const active = rows.filter((row) => row.isActive)
  const refusals = await validateBatch(tx, ctx, active, validateTargets)
  const refused = active.filter((row) => refusals.has(row.id))
  await switchBatch(tx, ctx, refused, false)
  return refused.map(({ id, name }) => ({ id, name, reason: refusals.get(id) ?? '' }))
}
