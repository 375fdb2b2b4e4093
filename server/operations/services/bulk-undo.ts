import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { and, asc } from '#db/drizzle.cjs'
import { projects } from '#db/schema/resources.ts'
import { reachesProject } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type BulkResult, OWN_REASONS, type ServiceOutcome, type ServiceValues, type Undo } from '../../schemas/bulk.ts'
import { skipped, unchanged } from '../../services/outcomes.ts'
import { lockWorkspaces } from '../../services/remove-services.ts'
import { storedTimezone } from '../../services/timezone.ts'
import type { ServiceRow } from '../../services/view.ts'
import { lockAgents, readAssignedSlugs } from './agents.ts'
import { changeActive, changeAgents, changeLabels, changeProject, changeSchedule } from './bulk-changes.ts'
import { changeEach } from './bulk-selection.ts'

type Project = typeof projects.$inferSelect

/** Sets the values of `to` where a service still has those of `from`. */
export function undoEach(ctx: ActorContext, wanted: (Undo & { serviceId: string })[]): Promise<BulkResult> {
  const byId = new Map(wanted.map(({ serviceId, ...undo }) => [serviceId, undo]))
  let writable = new Map<string, Project>()
  const lockFirst = async (tx: Tx) => {
    await lockAgents(tx, ctx, [...new Set(wanted.flatMap(({ to }) => to.agents ?? []))])
    writable = await lockTargets(tx, ctx, [...new Set(wanted.flatMap(({ to }) => to.projectId ?? []))])
  }
  const undo = async (tx: Tx, row: ServiceRow) => {
    const { from, to } = byId.get(row.id) as Undo
    if (await isChanged(tx, row, from)) return skipped(row, OWN_REASONS.changed)
    return setValues(tx, ctx, row, to, writable)
  }
  return changeEach(ctx, [...byId.keys()], undo, lockFirst)
}

async function isChanged(tx: Tx, row: ServiceRow, { agents, ...fields }: ServiceValues): Promise<boolean> {
  const differs = Object.entries(fields).some(
    ([field, value]) => JSON.stringify(row[field as keyof ServiceRow]) !== JSON.stringify(value),
  )
  if (differs || agents === undefined) return differs
  return (await readAssignedSlugs(tx, row)).join() !== agents.join()
}

/** Sets one kind of values, which is what each bulk operation changes. */
function setValues(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  { isActive, labels, agents, projectId, schedule, timezone }: ServiceValues,
  writable: Map<string, Project>,
): ServiceOutcome | Promise<ServiceOutcome> {
  if (isActive !== undefined) return changeActive(tx, ctx, row, isActive)
  if (labels !== undefined) return changeLabels(tx, ctx, row, labels)
  if (agents !== undefined) return changeAgents(tx, ctx, row, agents)
  if (schedule !== undefined) {
    const zone = timezone === undefined ? row.timezone : storedTimezone(timezone)
    return changeSchedule(tx, ctx, row, { schedule, timezone: zone })
  }
  if (projectId === undefined) return unchanged(row)
  const project = writable.get(projectId)
  if (!project) throw notFound('projectId')
  return changeProject(tx, ctx, row, project)
}

/** Locks the projects that the member may write, after their workspaces. Returns them by id. */
async function lockTargets(tx: Tx, ctx: ActorContext, ids: string[]): Promise<Map<string, Project>> {
  if (ids.length === 0) return new Map()
  const isTarget = and(anyOf(projects.id, ids), reachesProject(ctx.actor, 'write'))
  const rows = await tx.select().from(projects).where(isTarget)
  const { organizationId } = ctx.actor
  await lockWorkspaces(tx, organizationId, [...new Set(rows.map(({ workspaceId }) => workspaceId))])
  // Those that are not deleted by now.
  const locked = await tx.select().from(projects).where(isTarget).orderBy(asc(projects.id)).for('key share')
  return new Map(locked.map((row) => [row.id, row]))
}
