import { anyOf } from '#db/any-of.ts'
import { and, type SQL } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid, notFound } from '../../errors.ts'
import { requireProject } from '../../resources.ts'
import {
  BulkAgents,
  BulkLabels,
  BulkMove,
  BulkResult,
  BulkSchedule,
  BulkToggle,
  BulkUndo,
  OWN_REASONS,
  Selection,
} from '../../schemas/bulk.ts'
import { LABELS_MAX } from '../../schemas/conventions.ts'
import { deleteServices } from '../../services/deletions.ts'
import { changed, inOrder, skipped } from '../../services/outcomes.ts'
import { lockProjects, lockWorkspaces } from '../../services/remove-services.ts'
import { switchServices } from '../../services/switching.ts'
import { storedTimezone } from '../../services/timezone.ts'
import { router, sessionProcedure } from '../../trpc.ts'
import { activeAgents, lockAgents } from './agents.ts'
import { changeAgents, changeLabels, changeProject, changeSchedule, entryOf } from './bulk-changes.ts'
import { changeEach, outcomesOfMissing } from './bulk-selection.ts'
import { undoEach } from './bulk-undo.ts'

// Operations on services selected in the dashboard. Each service is judged alone. Each operation is one transaction: it
// changes the services that it may, skips the others with the reason, and returns what it did to each.

const toggle = sessionProcedure
  .input(BulkToggle)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids, isActive } }) =>
    ctx.db.transaction(async (tx) => {
      const switched = await switchServices(tx, ctx, isSelected(ctx, ids), isActive)
      const missing = await outcomesOfMissing(tx, ctx, ids, switched)
      return { services: inOrder(ids, [...switched, ...missing]) }
    }),
  )

/** Skips a service whose script forbids the new schedule. */
const setSchedule = sessionProcedure
  .input(BulkSchedule)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids, schedule, timezone: given } }) => {
    const isKept = given === undefined || given === ''
    const zone = isKept ? null : storedTimezone(given)
    return changeEach(ctx, ids, (tx, row) =>
      changeSchedule(tx, ctx, row, { schedule, timezone: isKept ? row.timezone : zone }),
    )
  })

/** Skips a service that would get too many labels. */
const setLabels = sessionProcedure
  .input(BulkLabels)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids, set, add = [], remove = [] } }) =>
    changeEach(ctx, ids, async (tx, row) => {
      const kept = row.labels.filter((label) => !remove.includes(label))
      const labels = set ?? [...new Set([...kept, ...add])]
      if (labels.length > LABELS_MAX) return skipped(row, OWN_REASONS.labels)
      return changeLabels(tx, ctx, row, labels)
    }),
  )

/** @throws ApiError `field_invalid` for an unknown agent: nothing is changed */
const setAgents = sessionProcedure
  .input(BulkAgents)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids, slugs } }) =>
    changeEach(
      ctx,
      ids,
      (tx, row) => changeAgents(tx, ctx, row, slugs),
      async (tx) => {
        await lockAgents(tx, ctx, slugs)
        const known = new Set((await activeAgents(tx, ctx.actor.organizationId)).map(({ slug }) => slug))
        const unknown = slugs.filter((slug) => !known.has(slug))
        if (unknown.length > 0) throw fieldInvalid('slugs', 'names agents that are unknown or inactive', { unknown })
      },
    ),
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
    return changeEach(
      ctx,
      input.ids,
      (tx, row) => changeProject(tx, ctx, row, project),
      async (tx) => {
        await lockWorkspaces(tx, project.organizationId, [project.workspaceId])
        if ((await lockProjects(tx, project.organizationId, [project.id])) === 0) throw notFound('projectId')
      },
    )
  })

/** Deleted services have the outcome `changed`; `deletions.restoreMany` restores them by their ids. */
const remove = sessionProcedure
  .input(Selection)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids } }) =>
    ctx.db.transaction(async (tx) => {
      const removed = await deleteServices(tx, ctx, isSelected(ctx, ids))
      await audit(tx, ctx, ...removed.map((row) => entryOf(row, 'service.delete', { projectId: row.projectId })))
      const outcomes = removed.map((row) => changed(row))
      const missing = await outcomesOfMissing(tx, ctx, ids, outcomes)
      return { services: inOrder(ids, [...outcomes, ...missing]) }
    }),
  )

/** Sets what services had before a bulk change. Skips a service that was changed since in the same fields. */
const undo = sessionProcedure
  .input(BulkUndo)
  .output(BulkResult)
  .mutation(({ ctx, input }) => undoEach(ctx, input.changes))

export const servicesBulkRouter = router({ toggle, setSchedule, setLabels, setAgents, move, remove, undo })

function isSelected(ctx: ActorContext, ids: string[]): SQL {
  return and(anyOf(services.id, ids), reachesService(ctx.actor, 'write')) as SQL
}
