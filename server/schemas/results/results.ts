import { z } from 'zod'
import { AGENT_SLUG_EXAMPLE } from '../agents.ts'
import {
  AgentId,
  Id,
  Instant,
  openEnum,
  PageQuery,
  pageOf,
  queryInt,
  ResultId,
  ServiceId,
  StepId,
} from '../conventions.ts'
import { RecheckedBy, RecheckOf, RUN_STATUSES, RunId, RunStatus } from '../runs.ts'
import { Timezone } from '../schedule/time-zones.ts'
import { RunError, RunFailure, SUMMARY_EXAMPLE } from './failures.ts'
import { queryInstant } from './query-instant.ts'

export const BODY_NOT_STORED_REASONS = [
  'not_requested',
  'too_large',
  'timeout',
  'no_body',
  'expired',
  'store_forgotten',
  'store_unavailable',
] as const

/** How long a phase of a call took. */
function phase(name: string, example: number) {
  return z
    .number()
    .nullable()
    .meta({ description: `${name}, in milliseconds; null when it did not happen.`, example })
}

const StartedAt = Instant.meta({ description: 'When the run started.' })
const RunDurationMs = z
  .int()
  .meta({ description: 'How long the run took, pauses included, in milliseconds.', example: 412 })
const AgentSlug = z.string().meta({ description: 'The slug of the agent that ran it.', example: AGENT_SLUG_EXAMPLE })

const ScriptVersion = z.int().nullable().meta({
  description: 'The version of the script that ran. Null for a skipped run, and for runs that an older version stored.',
  example: 17,
})

const ResultLine = z.string().nullable().meta({
  description:
    'What failed, in one line: the first failing request, its cause, and how many more assertions failed. Of a skipped run, why it was not executed. Null for a run that passed, and for runs that an older version stored.',
  example: SUMMARY_EXAMPLE,
})

const DuringMaintenance = z.boolean().meta({
  description: 'Whether a maintenance held during the run, so that the result counts for no state, statistic or alert.',
  example: false,
})

export const ResultSummary = z
  .object({
    id: ResultId,
    status: RunStatus.meta({ example: 'failure' }),
    runDurationMs: RunDurationMs,
    totalResponseMs: z.int().meta({ description: "Sum of the calls' response times, in milliseconds.", example: 184 }),
    startedAt: StartedAt,
    agentSlug: AgentSlug,
    summary: ResultLine,
    scriptVersion: ScriptVersion,
    runId: RunId.nullable(),
    recheckOf: RecheckOf,
    recheckedBy: RecheckedBy,
  })
  .meta({ id: 'ResultSummary', description: 'Summary of one run.' })
export type ResultSummary = z.output<typeof ResultSummary>

export const ResultPage = pageOf(ResultSummary, 'ResultPage')

/** One assertion record of the language: an expect scope of `.expect` or `.check`, or a condition of `.assert`. */
export const AssertionResult = z
  .object({
    method: openEnum(['expect', 'check', 'assert']).meta({ description: 'The chain method that contains it.' }),
    outcome: openEnum(['passed', 'failed', 'indeterminate']).meta({
      description: 'How it ended; `indeterminate` when a value could not be compared.',
    }),
    scope: z.string().meta({ description: 'What was compared.', example: 'status' }),
    op: z.string().meta({ description: 'How it was compared.', example: 'eq' }),
    match: z.string().meta({ description: 'Which redirects the scope `redirects` compares.', example: 'any' }),
    mode: z
      .string()
      .meta({ description: 'How strictly the scope `body` is compared with a schema.', example: 'loose' }),
    actual: z.unknown().meta({ description: 'The actual value.', example: 200 }),
    expected: z.unknown().meta({ description: 'The expected value.', example: 200 }),
    kind: openEnum(['expect', 'check']).meta({ description: 'Whether an `assert` ends the run when it fails.' }),
    index: z.int().meta({ description: 'The position of the condition in its `assert`, from 0.', example: 0 }),
    expression: z.string().meta({ description: 'The condition as written.', example: 'this.body.total > 0' }),
    actualLhs: z.unknown().meta({ description: 'Left operand of the condition.', example: 42 }),
    actualRhs: z.unknown().meta({ description: 'Right operand of the condition.', example: 0 }),
    options: z.unknown().meta({ description: 'The options that the script gives to the assertion.', example: null }),
  })
  .partial()
  .required({ method: true, outcome: true })
  .catchall(z.unknown())
  .meta({
    id: 'AssertionResult',
    description:
      'For `expect` and `check`: scope, op, expected and actual. For `assert`: expression and both operands.',
    example: { method: 'expect', outcome: 'passed', scope: 'status', op: 'eq', expected: 200, actual: 200 },
  })

