import { z } from 'zod'
import { RunStatus } from '../runs.ts'
import { FailedAssertion } from '../services.ts'

/** What failed in a run, as `failureOf` (server/results/failure.ts) describes it. */
export const RunFailure = z
  .object({
    summary: z.string().meta({
      description: 'What failed, in one line: the first failing request and its cause.',
      example: 'GET https://shop.example/cart: status 500, expected 200 (2 more failed)',
    }),
    cause: z.string().meta({ description: 'The cause alone.', example: 'status 500, expected 200' }),
    status: RunStatus.meta({ description: 'The status of the run: failure or timeout.', example: 'failure' }),
    step: z
      .object({
        stepNum: z.int().meta({ description: 'From 1, in the order of the script.', example: 1 }),
        method: z.string().meta({ example: 'GET' }),
        url: z.string().nullable().meta({ example: 'https://shop.example/cart' }),
        statusCode: z.int().nullable().meta({ description: 'Null without a response.', example: 500 }),
      })
      .nullable()
      .meta({ description: 'The first failing step; null when the run failed as a whole.' }),
    assertion: FailedAssertion.nullable().meta({ description: 'The first failed assertion of that step, or null.' }),
    error: z.string().nullable().meta({
      description: 'Why there was no response, or why the run could not be executed; null when only assertions failed.',
      example: null,
    }),
    phase: z.string().nullable().meta({
      description: 'The phase of the request in which a timeout fell, such as `connecting`; null otherwise.',
      example: null,
    }),
    moreFailed: z.int().meta({ description: 'How many more assertions and steps failed.', example: 2 }),
    excerpt: z.string().nullable().meta({
      description: "The first 500 characters of the step's text body, without secrets; null without one.",
      example: '{"error":"the cart is not available"}',
    }),
  })
  .meta({ id: 'RunFailure', description: 'What failed in a run, in one line and in parts.' })
export type RunFailure = z.output<typeof RunFailure>
