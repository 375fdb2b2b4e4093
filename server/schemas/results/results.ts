import { z } from 'zod'
import { Id, Instant, openEnum, PageQuery, pageOf, queryInt } from '../conventions.ts'
import { RUN_STATUSES, RunStatus } from '../runs.ts'
import { Timezone } from '../schedule/time-zones.ts'
import { RunError, RunFailure, SUMMARY_EXAMPLE } from './failures.ts'

export const BODY_NOT_STORED_REASONS = [
  'not_requested',
  'too_large',
  'timeout',
  'no_body',
  'expired',
  'store_forgotten',
  'store_unavailable',
] as const

const Milliseconds = z.number().nullable()

const ScriptVersion = z.int().nullable().meta({
  description: 'The version of the script that ran. Null for a skipped run, and for runs that an older version stored.',
  example: 17,
})

export const ResultSummary = z
  .object({
    id: Id,
    status: RunStatus,
    runDurationMs: z.int(),
    totalResponseMs: z.int().meta({ description: "Sum of the calls' response times, in milliseconds." }),
    startedAt: Instant,
    agentSlug: z.string(),
    summary: z.string().nullable().meta({
      description:
        'What failed, in one line: the first failing request, its cause, and how many more assertions failed. Null for other runs, and for runs that an older version stored.',
      example: SUMMARY_EXAMPLE,
    }),
    scriptVersion: ScriptVersion,
  })
  .meta({ id: 'ResultSummary' })
export type ResultSummary = z.output<typeof ResultSummary>

export const ResultPage = pageOf(ResultSummary, 'ResultPage')

/** One assertion record of the language: an expect scope of `.expect` or `.check`, or a condition of `.assert`. */
export const AssertionResult = z
  .object({
    method: openEnum(['expect', 'check', 'assert']),
    outcome: openEnum(['passed', 'failed', 'indeterminate']),
    scope: z.string(),
    op: z.string(),
    match: z.string(),
    mode: z.string(),
    actual: z.unknown(),
    expected: z.unknown(),
    kind: openEnum(['expect', 'check']),
    index: z.int(),
    expression: z.string(),
    actualLhs: z.unknown(),
    actualRhs: z.unknown(),
    options: z.unknown(),
  })
  .partial()
  .required({ method: true, outcome: true })
  .catchall(z.unknown())
  .meta({
    id: 'AssertionResult',
    description:
      'For `expect` and `check`: scope, op, expected and actual. For `assert`: expression and both operands.',
  })

export const ResultStep = z
  .object({
    id: Id,
    stepNum: z.int().meta({ description: 'From 1, in the order of the script.' }),
    method: z.string().meta({ description: 'Request method as the script names it, in upper case.', example: 'GET' }),
    urlTemplate: z.string().meta({
      description: 'URL as written in the script, with variables in place; also of a skipped step.',
      example: 'https://shop.example/cart/$cartId',
    }),
    outcome: openEnum(['success', 'failure', 'timeout', 'skipped']).meta({
      description: '`skipped` for a step that the run did not reach.',
      example: 'success',
    }),
    requestUrl: z.string().nullable().meta({ description: 'Null for a skipped step.' }),
    statusCode: z.int().nullable(),
    responseTimeMs: Milliseconds,
    dnsMs: Milliseconds,
    connectMs: Milliseconds,
    tlsMs: Milliseconds,
    ttfbMs: Milliseconds,
    transferMs: Milliseconds,
    waitMs: z.number().meta({
      description:
        'Pause after the step by `.wait()`, in milliseconds; 0 without one. It is no part of the response time.',
      example: 500,
    }),
    responseSizeBytes: z.int().nullable(),
    error: z.string().nullable(),
    assertionResults: z.array(AssertionResult),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    hasBody: z.boolean().meta({ description: 'Whether a body is stored; the body endpoint returns it.' }),
    bodyNotStoredReason: openEnum(BODY_NOT_STORED_REASONS)
      .nullable()
      .meta({ description: 'Null when `hasBody` is true.' }),
  })
  .meta({ id: 'ResultStep', description: 'One call of a run.' })
export type ResultStep = z.output<typeof ResultStep>

export const Result = z
  .object({
    id: Id,
    serviceId: Id,
    status: RunStatus,
    runDurationMs: z.int(),
    startedAt: Instant,
    probeAgentId: Id,
    agentSlug: z.string(),
    scriptVersion: ScriptVersion,
    error: RunError,
    failure: RunFailure.nullable().meta({ description: 'What failed. Null for a run that passed or was skipped.' }),
    rawResult: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The language's result, with null in place of storage locators. Null for a skipped run." }),
    steps: z.array(ResultStep),
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
    content: z.string(),
    contentType: z
      .string()
      .nullable()
      .meta({ description: 'Null when no content type was recorded, or when it is not safe to return.' }),
    encoding: openEnum(['base64']).nullable().meta({ description: 'Null when `content` is plain text.' }),
  })
  .meta({ id: 'StepBody' })
export type StepBody = z.output<typeof StepBody>

const DATE = /^\d{4}-\d\d-\d\d$/

/** A time with a time zone, or a date, which means midnight in UTC. */
function queryInstant(description: string) {
  return z.preprocess(
    (value) => {
      if (typeof value !== 'string') return value
      // An unencoded plus sign in a query arrives as a space.
      return DATE.test(value) ? `${value}T00:00:00Z` : value.replace(/ (?=\d\d:\d\d$)/, '+')
    },
    z.iso
      .datetime({
        offset: true,
        error: ({ input }) =>
          z.iso.datetime({ local: true }).safeParse(input).success
            ? 'must have a time zone, such as Z or +02:00'
            : 'must be an ISO-8601 time such as 2026-01-31T09:30:00Z, or a date',
      })
      .meta({ description, example: '2026-01-31T09:30:00Z' }),
  )
}

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
    .meta({ description: 'Only runs of the agent with this slug.', example: 'local' }),
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
