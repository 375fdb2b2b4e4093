import { and, asc, eq, type SQL } from 'drizzle-orm'
import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import { type AuditEntry, audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { requireProject } from '../../resources.ts'
import { syncSchedule } from '../../schedule/schedules.ts'
import {
  BulkCount,
  BulkLabel,
  BulkMove,
  BulkResult,
  BulkSchedule,
  BulkToggle,
  Selection,
  type ServiceOutcome,
} from '../../schemas/bulk.ts'
import { targetHostsOf, validateSchedule, validationOf } from '../../scripts/validation.ts'
import { deleteServices } from '../../services/deletions.ts'
import { readScriptContext, updateService } from '../../services/lock-service.ts'
import { changed, skipped, unchanged } from '../../services/outcomes.ts'
import { lockProjects, lockWorkspaces } from '../../services/remove-services.ts'
import { switchServices, validateBatch } from '../../services/switching.ts'
import { storedTimezone } from '../../services/timezone.ts'
import type { ServiceRow } from '../../services/view.ts'
import { router, sessionProcedure } from '../../trpc.ts'

// Operations on services selected in the dashboard. All of them must be within reach. Each operation is one transaction:
// it changes the services that it may, skips the others with an error code as the reason, and returns what it did to each.

const toggle = sessionProcedure
  .input(BulkToggle)
  .output(BulkResult)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const selected = await requireSelection(tx, ctx, input.ids)
      return { services: await switchServices(tx, ctx, selected, input.isActive) }
    }),
  )

/** Skips a service whose script forbids the new schedule. */
const setSchedule = sessionProcedure
  .input(BulkSchedule)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids, schedule, timezone: given } }) => {
    const isKept = given === undefined || given === ''
    const zone = isKept ? null : storedTimezone(given)
    return changeEach(ctx, ids, async (tx, row) => {
      const timezone = isKept ? row.timezone : zone
      const changes = {
        ...(row.schedule !== schedule && { schedule }),
        ...(row.timezone !== timezone && { timezone }),
      }
      if (Object.keys(changes).length === 0) return unchanged(row)
      const refusal = await refusalReason(tx, ctx, { ...row, schedule })
      if (refusal) return skipped(row, refusal)
      const rescheduled = await updateService(tx, row, changes)
      await syncSchedule(tx, rescheduled, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
      await audit(tx, ctx, entryOf(row, 'service.update', changedFields(row, changes)))
      return changed(row)
    })
  })

const setLabel = sessionProcedure
  .input(BulkLabel)
  .output(BulkResult)
  .mutation(({ ctx, input }) =>
    changeEach(ctx, input.ids, async (tx, row) => {
      const label = input.label || null
      if (row.label === label) return unchanged(row)
      await updateService(tx, row, { label })
      await audit(tx, ctx, entryOf(row, 'service.update', changedFields(row, { label })))
      return changed(row)
    }),
  )

/**
 * Skips a service whose name the project already has, or gets from a service that is moved before it.
 * @throws ApiError `already_exists` when another request takes one of the names at the same time: nothing is moved
 */
const move = sessionProcedure
  .input(BulkMove)
  .output(BulkResult)
  .mutation(async ({ ctx, input }) => {
    const project = await requireProject(ctx, input.projectId, 'write', 'projectId')
    const inProject = matchesRow(services.projectId, project)
    const lockTarget = async (tx: Tx) => {
      await lockWorkspaces(tx, project.organizationId, [project.workspaceId])
      if ((await lockProjects(tx, project.organizationId, [project.id])) === 0) throw notFound()
    }
    const moveOne = async (tx: Tx, row: ServiceRow) => {
      if (row.projectId === project.id) return unchanged(row)
      if ((await tx.$count(services, and(inProject, eq(services.name, row.name)))) > 0)
        return skipped(row, 'already_exists')
      const moved = await updateService(tx, row, { projectId: project.id })
      // The variables of the other project can name other hosts.
      await validateBatch(tx, ctx, [moved], targetHostsOf)
      const details = { from: row.projectId, to: project.id, project: project.name }
      await audit(tx, ctx, entryOf(row, 'service.move', details))
      return changed(row)
    }
    return changeEach(ctx, input.ids, moveOne, lockTarget)
  })

const remove = sessionProcedure
  .input(Selection)
  .output(BulkCount)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const selected = await requireSelection(tx, ctx, input.ids)
      const rows = await tx.select().from(services).where(selected)
      const removed = await deleteServices(tx, ctx, selected)
      await audit(tx, ctx, ...rows.map((row) => entryOf(row, 'service.delete', { projectId: row.projectId })))
      return { matched: rows.length, changed: removed }
    }),
  )

export const servicesBulkRouter = router({ toggle, setSchedule, setLabel, move, remove })

/** Returns the condition that selects the services. @throws ApiError `not_found` when one is absent or out of reach */
async function requireSelection(tx: Tx, ctx: ActorContext, ids: string[]): Promise<SQL> {
  const selected = and(anyOf(services.id, ids), reachesService(ctx.actor, 'write')) as SQL
  if ((await tx.$count(services, selected)) !== ids.length) throw notFound()
  return selected
}

/**
 * Changes the services one after the other, in one transaction. `lockFirst` locks the resources above the services
 * first: locks go from the top down. @throws ApiError `not_found` as `requireSelection`
 */
function changeEach(
  ctx: ActorContext,
  ids: string[],
  change: (tx: Tx, row: ServiceRow) => Promise<ServiceOutcome>,
  lockFirst?: (tx: Tx) => Promise<void>,
): Promise<BulkResult> {
  return ctx.db.transaction(async (tx) => {
    await lockFirst?.(tx)
    const outcomes: ServiceOutcome[] = []
    for (const row of await lockSelection(tx, ctx, ids)) outcomes.push(await change(tx, row))
    return { services: outcomes }
  })
}

/** Locks the services ordered by id, as every bulk change does. @throws ApiError `not_found` as `requireSelection` */
async function lockSelection(tx: Tx, ctx: ActorContext, ids: string[]): Promise<ServiceRow[]> {
  const rows = await tx
    .select()
    .from(services)
    .where(and(anyOf(services.id, ids), reachesService(ctx.actor, 'write')))
    .orderBy(asc(services.id))
    .for('no key update', { of: services })
  if (rows.length !== ids.length) throw notFound()
  return rows
}

async function refusalReason(tx: Tx, ctx: ActorContext, row: ServiceRow): Promise<string | null> {
  if (row.script === null) return null
  const context = await readScriptContext(tx, ctx, { ...row, script: row.script })
  const { refusal } = validationOf(() => {
    validateSchedule(context)
    return row.targetHosts
  })
  return refusal?.api ?? null
}

function entryOf(row: ServiceRow, action: string, details: Record<string, unknown>): AuditEntry {
  return { action, entityType: 'service', entityId: row.id, entityName: row.name, details }
}
