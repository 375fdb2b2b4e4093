import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import type { Result, ResultStep, StepBody } from '../../schemas/results/results.ts'
import { ResultFilter } from '../../schemas/results/results.ts'
import { shortenText } from './bounded.ts'
import { defineTool, type ToolRequest } from './tool.ts'

const SHOWN = 25
const BODY_CHARACTERS = 8_000

export const listResults = defineTool({
  name: 'list_results',
  title: 'List results',
  description: `Lists the latest results of a service, newest first, ${SHOWN} per page, each with the cause of a failure in one line.`,
  access: 'read',
  input: z.object({
    serviceId: Id,
    status: ResultFilter.shape.status,
    page: z.int().min(1).max(1_000).default(1),
  }),
  run: async ({ serviceId: id, page, status }, { call }) => {
    const results = await call((caller) => caller.results.list({ id, page, pageSize: SHOWN, status }))
    return { summary: `${results.items.length} of ${results.total} results`, data: results }
  },
})

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read a result',
  description:
    'Returns one result with its steps: what was requested, the response status and times, and the assertions that ' +
    'failed with expected and actual values. `stepNum` adds the stored response headers and body of one step.',
  access: 'read',
  input: z.object({
    serviceId: Id,
    resultId: Id,
    stepNum: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The number of the step whose response is included, from 1.' }),
  }),
  run: async ({ serviceId, resultId, stepNum }, request) => {
    const result = await request.call((caller) => caller.results.get({ id: serviceId, resultId }))
    const step = result.steps.find((each) => each.stepNum === stepNum)
    const { id, status, startedAt, agentSlug, scriptVersion, runDurationMs, failure, recheckOf, recheckedBy } = result
    return {
      summary: resultSummary(result),
      data: {
        ...{
          id,
          serviceId,
          status,
          startedAt,
          agentSlug,
          scriptVersion,
          runDurationMs,
          failure,
          recheckOf,
          recheckedBy,
        },
        url: `${request.ctx.origin}/services/${serviceId}/results/${resultId}`,
        steps: result.steps.map(presentStep),
        ...(step && { response: await readResponse(request, result, step) }),
      },
    }
  },
})

export function resultSummary({ status, failure }: Pick<Result, 'status' | 'failure'>): string {
  return failure ? `${status}: ${failure.summary}` : status
}

/** A step with the assertions that failed, and the number of the others. */
export function presentStep(step: ResultStep): Record<string, unknown> {
  const { stepNum, method, urlTemplate, requestUrl, outcome, statusCode, error } = step
  const failed = step.assertionResults.filter((assertion) => assertion.outcome !== 'passed')
  const { responseTimeMs, dnsMs, connectMs, tlsMs, ttfbMs, transferMs, waitMs } = step
  return {
    ...{ stepNum, method, urlTemplate, requestUrl, outcome, statusCode, error },
    times: { responseTimeMs, dnsMs, connectMs, tlsMs, ttfbMs, transferMs, waitMs },
    assertionsPassed: step.assertionResults.length - failed.length,
    assertionsNotPassed: failed,
    hasBody: step.hasBody,
  }
}

async function readResponse({ call }: ToolRequest, result: Result, step: ResultStep): Promise<Record<string, unknown>> {
  const ids = { id: result.serviceId, resultId: result.id, stepId: step.id }
  const body = step.hasBody ? await call((caller) => caller.results.body(ids)) : undefined
  return { headers: step.headers, bodyNotStoredReason: step.bodyNotStoredReason, ...presentBody(body) }
}

export function presentBody(body: StepBody | undefined): Record<string, unknown> {
  if (!body) return { body: null }
  const { contentType, encoding, content } = body
  if (encoding !== null) return { contentType, body: null, note: 'The body is not text.' }
  return { contentType, body: shortenText(content, BODY_CHARACTERS) }
}
