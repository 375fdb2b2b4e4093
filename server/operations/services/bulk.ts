import { and, asc, type SQL } from 'drizzle-orm'
import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import { type AuditEntry, audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { requireProject } from '../../resources.ts'
import { syncSchedule } from '../../schedule/schedules.ts'
import { BulkCount, BulkLabel, BulkMove, BulkSchedule, BulkToggle, Selection } from '../../schemas/bulk.ts'
import { ToggleResult } from '../../schemas/toggles.ts'
import { validateSchedule, validationOf } from '../../scripts/validation.ts'
import { deleteServices } from '../../services/deletions.ts'
import { readScriptContext, updateService } from '../../services/rows.ts'
import { switchServices } from '../../services/switching.ts'
import { addSkipped, emptyToggleResult } from '../../services/toggle-results.ts'
import type { ServiceRow } from '../../services/view.ts'
import { router, sessionProcedure } from '../../trpc.ts'

// Operations on services selected in the dashboard. All of them must be within reach; each operation is one transaction.

const toggle = sessionProcedure
  .input(BulkToggle)
  .output(ToggleResult)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const selected = await requireSelection(tx, ctx, input.ids)
      return switchServices(tx, ctx, selected, input.isActive)
    }),
  )

/** Skips a service whose script forbids the new schedule, with the error code as the reason. */
const setSchedule = sessionProcedure
  .input(BulkSchedule)
  .output(ToggleResult)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const rows = await lockSelection(tx, ctx, input.ids)
      const changing = rows.filter((row) => row.schedule !== input.schedule)
      const result = { ...emptyToggleResult(), matched: rows.length, unchanged: rows.length - changing.length }
      for (const row of changing) {
        const refusal = await refusalReason(tx, ctx, { ...row, schedule: input.schedule })
        if (refusal) {
          addSkipped(result, row, refusal)
          continue
        }
        const changed = await updateService(tx, row.id, { schedule: input.schedule })
        await syncSchedule(tx, changed, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
        await audit(tx, ctx, entryOf(row, 'service.update', { schedule: { from: row.schedule, to: input.schedule } }))
        result.changed++
      }
      return result
    }),
  )

const setLabel = sessionProcedure
  .input(BulkLabel)
  .output(BulkCount)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const rows = await lockSelection(tx, ctx, input.ids)
      const label = input.label || null
      const changing = rows.filter((row) => row.label !== label)
      for (const row of changing) {
        await updateService(tx, row.id, { label })
        await audit(tx, ctx, entryOf(row, 'service.update', { label: { from: row.label, to: label } }))
      }
      return { matched: rows.length, changed: changing.length }
    }),
  )

/** @throws ApiError `already_exists` when the project already has a service with the name of a moved one */
const move = sessionProcedure
  .input(BulkMove)
  .output(BulkCount)
  .mutation(async ({ ctx, input }) => {
    const project = await requireProject(ctx, input.projectId, 'write')
    return ctx.db.transaction(async (tx) => {
      const rows = await lockSelection(tx, ctx, input.ids)
      const changing = rows.filter((row) => row.projectId !== project.id)
      for (const row of changing) {
        await updateService(tx, row.id, { projectId: project.id })
        await audit(tx, ctx, entryOf(row, 'service.move', { from: row.projectId, to: project.id }))
      }
      return { matched: rows.length, changed: changing.length }
    })
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