export const ResultStep = z
  .object({
    id: StepId,
    stepNum: z.int().meta({ description: 'From 1, in the order of the script.', example: 1 }),
    method: z.string().meta({ description: 'Request method as the script names it, in upper case.', example: 'GET' }),
    urlTemplate: z.string().meta({
      description: 'URL as written in the script, with variables in place; also of a skipped step.',
      example: 'https://shop.example/cart/$cartId',
    }),
    outcome: openEnum(['success', 'failure', 'timeout', 'skipped']).meta({
      description: '`skipped` for a step that the run did not reach.',
      example: 'success',
    }),
    requestUrl: z.string().nullable().meta({
      description: 'The URL that was requested, secrets masked; null for a skipped step.',
      example: 'https://shop.example/cart/42',
    }),
    statusCode: z.int().nullable().meta({ description: 'Null without a response.', example: 200 }),
    responseTimeMs: phase('The whole call', 184),
    dnsMs: phase('Name lookup, with a wait of up to 50 ms for the other of IPv4 and IPv6', 4),
    connectMs: phase('Connection, from the first attempt until one of the addresses accepts', 12),
    tlsMs: phase('TLS handshake', 21),
    ttfbMs: phase('Waiting for the first byte', 139),
    transferMs: phase('Transfer of the body', 8),
    waitMs: z.number().meta({
      description:
        'Pause after the step by `.wait()`, in milliseconds; 0 without one. It is no part of the response time.',
      example: 500,
    }),
    traceId: z
      .string()
      .nullable()
      .meta({
        description:
          'The trace id of the `traceparent` header that the request carried, to find the request in the traces of the ' +
          'target. Null without one.',
        example: null,
      }),
    responseSizeBytes: z
      .int()
      .nullable()
      .meta({ description: 'Size of the response body in bytes; null without a response.', example: 5120 }),
    error: z.string().nullable().meta({
      description: 'Why the call failed, such as a refused connection; null when it got a response.',
      example: null,
    }),
    assertionResults: z
      .array(AssertionResult)
      .meta({ description: 'The assertions of the call, in the order of the script.' }),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).meta({
      description: 'The response headers by name in lower case; one that was sent several times has a list of values.',
      example: { 'content-type': 'application/json' },
    }),
    hasBody: z
      .boolean()
      .meta({ description: 'Whether a body is stored; the body endpoint returns it.', example: true }),
    bodyNotStoredReason: openEnum(BODY_NOT_STORED_REASONS)
      .nullable()
      .meta({ description: 'Why no body is stored; null when `hasBody` is true.', example: null }),
  })
  .meta({ id: 'ResultStep', description: 'One call of a run.' })
export type ResultStep = z.output<typeof ResultStep>

export const Result = z
  .object({
    id: ResultId,
    serviceId: ServiceId,
    status: RunStatus,
    runDurationMs: RunDurationMs,
    startedAt: StartedAt,
    probeAgentId: AgentId.meta({ description: 'The id of the agent that ran it.' }),
    agentSlug: AgentSlug,
    scriptVersion: ScriptVersion,
    runId: RunId.nullable(),
    recheckOf: RecheckOf,
    recheckedBy: RecheckedBy,
    duringMaintenance: DuringMaintenance,
    summary: ResultLine,
    error: RunError,
    failure: RunFailure.nullable().meta({
      description: 'What failed. Null for a run that passed or was skipped.',
      example: null,
    }),
    rawResult: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: "The language's result, with null in place of storage locators. Null for a skipped run.",
        example: { outcome: 'success', calls: [] },
      }),
    steps: z.array(ResultStep).meta({ description: 'The calls of the run, in the order of the script.' }),
  })
  .meta({ id: 'Result', description: 'One run with all its steps.' })
export type AssertionResult = z.output<typeof AssertionResult>
export type Result = z.output<typeof Result>

export const LastPassing = z.object({
  /** Null when no earlier run that passed is stored. */
  result: z.object({ id: Id, startedAt: Instant }).nullable(),
})

export const StepBody = z
  .object({
    content: z.string().meta({ description: 'The body, as text or in base64.', example: '{"greeting":"Ahoy"}' }),
    contentType: z.string().nullable().meta({
      description: 'Null when no content type was recorded, or when it is not safe to return.',
      example: 'application/json',
    }),
    encoding: openEnum(['base64'])
      .nullable()
      .meta({ description: 'How `content` is encoded; null when it is plain text.', example: null }),
  })
  .meta({ id: 'StepBody', description: 'The stored response body of a step.' })
export type StepBody = z.output<typeof StepBody>

/** Which results a list shows. Each filter narrows it further. */
export const ResultFilter = z.object({
  status: z
    .enum([...RUN_STATUSES, 'failed'])
    .optional()
    .meta({ description: 'Only runs that ended like this. `failed` means failures and timeouts.', example: 'failed' }),
  agent: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Only runs of the agent with this slug.', example: AGENT_SLUG_EXAMPLE }),
  version: queryInt(1, 2_147_483_647)
    .optional()
    .meta({ description: 'Only runs of this version of the script.', example: 17 }),
})
export type ResultFilter = z.output<typeof ResultFilter>

export const ResultQuery = PageQuery.extend({
  ...ResultFilter.shape,
  since: queryInstant(
    'Only runs that started at or after this time, rounded down to the second. A date means midnight in UTC.',
  ).optional(),
  until: queryInstant(
    'Only runs that started at or before this time. Pages end at 100,000 rows; to read older runs, pass the start of the last run here.',
  ).optional(),
})

/** The days that the heatmap of failures covers. */
export const WEEK_DAYS_MAX = 90

/** An hour of the week, on the clocks of a zone, over the latest days. */
export const WeekCell = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  days: z.int().min(1).max(WEEK_DAYS_MAX),
  zone: Timezone,
})
export type WeekCell = z.output<typeof WeekCell>

/** What the results page of the dashboard shows: also the runs of a cell of the heatmap. */
export const ResultSearch = ResultQuery.extend({ cell: WeekCell.optional() })

export const NeighbourQuery = ResultSearch.omit({ page: true, pageSize: true }).extend({ resultId: Id })
/** The next results of the same selection; null at its ends. */
export const Neighbours = z.object({ newer: Id.nullable(), older: Id.nullable() })
