import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { type AuditEntry, audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { syncSchedule } from '../../schedule/schedules.ts'
import type { ServiceOutcome } from '../../schemas/bulk.ts'
import { targetHostsOf, validateForEnable, validateSchedule } from '../../scripts/validation.ts'
import { isSameList } from '../../services/labels.ts'
import { readScriptContext, updateService } from '../../services/lock-service.ts'
import { changed, unchanged } from '../../services/outcomes.ts'
import { switchService, validateBatch } from '../../services/switching.ts'
import type { ServiceRow } from '../../services/view.ts'
import { assignAgents, readAssignedSlugs } from './agents.ts'

// What bulk operations change of one service that the caller has locked. A change that is not allowed throws an
// `ApiError`, and may have written something by then: the caller runs each within a savepoint.

/** Needs a script that validates to switch on. @throws ApiError `script_missing`, and as `validateForEnable` */
export async function changeActive(tx: Tx, ctx: ActorContext, row: ServiceRow, isActive: boolean) {
  if (row.isActive === isActive) return unchanged(row)
  const { script } = row
  if (isActive && script === null) throw new ApiError('script_missing')
  const hosts =
    isActive && script !== null ? validateForEnable(await readScriptContext(tx, ctx, { ...row, script })) : undefined
  await switchService(tx, ctx, row, isActive, hosts)
  return changed(row, { from: { isActive }, to: { isActive: row.isActive } })
}

/** @throws ApiError as `validateSchedule`, if the script forbids the schedule */
export async function changeSchedule(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  wanted: { schedule: string; timezone: string | null },
): Promise<ServiceOutcome> {
  const { schedule, timezone, script } = row
  if (schedule === wanted.schedule && timezone === wanted.timezone) return unchanged(row)
  if (script !== null) validateSchedule(await readScriptContext(tx, ctx, { ...row, schedule: wanted.schedule, script }))
  const rescheduled = await updateService(tx, row, wanted)
  await syncSchedule(tx, rescheduled, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
  await audit(tx, ctx, entryOf(row, 'service.update', changedFields(row, wanted)))
  return changed(row, { from: wanted, to: { schedule, timezone } })
}

export async function changeLabels(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  labels: string[],
): Promise<ServiceOutcome> {
  if (isSameList(row.labels, labels)) return unchanged(row)
  await updateService(tx, row, { labels })
  await audit(tx, ctx, entryOf(row, 'service.update', changedFields(row, { labels })))
  return changed(row, { from: { labels }, to: { labels: row.labels } })
}

/** The caller has locked the agents. @throws ApiError as `assignAgents` */
export async function changeAgents(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  slugs: string[],
): Promise<ServiceOutcome> {
  const before = await readAssignedSlugs(tx, row)
  const agents = [...new Set(slugs)].sort()
  if (isSameList(before, agents)) return unchanged(row)
  await assignAgents(tx, ctx, row, agents, 'agents')
  return changed(row, { from: { agents }, to: { agents: before } })
}

/** The caller has locked the project. @throws ApiError `already_exists` when the project has a service of this name */
export async function changeProject(
  tx: Tx,
  ctx: ActorContext,
  row: ServiceRow,
  project: { id: string; organizationId: string; name: string },
): Promise<ServiceOutcome> {
  if (row.projectId === project.id) return unchanged(row)
  const inProject = matchesRow(services.projectId, project)
  const isTaken = (await tx.$count(services, and(inProject, eq(services.name, row.name)))) > 0
  if (isTaken) throw new ApiError('already_exists', { field: 'name' })
  const moved = await updateService(tx, row, { projectId: project.id })
  // The variables of the other project can name other hosts.
  await validateBatch(tx, ctx, [moved], targetHostsOf)
  const details = { from: row.projectId, to: project.id, project: project.name }
  await audit(tx, ctx, entryOf(row, 'service.move', details))
  return changed(row, { from: { projectId: project.id }, to: { projectId: row.projectId } })
}

export function entryOf(
  row: Pick<ServiceRow, 'id' | 'name'>,
  action: string,
  details: Record<string, unknown>,
): AuditEntry {
  return { action, entityType: 'service', entityId: row.id, entityName: row.name, details }
}
