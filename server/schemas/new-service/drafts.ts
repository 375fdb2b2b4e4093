import { z } from 'zod'
import { Id, Instant, openEnum } from '../conventions.ts'
import { RunError, RunFailure } from '../results/failures.ts'
import { ResultStep, StepBody } from '../results/results.ts'
import { RunStatus } from '../runs.ts'
import { Script } from '../services.ts'
import { NEW_SECRETS_MAX, NewSecret } from './secrets.ts'

export const DraftStart = z.object({
  serviceId: Id.optional().meta({
    description: 'The service whose variables the script reads. Without one, the script may name only `secrets`.',
  }),
  script: Script,
  secrets: z.array(NewSecret).max(NEW_SECRETS_MAX).optional().meta({
    description: 'Secrets that a service to be created will have; for a script without a service.',
  }),
})

export const DraftResult = z.object({
  status: RunStatus,
  startedAt: Instant,
  runDurationMs: z.int(),
  agentSlug: z.string(),
  error: RunError,
  failure: RunFailure.nullable(),
  rawResult: z.record(z.string(), z.unknown()).nullable(),
  /** No step has a stored body; see `bodies`. */
  steps: z.array(ResultStep),
  /** The start of each response body. */
  bodies: z.array(StepBody.extend({ stepId: Id, isCut: z.boolean() })),
})
export type DraftResult = z.output<typeof DraftResult>

/** What a save of the script would be refused with, if its service were switched on. */
export const DraftValidation = z.object({
  isValid: z.boolean(),
  targetHosts: z.array(z.string()),
  /** Of these, the hosts to which the limits of unverified domains apply. */
  unverifiedHosts: z.array(z.string()),
  refusal: z.object({ error: z.string(), details: z.record(z.string(), z.unknown()).nullable() }).nullable(),
})

export const DRAFT_STATES = ['queued', 'running', 'done', 'lost'] as const

export const DraftRun = z.object({
  id: Id,
  serviceId: Id.nullable(),
  /** `lost`: no worker took it, or its worker died. */
  state: openEnum(DRAFT_STATES),
  createdAt: Instant,
  /** Null until it is done. */
  result: DraftResult.nullable(),
})
export type DraftRun = z.output<typeof DraftRun>
