import type { Tx } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { requireProject, requireWorkspace } from '../../resources.ts'
import { requestRun } from '../../runs/runs/request-run.ts'
import { type Place, ServicePlaces, WholeService } from '../../schemas/new-service/places.ts'
import { Service } from '../../schemas/services.ts'
import {
  hasProjectNamed,
  hasServiceNamed,
  hasWorkspaceNamed,
  insertProject,
  insertService,
  insertWorkspace,
} from '../../services/creation.ts'
import { labelsOf } from '../../services/labels.ts'
import { readPlaces } from '../../services/service-places.ts'
import { storedTimezone } from '../../services/timezone.ts'
import { presentNewService, presentService } from '../../services/view.ts'
import { requireSection, sessionProcedure } from '../../trpc.ts'
import { SCRIPT_ERRORS, writeScript } from './scripts.ts'

// The page for a new service: everything that a service needs, in one transaction.

export const places = sessionProcedure.output(ServicePlaces).query(({ ctx }) => readPlaces(ctx.db, ctx))

/**
 * Creates the workspace and the project if they are new, then the service. With a script, switches it on and requests its
 * first run.
 */
export const createWhole = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', ...SCRIPT_ERRORS, 'already_exists'] } })
  .input(WholeService)
  .output(Service)
  .mutation(async ({ ctx, input }) => {
    const timezone = storedTimezone(input.timezone)
    await requirePlace(ctx, input.place)
    return ctx.db.transaction(async (tx) => {
      const project = await findOrCreateProject(tx, ctx, input.place)
      if (await hasServiceNamed(tx, project, input.name)) throw nameTaken('name')
      const { name, schedule, script } = input
      const fields = { name, labels: labelsOf(input) ?? [], schedule, timezone }
      const created = await insertService(tx, ctx, project, fields)
      if (script === undefined) return presentNewService(tx, ctx, created, null)
      const { row } = await writeScript(tx, ctx, created, script, 'must')
      await requestRun(tx, row, await databaseNow(tx))
      await audit(tx, ctx, { action: 'service.run', entityType: 'service', entityId: row.id, entityName: row.name })
      return presentService(tx, ctx, row.id)
    })
  })

/** @throws ApiError `not_found`, or `insufficient_permissions` for a new workspace */
async function requirePlace(ctx: ActorContext, place: Place): Promise<void> {
  if ('projectId' in place) await requireProject(ctx, place.projectId, 'write', 'projectId')
  else if ('workspaceId' in place) await requireWorkspace(ctx, place.workspaceId, 'write', 'workspaceId')
  else requireSection(ctx, 'workspaces', 'write')
}

async function findOrCreateProject(tx: Tx, ctx: ActorContext, place: Place) {
  const { organizationId } = ctx.actor
  if ('projectId' in place) return { id: place.projectId, organizationId }
  if ('workspaceName' in place && (await hasWorkspaceNamed(tx, organizationId, place.workspaceName))) {
    throw nameTaken('workspaceName')
  }
  const workspace =
    'workspaceId' in place
      ? { id: place.workspaceId, organizationId }
      : await insertWorkspace(tx, ctx, place.workspaceName)
  if (await hasProjectNamed(tx, workspace, place.projectName)) throw nameTaken('projectName')
  return insertProject(tx, ctx, workspace, place.projectName)
}

/** Named here, because the page has three fields for names. A name that another request takes first violates its constraint. */
function nameTaken(field: string): ApiError {
  return new ApiError('already_exists', { field })
}
