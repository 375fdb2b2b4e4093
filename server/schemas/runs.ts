import { z } from 'zod'
import { Instant, idOf, LineOfText, openEnum, PageQuery, pageOf, ResultId, ServiceId } from './conventions.ts'

/** How one agent's part of a run ended; `skipped` when the agent did not execute it. */
export const RUN_STATUSES = ['success', 'failure', 'timeout', 'skipped'] as const

export const RunStatus = openEnum(RUN_STATUSES).meta({
  description: 'The outcome of the run; `skipped` when the installation could not execute it when it was due.',
})

export const RUN_STATES = ['queued', 'running', 'done'] as const
export const RUN_CAUSES = ['schedule', 'request', 'confirmation'] as const
export const RUN_OUTCOMES = [...RUN_STATUSES, 'cancelled'] as const

export const RUN_NOTE_MAX = 256
/** Values that a run may bring, and the characters of each. */
export const RUN_VARIABLES_MAX = 50
export const RUN_VALUE_MAX = 4_096
/** The characters of all names and values together. */
export const RUN_VALUES_MAX = 16_384
/** A variable in a request. The scope and the key may follow a dollar sign, as in scripts. */
const RUN_VARIABLE = /^\$?[owps]\.[A-Za-z_][A-Za-z0-9_]{0,63}$/
/** A list of runs covers this many of the newest results, and as many requested runs. */
export const LISTED_RUNS_MAX = 1_000

const AT = '2026-11-20T12:30:00.000Z'
const SERVICE_ID = ServiceId.meta()?.example

export const RunId = idOf(
  'The run that the result belongs to. Null for results that an older version stored.',
  '019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b',
)

export const RunSummary = z.string().nullable().meta({
  description: 'What failed, or why a skipped run was not executed, in one line. Null for a run that passed.',
  example: 'GET https://shop.example/cart: status 500, expected 200',
})

export const RecheckOf = ResultId.nullable().meta({
  description:
    'The failed result that this one rechecks: together they are one slot of the schedule, and this one counts for it if it ran. Null for other results.',
  example: null,
})

export const RecheckedBy = ResultId.nullable().meta({
  description:
    'The result of the recheck, which counts in place of this one if it ran. Null before it, and for other results.',
  example: null,
})

export const RunResult = z
  .object({
    id: ResultId,
    status: RunStatus.meta({ example: 'failure' }),
    agentSlug: z.string().meta({ description: 'The agent that executed or skipped it.', example: 'frankfurt' }),
    startedAt: Instant.meta({ description: 'When the agent started it, or when it was skipped.', example: AT }),
    runDurationMs: z.int().meta({ description: 'In milliseconds, pauses included.', example: 412 }),
    totalResponseMs: z.int().meta({ description: "Sum of the calls' response times, in milliseconds.", example: 398 }),
    duringMaintenance: z.boolean().meta({
      description: 'Whether a maintenance held during it: the result then counts for no state, statistic or alert.',
      example: false,
    }),
    summary: RunSummary,
    recheckOf: RecheckOf,
    recheckedBy: RecheckedBy,
    url: z.string().meta({
      description: 'The page of the result in the dashboard.',
      example: `https://soundline.example.com/services/${SERVICE_ID}/results/${ResultId.meta()?.example}`,
    }),
  })
  .meta({ id: 'RunResult', description: 'The result of a run on one agent.' })
export type RunResult = z.output<typeof RunResult>

export const SkippedAgents = z
  .array(
    z
      .object({
        agentSlug: z.string().meta({ description: 'The agent.', example: 'frankfurt' }),
        reason: z.string().nullable().meta({
          description: 'Why it did not execute its part. Null for runs that an older version stored.',
          example: 'the agent frankfurt was not connected',
        }),
      })
      .meta({ id: 'SkippedAgent', description: 'An agent that did not execute its part of a run.' }),
  )
  .meta({
    description:
      'The agents that did not execute their part of the run. It can be `success` nevertheless, because the others passed.',
  })

export const RunVariables = z.record(z.string(), z.string()).meta({
  description: 'Values for this run alone, by scope and key of the variable.',
  example: { 's.base': 'https://preview-42.shop.example' },
})

export const RunNote = LineOfText.max(RUN_NOTE_MAX).meta({
  description: 'A note that is shown with the run, such as the deploy that it checks.',
  example: 'deploy 42',
})

const RunUrl = z.string().meta({
  description: 'The page of the run in the dashboard.',
  example: `https://soundline.example.com/services/${SERVICE_ID}/runs/${RunId.meta()?.example}`,
})

