import { z } from 'zod'
import { matchesRow } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { audit, changedFields } from '../../audit.ts'
import { fieldInvalid, fieldRequired, notFound } from '../../errors.ts'
import { requireProject, requireService } from '../../resources.ts'
import { recurrenceProblem } from '../../schedule/recurrence.ts'
import { syncSchedule } from '../../schedule/schedules.ts'
import { Ok, ServiceId } from '../../schemas/conventions.ts'
import { Service, ServiceChange, ServiceCreate, ServicePage, ServiceQuery } from '../../schemas/services.ts'
import { validateSchedule } from '../../scripts/validation.ts'
import { insertService } from '../../services/creation.ts'
import { deleteServices } from '../../services/deletions.ts'
import { labelsOf } from '../../services/labels.ts'
import { lockService, readScriptContext, updateService } from '../../services/lock-service.ts'
import { storedTimezone } from '../../services/timezone.ts'
import {
  presentNewService,
  presentService,
  readService,
  readServicePage,
  type ServiceRow,
} from '../../services/view.ts'
import { memberProcedure, router, serviceProcedure } from '../../trpc.ts'
import { serviceAgentsRouter } from './agents.ts'
import { servicesBulkRouter } from './bulk.ts'
import { duplicate } from './duplicate.ts'
import { run, runsRouter } from './runs.ts'
import { requireVersion, SCRIPT_ERRORS, saveScript, writeScript } from './scripts.ts'
import { snapshot } from './snapshot.ts'
import { toggle } from './toggles.ts'
import { scriptVersionsRouter } from './versions.ts'
import { createWhole, hearers, places } from './whole.ts'

const tags = ['Services']

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/services',
      operationId: 'listServices',
      summary: 'List the services of a project',
      description:
        'The services of the project that the caller can see, oldest first, with their metrics and the failures of their latest failed run.',
      tags,
    },
    needs: { on: ['project'], level: 'visible' },
    api: { errors: ['field_required'] },
  })
  .input(ServiceQuery)
  .output(ServicePage)
  .query(({ ctx, input }) => readServicePage(ctx, input))

const create = memberProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/services',
      operationId: 'createService',
      summary: 'Create a service',
      description:
        'With a script, the service is switched on unless `isActive` is false; if the script or the switch is refused, nothing is created. Without a script, it stays off until one is saved.',
      tags,
    },
    needs: { on: ['project'], level: 'write' },
    api: { errors: ['field_required', ...SCRIPT_ERRORS, 'already_exists'] },
  })
  .input(ServiceCreate)
  .use(async ({ ctx, input, next }) => {
    if (input.isActive && input.script === undefined) throw fieldRequired('script')
    const timezone = storedTimezone(input.timezone)
    return next({ ctx: { timezone, project: await requireProject(ctx, input.projectId, 'write', 'projectId') } })
  })
  .output(Service)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await insertService(tx, ctx, ctx.project, {
        name: input.name,
        labels: labelsOf(input) ?? [],
        schedule: input.schedule,
        timezone: ctx.timezone,
        saveResponseBodies: input.saveResponseBodies,
        sendTraceparent: input.sendTraceparent,
      })
      if (input.script === undefined) return presentNewService(tx, ctx, row, null)
      const enable = input.isActive === false ? 'no' : 'must'
      const saved = await writeScript(tx, ctx, row, input.script, enable)
      return presentNewService(tx, ctx, saved.row, saved.trust)
    }),
  )

const get = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}',
      operationId: 'getService',
      summary: 'Get a service',
      description: 'One service with its script, state, metrics and certificates.',
      tags,
    },
    needs: { on: ['service'], level: 'read' },
  })
  .input(z.object({ id: ServiceId }))
  .output(Service)
  .query(({ ctx, input }) => readService(ctx, input.id))

const update = memberProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/services/{id}',
      operationId: 'updateService',
      summary: 'Change a service; omitted fields keep their values',
      description:
        'A script needs `version`, the version that it replaces: another version gives `version_conflict`, so that two writers cannot overwrite each other.',
      tags,
    },
    needs: { on: ['service'], level: 'write' },
    api: { errors: ['field_required', ...SCRIPT_ERRORS, 'already_exists', 'version_conflict'] },
  })
  .input(z.object({ id: ServiceId, ...ServiceChange.shape }))
  .output(Service)
  .mutation(async ({ ctx, input }) => {
    const { id, script, version, ...fields } = input
    if (script !== undefined && version === undefined) throw fieldRequired('version')
    const windowProblem = fields.serviceWindow ? recurrenceProblem(fields.serviceWindow, 'serviceWindow') : null
    if (windowProblem) throw fieldInvalid('serviceWindow', windowProblem)
    if (fields.timezone !== undefined) fields.timezone = storedTimezone(fields.timezone)
    const service = await requireService(ctx, id, 'write')
    return ctx.db.transaction(async (tx) => {
      const row = await lockService(tx, service)
      if (version !== undefined && script !== undefined) requireVersion(row, version)
      const changes = changesOf(row, fields)
      if (changes.schedule !== undefined && script === undefined && row.script !== null) {
        validateSchedule(await readScriptContext(tx, ctx, { ...row, ...changes, script: row.script }))
      }
      let current: ServiceRow = row
      const isChanged = Object.keys(changes).length > 0
      if (isChanged) {
        current = await updateService(tx, row, changes)
        if (changes.schedule !== undefined || changes.timezone !== undefined) {
          await syncSchedule(tx, current, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
        }
      }
      if (isChanged || script === undefined) {
        await audit(tx, ctx, {
          action: 'service.update',
          entityType: 'service',
          entityId: row.id,
          entityName: current.name,
          details: changedFields(row, changes),
        })
      }
      if (script !== undefined) await writeScript(tx, ctx, current, script)
      return presentService(tx, ctx, row.id)
    })
  })

const remove = serviceProcedure('write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/services/{id}',
      operationId: 'deleteService',
      summary: 'Delete a service with its results',
      description: 'For seven days it can be restored in the dashboard.',
      tags,
    },
  })
  .output(Ok)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      const { id, name, projectId } = ctx.service
      const removed = await deleteServices(tx, ctx, matchesRow(services.id, ctx.service))
      if (removed.length === 0) throw notFound()
      await audit(tx, ctx, {
        action: 'service.delete',
        entityType: 'service',
        entityId: id,
        entityName: name,
        details: { projectId },
      })
      return { ok: true as const }
    }),
  )

export const servicesRouter = router({
  list,
  create,
  createWhole,
  hearers,
  duplicate,
  places,
  get,
  update,
  remove,
  saveScript,
  snapshot,
  toggle,
  run,
  agents: serviceAgentsRouter,
  bulk: servicesBulkRouter,
  runs: runsRouter,
  versions: scriptVersionsRouter,
})

type Fields = Omit<ServiceChange, 'script' | 'version'>

/** Returns the columns that the given fields change. An empty label or window clears the column. */
function changesOf(row: ServiceRow, { label, labels, ...fields }: Fields): Partial<ServiceRow> {
  const wanted: Partial<ServiceRow> = {
    ...fields,
    labels: labelsOf({ label, labels }, row.labels),
    serviceWindow: fields.serviceWindow === undefined ? undefined : fields.serviceWindow || null,
  }
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, to]) => to !== undefined && JSON.stringify(to) !== JSON.stringify(row[field as keyof ServiceRow]),
    ),
  )
}
