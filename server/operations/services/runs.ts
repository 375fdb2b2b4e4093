import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { databaseNow } from '#db/clock.ts'
import { services } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import { ApiError, notFound } from '../../errors.ts'
import { cancelRun } from '../../runs/cancel-run.ts'
import { listRuns } from '../../runs/list-runs.ts'
import { presentRun, runUrl } from '../../runs/present-run.ts'
import { findRun } from '../../runs/read-runs.ts'
import { requestRun } from '../../schedule/run-requests.ts'
import { Ok } from '../../schemas/conventions.ts'
import { LISTED_RUNS_MAX, Run, RunId, RunPage, RunQuery, RunRequest, RunRequested } from '../../schemas/runs.ts'
import { readRunDemand } from '../../services/run-demands.ts'
import { router, serviceProcedure } from '../../trpc.ts'
import { SCRIPT_ERRORS } from './scripts.ts'

const tags = ['Runs']

export const run = serviceProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/services/{id}/run',
      operationId: 'runService',
      summary: 'Request a run now',
      description:
        'The run waits for one in flight. A request without values joins a run that waits or is queued already; one with values joins only a run with the same values and note.',
      tags: ['Services'],
    },
    api: {
      status: 202,
      optionalBody: true,
      errors: ['service_inactive', 'script_missing', 'run_limit_reached', ...SCRIPT_ERRORS],
    },
  })
  .input(RunRequest)
  .output(RunRequested)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      // Locked, so that the service is not switched off before the run is requested.
      const [row] = await tx.select().from(services).where(eq(services.id, ctx.service.id)).for('share')
      if (!row) throw notFound()
      const { script } = row
      if (script === null) throw new ApiError('script_missing')
      if (!row.isActive) throw new ApiError('service_inactive')
      const demand = await readRunDemand(tx, ctx, { ...row, script }, input)
      // The database's clock, which also sets the start of runs, so that `since: requestedAt` finds this run.
      const now = await databaseNow(tx)
      const { runId, joined } = await requestRun(tx, row, now, demand)
      await audit(tx, ctx, {
        action: 'service.run',
        entityType: 'service',
        entityId: row.id,
        entityName: row.name,
        details: {
          runId,
          ...(demand.note && { note: demand.note }),
          ...(demand.values && { variables: Object.keys(demand.values.values) }),
        },
      })
      const requestedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString()
      return { ok: true as const, requestedAt, runId, url: runUrl(ctx, row.id, runId), joined }
    }),
  )

const list = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/runs',
      operationId: 'listRuns',
      summary: 'List the runs of a service, open ones first, newest first',
      description: `Shows the runs that are not done, and the newest ${LISTED_RUNS_MAX} others; the list of results reaches further back.`,
      tags,
    },
  })
  .input(RunQuery)
  .output(RunPage)
  .query(async ({ ctx, input }) => {
    const page = await listRuns(ctx, ctx.service, input)
    return { ...page, items: page.items.map((item) => presentRun(ctx, item)) }
  })

/** Loads the run of input `runId` into `ctx.run`, or throws `not_found`. */
function runProcedure(reach: 'read' | 'write') {
  return serviceProcedure(reach)
    .input(z.object({ runId: RunId.meta({ description: 'The id of the run.' }) }))
    .use(async ({ ctx, input, next }) => {
      const found = await findRun(ctx, ctx.service, input.runId)
      if (!found) throw notFound()
      return next({ ctx: { ...ctx, run: found } })
    })
}

const get = runProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/runs/{runId}',
      operationId: 'getRun',
      summary: 'Get a run with the results of its agents',
      description:
        'Shows the run while it is queued, while it runs, and as long as its results are kept. It also shows scheduled runs.',
      tags,
    },
  })
  .output(Run)
  .query(({ ctx }) => presentRun(ctx, ctx.run))

const cancel = runProcedure('write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/services/{id}/runs/{runId}',
      operationId: 'cancelRun',
      summary: 'Cancel what has not started of a run',
      description: 'Agents that have started finish. A run that several requests share is cancelled for all of them.',
      tags,
    },
    api: { errors: ['run_started'] },
  })
  .output(Ok)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      // A deletion locks the service before its runs too.
      await tx.select({ id: services.id }).from(services).where(eq(services.id, ctx.service.id)).for('key share')
      const { isCancelled, isChanged } = await cancelRun(tx, ctx.service, ctx.run)
      if (!isCancelled) throw new ApiError('run_started')
      await audit(tx, ctx, {
        action: 'service.cancel_run',
        entityType: 'service',
        entityId: ctx.service.id,
        entityName: ctx.service.name,
        details: { runId: ctx.run.id, ...(isChanged ? {} : { changed: false }) },
      })
      return { ok: true as const }
    }),
  )

export const runsRouter = router({ list, get, cancel })