export const Run = z
  .object({
    id: RunId.meta({ description: 'The id of the run.' }),
    serviceId: ServiceId,
    url: RunUrl,
    state: openEnum(RUN_STATES).meta({
      description: '`queued` until an agent starts it, `done` when all its agents have ended.',
      example: 'done',
    }),
    cause: openEnum(RUN_CAUSES).meta({
      description:
        '`confirmation` is the recheck of a scheduled run that failed. In runs of earlier releases, it is a scheduled run while a failure was being confirmed.',
      example: 'request',
    }),
    recheckOf: RecheckOf.meta({
      description: 'The failed result that the run rechecks. Null for other runs.',
      example: null,
    }),
    requestedAt: Instant.meta({ description: 'When it was requested or became due.', example: AT }),
    startedAt: Instant.nullable().meta({ description: 'When its first agent started.', example: AT }),
    finishedAt: Instant.nullable().meta({
      description: 'When its last agent ended, or when it was cancelled.',
      example: '2026-11-20T12:30:00.412Z',
    }),
    outcome: openEnum(RUN_OUTCOMES).nullable().meta({
      description:
        'The worst of its results: `failure`, then `timeout`, then `success`; `skipped` when no agent could execute it, see `skippedAgents` when only some could not; `cancelled` when it ended without any result. Null until it is done.',
      example: 'failure',
    }),
    summary: RunSummary,
    note: z.string().nullable().meta({ description: 'The note of the request.', example: 'deploy 42' }),
    variables: RunVariables.nullable().meta({
      description:
        'The values of the request. The results of a run with values are shown here only: they do not count for metrics, state and alerts, and the list of results omits them.',
    }),
    scriptVersion: z.int().nullable().meta({
      description: 'The version of the script that ran. Null until it is done, and for a run that ran no script.',
      example: 17,
    }),
    results: z.array(RunResult).meta({ description: 'One per agent that has ended, skipped ones too.' }),
    skippedAgents: SkippedAgents,
  })
  .meta({ id: 'Run', description: 'One run of a service, on one or several agents.' })
export type Run = z.output<typeof Run>

/** A run without the addresses of its pages, which depend on the request. */
export type BareRun = Omit<Run, 'url' | 'results'> & { results: Omit<RunResult, 'url'>[] }

export const RunPage = pageOf(Run, 'RunPage')

export const RunQuery = PageQuery.extend({
  state: z.enum(RUN_STATES).optional().meta({ description: 'Only runs in this state.', example: 'done' }),
  cause: z.enum(RUN_CAUSES).optional().meta({ description: 'Only runs of this cause.', example: 'request' }),
})
export type RunQuery = z.output<typeof RunQuery>

function checkValues(values: Record<string, string>, check: z.RefinementCtx): void {
  const entries = Object.entries(values)
  const refuse = (message: string, path: string[] = []) => check.addIssue({ code: 'custom', message, path })
  if (entries.length > RUN_VARIABLES_MAX) refuse(`must have at most ${RUN_VARIABLES_MAX} keys`)
  for (const [name] of entries.slice(0, RUN_VARIABLES_MAX)) {
    if (!RUN_VARIABLE.test(name)) refuse('must be a scope (o, w, p, s), a dot and the key of a variable', [name])
  }
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (characters > RUN_VALUES_MAX) refuse(`must have at most ${RUN_VALUES_MAX} characters in all keys and values`)
}

export const RunRequest = z.object({
  variables: z
    .record(z.string(), z.string().max(RUN_VALUE_MAX))
    .superRefine(checkValues)
    .optional()
    .meta({
      description:
        'Values for this run alone, by scope and key: `o`, `w`, `p` or `s`, a dot, and the key. All keys and values together may have 16,384 characters. The variables must exist and must not be secrets. The values are shown with the run; they are never stored as variables.',
      example: { 's.base': 'https://preview-42.shop.example' },
    }),
  note: RunNote.optional(),
})
export type RunRequest = z.output<typeof RunRequest>

export const RunRequested = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true: failures have an error status.', example: true }),
    requestedAt: Instant.meta({
      description: 'Whole seconds; pass it as `since` to find the run among the results.',
      example: AT,
    }),
    runId: RunId.meta({ description: 'The run that the request asked for, or joined.' }),
    url: RunUrl,
    joined: z.boolean().meta({
      description: 'Whether the request joined an earlier run that had not started.',
      example: false,
    }),
    run: Run.optional().meta({ description: 'The run as it is after the wait; only given with `wait`.' }),
  })
  .meta({ id: 'RunRequested', description: 'The run is requested and starts soon.' })
export type RunRequested = z.output<typeof RunRequested>
