import { z } from 'zod'
import { Id, Instant, Label, openEnum } from '../conventions.ts'
import { RUN_OUTCOMES, RUN_STATES, RunRequest } from '../runs.ts'
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

export const BatchQuery = z.object({ id: Id, wait: Wait })

const count = (description: string, example: number) => z.int().meta({ description, example })

export const BatchRun = z
  .object({
    serviceId: Id,
    serviceName: z.string().meta({ description: 'As it was when the batch was requested.', example: 'Checkout' }),
    runId: Id.nullable().meta({ description: 'Null for a service that is not run.' }),
    url: z.string().nullable().meta({ description: 'The page of the run in the dashboard.' }),
    state: openEnum(RUN_STATES),
    outcome: openEnum(RUN_OUTCOMES).nullable().meta({
      description: 'The worst result of the run; null until the run is done.',
      example: 'failure',
    }),
    summary: z.string().nullable().meta({ description: 'What failed, in one line; null for other runs.' }),
    reason: z.string().nullable().meta({
      description:
        'Why the service is not run, as an error code: `service_inactive`, `script_missing`, or the code that refuses the variables.',
      example: null,
    }),
  })
  .meta({ id: 'BatchRun', description: 'One service of a batch.' })
export type BatchRun = z.output<typeof BatchRun>

export const Batch = z
  .object({
    id: Id,
    url: z.string().meta({ description: 'The page of the batch in the dashboard.' }),
    state: openEnum(RUN_STATES).meta({
      description: '`queued` until a run starts, `done` when no run is left.',
      example: 'running',
    }),
    createdAt: Instant,
    note: z.string().nullable(),
    total: count('All services that the request selects.', 12),
    passed: count('Runs that passed.', 9),
    failed: count('Runs that failed.', 1),
    timedOut: count('Runs that timed out.', 0),
    skipped: count('Services that are not run, and runs that the installation could not execute.', 1),
    cancelled: count('Runs that were cancelled before they started.', 0),
    pending: count('Runs that are not done.', 1),
    runs: z.array(BatchRun).meta({
      description: 'One entry per service that the caller can read, ordered by name, then id.',
    }),
  })
  .meta({ id: 'Batch', description: 'Runs of several services that one request asked for.' })
export type Batch = z.output<typeof Batch>
