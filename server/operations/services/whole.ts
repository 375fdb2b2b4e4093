import type { Tx } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { requireProject, requireWorkspace } from '../../resources.ts'
import { requestRun } from '../../runs/runs/request-run.ts'
import { Hearers, HearersQuery, type Place, ServicePlaces, WholeService } from '../../schemas/new-service/places.ts'
import type { NewSecret } from '../../schemas/new-service/secrets.ts'
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
import { countHearers, readPlaces } from '../../services/service-places.ts'
import { storedTimezone } from '../../services/timezone.ts'
import { presentNewService, presentService } from '../../services/view.ts'
import { requireSection, sessionProcedure } from '../../trpc.ts'
import { insertVariable } from '../variables/scoped-variables.ts'
import { assignAgents, lockAgents } from './agents.ts'
import { SCRIPT_ERRORS, writeScript } from './scripts.ts'

// The page for a new service: everything that a service needs, in one transaction.

export const places = sessionProcedure.output(ServicePlaces).query(({ ctx }) => readPlaces(ctx.db, ctx))

/** Counts who would hear of failures of the new service, for members who may create it there. */
export const hearers = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(HearersQuery)
  .output(Hearers)
  .query(async ({ ctx, input }) => {
    if (input.projectId === undefined) {
      const { id } = await requireWorkspace(ctx, input.workspaceId ?? '', 'write', 'workspaceId')
      return countHearers(ctx.db, ctx, { workspaceId: id, projectId: null })
    }
    const { id, workspaceId } = await requireProject(ctx, input.projectId, 'write', 'projectId')
    return countHearers(ctx.db, ctx, { workspaceId, projectId: id })
  })

/**
 * Creates the workspace and the project if they are new, then the service. With a script, switches it on and requests its
 * first run.
 */
export const createWhole = sessionProcedure
  .meta({
    api: {
      errors: [
        'insufficient_permissions',
        ...SCRIPT_ERRORS,
        'already_exists',
        'reserved_key',
        'variable_limit_reached',
      ],
    },
  })
  .input(WholeService)
  .output(Service)
  .mutation(async ({ ctx, input }) => {
    const timezone = storedTimezone(input.timezone)
    await requirePlace(ctx, input.place)
    return ctx.db.transaction(async (tx) => {
      // Before the service, as `services.agents.set` does.
      if (input.agents) await lockAgents(tx, ctx, input.agents)
      const project = await findOrCreateProject(tx, ctx, input.place)
      if (await hasServiceNamed(tx, project, input.name)) throw nameTaken('name')
      const { name, schedule, script, alerting = {}, agents = [], secrets = [] } = input
      const fields = { name, labels: labelsOf(input) ?? [], schedule, timezone }
      const created = await insertService(tx, ctx, project, fields, { alerting })
      if (agents.length > 0) await assignAgents(tx, ctx, created, agents, 'agents')
      for (const [at, secret] of secrets.entries())
        await insertSecret(tx, ctx, { project, service: created }, secret, at)
      if (script === undefined) return presentNewService(tx, ctx, created, null)
      const { row } = await writeScript(tx, ctx, created, script, 'must')
      await requestRun(tx, row, await databaseNow(tx))
      await audit(tx, ctx, { action: 'service.run', entityType: 'service', entityId: row.id, entityName: row.name })
      return presentService(tx, ctx, row.id)
    })
  })

type Owner = { id: string; organizationId: string; name: string }

/** Names the secret in the field of a refusal: `secrets.0.key`. */
async function insertSecret(
  tx: Tx,
  ctx: ActorContext,
  owners: { project: Owner; service: Owner },
  { scope, key, value }: NewSecret,
  at: number,
): Promise<void> {
  const { id, organizationId, name } = owners[scope]
  try {
    const scoped = { ...ctx, scope: { organizationId, scope, resourceId: id, name } }
    await insertVariable(tx, scoped, { key, value, type: 'secret' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.api, { ...error.details, field: `secrets.${at}.${error.details?.field ?? 'key'}` })
  }
}

/** @throws ApiError `not_found`, or `insufficient_permissions` for a new workspace */
async function requirePlace(ctx: ActorContext, place: Place): Promise<void> {
  if ('projectId' in place) await requireProject(ctx, place.projectId, 'write', 'projectId')
  else if ('workspaceId' in place) await requireWorkspace(ctx, place.workspaceId, 'write', 'workspaceId')
  else requireSection(ctx, 'workspaces', 'write')
}

async function findOrCreateProject(tx: Tx, ctx: ActorContext, place: Place): Promise<Owner> {
  const { organizationId } = ctx.actor
  if ('projectId' in place) return requireProject({ db: tx, actor: ctx.actor }, place.projectId, 'write', 'projectId')
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
