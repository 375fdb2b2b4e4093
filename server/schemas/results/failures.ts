import { z } from 'zod'
import { Instant, openEnum, ResultId } from '../conventions.ts'
import { RunStatus } from '../runs.ts'

// What failed in a run.

/** The first characters of a text body that a failure contains. */
export const EXCERPT_MAX = 500

/** The phases of a request, named like their timings. */
export const REQUEST_PHASES = ['dns', 'connect', 'tls', 'ttfb', 'transfer'] as const

export const FailedAssertion = z
  .object({
    stepNum: z.int().meta({ description: 'The step, from 1, in the order of the script.', example: 2 }),
    method: openEnum(['expect', 'check', 'assert']).meta({ description: 'The chain method that contains it.' }),
    scope: z.string().nullable().meta({ description: 'What was compared; null for a condition.', example: 'status' }),
    op: z.string().nullable().meta({ description: 'How it was compared; null for a condition.', example: 'eq' }),
    expected: z.unknown().meta({ description: 'The expected value; null for a condition.', example: 200 }),
    actual: z.unknown().meta({ description: 'The actual value; null for a condition.', example: 500 }),
    expression: z
      .string()
      .nullable()
      .meta({ description: 'The condition of an `assert`, as written; otherwise null.', example: null }),
    actualLhs: z.unknown().meta({ description: 'Left operand of the condition.', example: null }),
    actualRhs: z.unknown().meta({ description: 'Right operand of the condition.', example: null }),
  })
  .partial({ scope: true, op: true, expected: true, actual: true, expression: true, actualLhs: true, actualRhs: true })
  .meta({ id: 'FailedAssertion', description: 'An assertion that failed, with what it expected and what it got.' })
export type FailedAssertion = z.output<typeof FailedAssertion>

export const SUMMARY_EXAMPLE = 'GET https://shop.example/cart: status 500, expected 200 (2 more failed)'

const Summary = z.string().meta({
  description: 'What failed, in one line: the first failing request, its cause, and how many more assertions failed.',
  example: SUMMARY_EXAMPLE,
})

export const RunError = z.string().nullable().meta({
  description: 'Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.',
  example: null,
})

export const RunFailure = z
  .object({
    summary: Summary,
    cause: z.string().meta({ description: 'The cause without its request.', example: 'status 500, expected 200' }),
    status: openEnum(['failure', 'timeout']).meta({ description: 'How the run ended.', example: 'failure' }),
    step: z
      .object({
        stepNum: z.int().meta({ description: 'From 1, in the order of the script.', example: 2 }),
        method: z.string().meta({ description: 'The request method, in upper case.', example: 'GET' }),
        url: z.string().nullable().meta({ description: 'Before redirects.', example: 'https://shop.example/cart' }),
        statusCode: z.int().nullable().meta({ description: 'Null without a response.', example: 500 }),
      })
      .nullable()
      .meta({ description: 'The first failing step. Null when the run failed as a whole.' }),
    assertion: FailedAssertion.nullable().meta({
      description: 'The first assertion that failed this step. Null when `error` is the cause.',
    }),
    error: RunError,
    phase: openEnum(REQUEST_PHASES).nullable().meta({
      description:
        'The phase of the request in which a timeout fell: name lookup, connection, TLS handshake, waiting for the first byte, or transfer of the body. Otherwise null.',
      example: null,
    }),
    moreFailed: z
      .int()
      .meta({ description: 'How many assertions failed besides the cause, in all steps.', example: 2 }),
    excerpt: z
      .string()
      .nullable()
      .meta({
        description: `The first ${EXCERPT_MAX} characters of the step's response body, with secrets masked. Null if the body is not text, or if the service does not save response bodies.`,
        example: '{"message":"no connection to the database"}',
      }),
  })
  .meta({ id: 'RunFailure', description: 'Why a run failed.' })
export type RunFailure = z.output<typeof RunFailure>

export const LastFailure = z
  .object({
    resultId: ResultId,
    startedAt: Instant.meta({ description: 'When the run started.' }),
    status: RunStatus.meta({ example: 'failure' }),
    error: RunError,
    summary: Summary,
    assertions: z.array(FailedAssertion).meta({ description: 'The first 20 that failed.' }),
    assertionsTotal: z.int().meta({ description: 'How many assertions failed in all.', example: 3 }),
  })
  .meta({ id: 'LastFailure', description: 'The failures of the latest failed run.' })
export type LastFailure = z.output<typeof LastFailure>
