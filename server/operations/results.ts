import { z } from 'zod'
import { and, eq } from '#db/drizzle.cjs'
import { results } from '#db/schema/results.ts'
import { DAY_MS } from '../durations.ts'
import { notFound } from '../errors.ts'
import { timestampOfId } from '../results/results/ids.ts'
import { findLastPassing } from '../results/results/last-passing.ts'
import { retentionStart } from '../results/results/retention.ts'
import { withoutRunError } from '../results/results/run-error.ts'
import { findNeighbour, readResultPage, readSelection } from '../results/results/search.ts'
import { presentBody } from '../results/results/step-bodies.ts'
import { presentFailure, presentSteps, storesOf } from '../results/results/step-view.ts'
import { ResultId, StepId } from '../schemas/conventions.ts'
import {
  LastPassing,
  NeighbourQuery,
  Neighbours,
  Result,
  ResultPage,
  ResultQuery,
  ResultSearch,
  StepBody,
} from '../schemas/results/results.ts'
import { router, serviceProcedure } from '../trpc.ts'

const tags = ['Results']

const list = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/results',
      operationId: 'listResults',
      summary: 'List the results of a service, newest first',
      description:
        'Summaries of runs, newest first. `since` finds the run that a request started. Results that count nowhere are left out, such as those during a maintenance: `GET /services/{id}/runs` has them.',
      tags,
    },
  })
  .input(ResultQuery)
  .output(ResultPage)
  .query(({ ctx, input }) => {
    const selection = readSelection(input, ctx.now(), ctx.settings.RESULT_RETENTION_DAYS)
    return readResultPage(ctx.reads.db, ctx.service, selection, input)
  })

/** The list of the dashboard. */
const search = serviceProcedure('read')
  .input(ResultSearch)
  .output(ResultPage)
  .query(({ ctx, input }) => {
    const selection = readSelection(input, ctx.now(), ctx.settings.RESULT_RETENTION_DAYS)
    return readResultPage(ctx.reads.db, ctx.service, selection, input)
  })

/** Loads the result of input `resultId` into `ctx.result`, with the stores of its bodies, or throws `not_found`. */
const readResult = serviceProcedure('read')
  .input(z.object({ resultId: ResultId }))
  .use(async ({ ctx, input, next }) => {
    const { organizationId, id } = ctx.service
    // A result's id contains its start, which determines its partition. An id without a timestamp is not a result's.
    const startedAt = timestampOfId(input.resultId)
    const now = ctx.now()
    const from = retentionStart(now, ctx.settings.RESULT_RETENTION_DAYS)
    // Bounded on both sides: an id can contain a time that Postgres cannot represent.
    if (!startedAt || startedAt < from || startedAt.getTime() > now.getTime() + DAY_MS) throw notFound('resultId')
    const [row] = await ctx.db
      .select({ result: results, stores: storesOf(organizationId) })
      .from(results)
      .where(
        and(
          eq(results.organizationId, organizationId),
          eq(results.serviceId, id),
          eq(results.startedAt, startedAt),
          eq(results.id, input.resultId),
        ),
      )
    if (!row) throw notFound('resultId')
    return next({ ctx: { result: row.result, stores: row.stores ?? new Map() } })
  })

const get = readResult
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/results/{resultId}',
      operationId: 'getResult',
      summary: 'Get one result with all its steps',
      description:
        'What the run did and what failed: each call with its timings, headers and assertions. The bodies of responses are read separately.',
      tags,
    },
  })
  .output(Result)
  .query(({ ctx }) => {
    const { result, stores } = ctx
    const failure = presentFailure(result, ctx.now(), ctx.settings.BODY_RETENTION_DAYS)
    return {
      id: result.id,
      serviceId: result.serviceId,
      status: result.status,
      runDurationMs: result.runDurationMs,
      startedAt: result.startedAt.toISOString(),
      probeAgentId: result.agentId,
      agentSlug: result.agentSlug,
      scriptVersion: result.scriptVersion,
      runId: result.runId,
      recheckOf: result.recheckOf,
      recheckedBy: result.recheckedBy,
      duringMaintenance: result.duringMaintenance ?? false,
      summary: result.summary,
      error: failure?.error ?? null,
      failure,
      rawResult: withoutRunError(result.raw),
      steps: presentSteps(result, stores, ctx.now(), ctx.settings.BODY_RETENTION_DAYS),
    }
  })

/** The last run that passed before a result: what a failure is compared with. */
const lastPassing = readResult.output(LastPassing).query(async ({ ctx }) => {
  const { result, service } = ctx
  const from = retentionStart(ctx.now(), ctx.settings.RESULT_RETENTION_DAYS)
  const found = await findLastPassing(ctx.db, service, result, from)
  return { result: found && { id: found.id, startedAt: found.startedAt.toISOString() } }
})

const body = readResult
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/results/{resultId}/steps/{stepId}/body',
      operationId: 'getStepBody',
      summary: 'Get the stored response body of a step',
      description: 'Up to 4 MiB, as text or in base64. 204 when the step has no stored body, see `hasBody`.',
      tags,
    },
    api: { noContent: true, errors: ['body_gone', 'body_too_large', 'body_store_unavailable'] },
  })
  .input(z.object({ stepId: StepId }))
  .output(StepBody.optional())
  .query(async ({ ctx, input }) => {
    const { result, stores } = ctx
    const step = result.steps.find((candidate) => candidate.id === input.stepId.toLowerCase())
    if (!step) throw notFound('stepId')
    const [shown] = presentSteps({ ...result, steps: [step] }, stores, ctx.now(), ctx.settings.BODY_RETENTION_DAYS)
    const store = step.body && stores.get(step.body.storeId)
    if (!step.body || !store || !shown?.hasBody) return undefined
    return presentBody(await ctx.bodies.read(store.url, step.body.key), step.body.contentType)
  })

/** The runs before and after one, among those that the filters select. */
const neighbours = readResult
  .input(NeighbourQuery)
  .output(Neighbours)
  .query(async ({ ctx, input }) => {
    const selection = readSelection(input, ctx.now(), ctx.settings.RESULT_RETENTION_DAYS)
    const [newer, older] = await Promise.all(
      (['newer', 'older'] as const).map((way) => findNeighbour(ctx.db, ctx.service, selection, ctx.result, way)),
    )
    return { newer: newer ?? null, older: older ?? null }
  })

export const resultsRouter = router({ list, search, get, lastPassing, neighbours, body })
