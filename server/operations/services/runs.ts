import { z } from 'zod'
import { databaseNow } from '#db/clock.ts'
import { matchesRow } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { Awaited } from '../../live/run-waits.ts'
import { requireService } from '../../resources.ts'
import { cancelRun } from '../../runs/runs/cancel-run.ts'
import { listRuns } from '../../runs/runs/list-runs.ts'
import { presentRun, runUrl } from '../../runs/runs/present-run.ts'
import { requireRun } from '../../runs/runs/read-runs.ts'
import { Ok } from '../../schemas/conventions.ts'
import { Wait } from '../../schemas/runs/wait.ts'
import { LISTED_RUNS_MAX, Run, RunId, RunPage, RunQuery, RunRequest, RunRequested } from '../../schemas/runs.ts'
import { requestServiceRun } from '../../services/request-service-run.ts'
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
        'The run waits for one in flight. A request without values joins a run that waits for the one in flight, or an earlier request that no agent has started; one with values joins only a run with the same values and note.',
      tags: ['Services'],
    },
    api: {
      status: 202,
      optionalBody: true,
      query: ['wait'],
      wait: {
        pending: ({ runId }: RunRequested, ctx) => awaitedRun(ctx, runId),
        read: async (requested: RunRequested, ctx, input) => ({
          ...requested,
          run: await readRun(ctx, String(input.id), requested.runId),
        }),
      },
      errors: ['service_inactive', 'script_missing', 'run_limit_reached', ...SCRIPT_ERRORS],
    },
  })
  .input(RunRequest.extend({ wait: Wait }))
  .output(RunRequested)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      // The database's clock, which also sets the start of runs, so that `since: requestedAt` finds this run.
      const now = await databaseNow(tx)
      const { runId, joined } = await requestServiceRun(tx, ctx, ctx.service.id, input, { now })
      const requestedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString()
      return { ok: true as const, requestedAt, runId, url: runUrl(ctx, ctx.service.id, runId), joined }
    }),
  )

const list = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/runs',
      operationId: 'listRuns',
      summary: 'List the runs of a service, open ones first, newest first',
      description: `Shows the runs that are not done, and those of the newest ${LISTED_RUNS_MAX} results; the list of results reaches further back. With \`cause=request\`, it also shows the newest ${LISTED_RUNS_MAX} requested runs, which may be older.`,
      tags,
    },
  })
  .input(RunQuery)
  .output(RunPage)
  .query(async ({ ctx, input }) => {
    const page = await listRuns(ctx, ctx.service, input)
    return { ...page, items: page.items.map((item) => presentRun(ctx, item)) }
  })

const get = serviceProcedure('read')
  .input(z.object({ runId: RunId.meta({ description: 'The id of the run.' }) }))
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/runs/{runId}',
      operationId: 'getRun',
      summary: 'Get a run with the results of its agents, and wait for its end',
      description:
        'Shows the run while it is queued, while it runs, and as long as its results are kept. It also shows scheduled runs.',
      tags,
    },
    api: {
      wait: {
        pending: ({ id, state }: Run, ctx) => (state === 'done' ? null : awaitedRun(ctx, id)),
        read: ({ serviceId, id }: Run, ctx) => readRun(ctx, serviceId, id),
      },
    },
  })
  .input(z.object({ wait: Wait }))
  .output(Run)
  .query(async ({ ctx, input }) => presentRun(ctx, await requireRun(ctx, ctx.service, input.runId)))

const cancel = serviceProcedure('write')
  .input(z.object({ runId: RunId.meta({ description: 'The id of the run.' }) }))
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/services/{id}/runs/{runId}',
      operationId: 'cancelRun',
      summary: 'Cancel the parts of a run that have not started',
      description:
        'Agents that have started the run finish it. A run that several requests share is cancelled for all of them.',
      tags,
    },
    api: { errors: ['run_started'] },
  })
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const run = await requireRun(ctx, ctx.service, input.runId)
    return ctx.db.transaction(async (tx) => {
      // A deletion locks the service before its runs too.
      await tx.select({ id: services.id }).from(services).where(matchesRow(services.id, ctx.service)).for('key share')
      const { isCancelled, isChanged } = await cancelRun(tx, ctx.service, run)
      if (!isCancelled) throw new ApiError('run_started')
      await audit(tx, ctx, {
        action: 'service.cancel_run',
        entityType: 'service',
        entityId: ctx.service.id,
        entityName: ctx.service.name,
        details: { runId: run.id, ...(isChanged ? {} : { changed: false }) },
      })
      return { ok: true as const }
    })
  })

export const runsRouter = router({ list, get, cancel })

/** @throws ApiError `not_found`, also when the caller has lost access meanwhile */
async function readRun(ctx: ActorContext, serviceId: string, runId: string): Promise<Run> {
  return presentRun(ctx, await requireRun(ctx, await requireService(ctx, serviceId, 'read'), runId))
}

function awaitedRun(ctx: ActorContext, id: string): Awaited {
  return { organizationId: ctx.actor.organizationId, id }
}
