import { z } from 'zod'
import { Id, Instant, openEnum, PageQuery, pageOf } from './conventions.ts'
import { RunStatus } from './runs.ts'

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

export const ResultSummary = z
  .object({
    id: Id,
    status: RunStatus,
    runDurationMs: z.int(),
    totalResponseMs: z.int().meta({ description: "Sum of the calls' response times." }),
    startedAt: Instant,
    agentSlug: z.string(),
  })
  .meta({ id: 'ResultSummary' })
export type ResultSummary = z.output<typeof ResultSummary>

export const ResultPage = pageOf(ResultSummary, 'ResultPage')

/** One record of the language: a scope of `.expect` or `.check`, or a condition of `.assert`. */
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
    description: 'Of `expect` and `check`: scope, op, expected and actual. Of `assert`: expression and both operands.',
  })

export const ResultStep = z
  .object({
    id: Id,
    stepNum: z.int().meta({ description: 'From 1, in the order of the script.' }),
    requestUrl: z.string().nullable().meta({ description: 'Null for a step that was skipped.' }),
    statusCode: z.int().nullable(),
    responseTimeMs: Milliseconds,
    dnsMs: Milliseconds,
    connectMs: Milliseconds,
    tlsMs: Milliseconds,
    ttfbMs: Milliseconds,
    transferMs: Milliseconds,
    responseSizeBytes: z.int().nullable(),
    error: z.string().nullable(),
    assertionResults: z.array(AssertionResult),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    hasBody: z.boolean().meta({ description: 'Whether a body is recorded; read it by the body endpoint.' }),
    bodyNotStoredReason: openEnum(BODY_NOT_STORED_REASONS).nullable().meta({ description: 'Null when `hasBody`.' }),
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
    error: z.string().nullable().meta({
      description: 'Why the run failed where no assertion says it, such as a refused connection; otherwise null.',
    }),
    rawResult: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The language's result, storage locators null. Null for a skipped run." }),
    steps: z.array(ResultStep),
  })
  .meta({ id: 'Result', description: 'One run with all its steps.' })
export type AssertionResult = z.output<typeof AssertionResult>
export type Result = z.output<typeof Result>

export const StepBody = z
  .object({
    content: z.string(),
    contentType: z.string().nullable().meta({ description: 'Null when none was recorded, or one not repeated back.' }),
    encoding: openEnum(['base64']).nullable().meta({ description: 'Null when `content` is the text as it is.' }),
  })
  .meta({ id: 'StepBody' })
export type StepBody = z.output<typeof StepBody>

const DATE = /^\d{4}-\d\d-\d\d$/

/** A time with its zone, or a date, which is its midnight in UTC. */
function queryInstant(description: string) {
  return z.preprocess(
    (value) => {
      if (typeof value !== 'string') return value
      // An offset's plus sign that a query left unencoded arrives as a space.
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

export const ResultQuery = PageQuery.extend({
  since: queryInstant(
    'Only runs that started at or after it, taken to the second. A date is its midnight in UTC.',
  ).optional(),
  until: queryInstant(
    'Only runs that started at or before it. Pages end at 100,000 rows; the start of the last run read leads on to older ones.',
  ).optional(),
})
