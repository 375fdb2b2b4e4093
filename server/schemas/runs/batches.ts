import { z } from 'zod'
import { Instant, idOf, Label, openEnum, ServiceId } from '../conventions.ts'
import { RUN_OUTCOMES, RUN_STATES, RunId, RunRequest, RunSummary, SkippedAgents } from '../runs.ts'
import { Wait } from './wait.ts'

/** The maximum of services in a batch. */
export const BATCH_SERVICES_MAX = 500

/** The services whose latest run ended like this; `new` for those that have not run yet. */
export const BATCH_STATES = ['failed', 'success', 'new'] as const

export const BatchRequest = RunRequest.extend({
  label: Label.optional().meta({ description: 'Only services with this label.', example: 'checkout' }),
  state: z.enum(BATCH_STATES).optional().meta({
    description:
      'Only services whose latest run ended like this: `failed` means a failure or a timeout, `new` that no run has ended yet.',
    example: 'failed',
  }),
  wait: Wait,
})
export type BatchRequest = z.output<typeof BatchRequest>

export const BatchId = idOf('The id of the batch.', '019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a')

export const BatchQuery = z.object({ id: BatchId, wait: Wait })

const HOST = 'https://soundline.example.com'

const count = (description: string, example: number) => z.int().meta({ description, example })

export const BatchRun = z
  .object({
    serviceId: ServiceId,
    serviceName: z.string().meta({ description: 'Its name when the batch was requested.', example: 'Checkout' }),
    runId: RunId.nullable().meta({ description: 'The run; null for a service that is not run.' }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'The page of the run in the dashboard; null for a service that is not run or was deleted.',
        example: `${HOST}/services/${ServiceId.meta()?.example}/runs/${RunId.meta()?.example}`,
      }),
    state: openEnum(RUN_STATES).meta({
      description: '`queued` until an agent starts the run, `done` when all its agents have ended.',
      example: 'done',
    }),
    outcome: openEnum(RUN_OUTCOMES).nullable().meta({
      description: 'The worst result of the run; null until it is done.',
      example: 'failure',
    }),
    summary: RunSummary,
    skippedAgents: SkippedAgents,
    reason: z.string().nullable().meta({
      description:
        'Why the service is not run, as an error code: `service_inactive`, `script_missing`, `run_limit_reached`, or the code that refuses the variables. `service_deleted` and `run_expired`: the run is no longer known. Null for others.',
      example: null,
    }),
  })
  .meta({ id: 'BatchRun', description: 'One service of a batch.' })
export type BatchRun = z.output<typeof BatchRun>

export const Batch = z
  .object({
    id: BatchId,
    url: z.string().meta({
      description: 'The page of the batch in the dashboard.',
      example: `${HOST}/batches/${BatchId.meta()?.example}`,
    }),
    state: openEnum(RUN_STATES).meta({
      description: '`queued` until a run starts, `done` when no run is left.',
      example: 'done',
    }),
    requestedAt: Instant.meta({ description: 'When it was requested.' }),
    createdAt: Instant.meta({ description: 'The same as `requestedAt`.' }),
    note: z.string().nullable().meta({ description: 'The note of the request.', example: 'deploy 42' }),
    total: count('All services that the request selects.', 1),
    passed: count('Runs whose `outcome` is `success`.', 0),
    failed: count('Runs whose `outcome` is `failure`.', 1),
    timedOut: count('Runs whose `outcome` is `timeout`.', 0),
    incomplete: count('Of those that passed, the runs that some agents did not execute: see `skippedAgents`.', 0),
    skipped: count('Services that are not run, and runs that the installation could not execute.', 0),
    cancelled: count('Runs whose `outcome` is `cancelled`.', 0),
    pending: count('Runs that are not done.', 0),
    runs: z.array(BatchRun).meta({
      description: 'One entry per service that the caller can read, ordered by name, then id.',
    }),
  })
  .meta({ id: 'Batch', description: 'Runs of several services that one request asked for.' })
export type Batch = z.output<typeof Batch>
