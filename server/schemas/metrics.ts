import { z } from 'zod'
import { RunStatus } from './runs.ts'

const Milliseconds = z.number().min(0)

export const MetricCounters = z
  .object({
    probesTotal: z.int().meta({ description: 'Executed runs.', example: 1440 }),
    probesSuccess: z.int().meta({ description: 'Runs that passed.', example: 1432 }),
    probesFailure: z.int().meta({ description: 'Runs that failed.', example: 6 }),
    probesTimeout: z.int().meta({ description: 'Runs that timed out.', example: 2 }),
  })
  .meta({ id: 'MetricCounters', description: 'Runs since the service was created, by outcome.' })

export const MetricState = z
  .object({
    lastStatus: RunStatus.nullable().meta({
      description: 'The outcome of the latest run that was executed; null before the first.',
    }),
    lastConsecutive: z.int().meta({ description: 'How many runs in a row had the last outcome.', example: 122 }),
    lastResponseMs: Milliseconds.nullable().meta({
      description: "Sum of the response times of that run's calls, in milliseconds; null before the first.",
      example: 184,
    }),
    lastRunAt: z
      .int()
      .nullable()
      .meta({ description: 'Start of that run, in epoch seconds; null before the first.', example: 1_795_177_800 }),
  })
  .meta({
    id: 'MetricState',
    description: 'The latest run. For a project or workspace, the latest run of any of its services.',
  })

/** How percentiles of runs are ranked, and which runs they leave out. */
export const RANKED_PERCENTILES =
  'Percentiles are by nearest rank over the sums of the response times of each run; those of more than 128 runs are within 1 %. Skipped runs, runs without any response and runs with values of their own are left out.'

export const Percentiles = z
  .object({
    p50: Milliseconds.nullable().meta({ description: 'Median, in milliseconds; null without runs.', example: 176 }),
    p95: Milliseconds.nullable().meta({ description: '95th percentile; null without runs.', example: 312 }),
    p99: Milliseconds.nullable().meta({ description: '99th percentile; null without runs.', example: 540 }),
  })
  .meta({
    id: 'Percentiles',
    description: `Response times of the current UTC hour and the 23 before it, in milliseconds. ${RANKED_PERCENTILES}`,
  })

export const ServiceMetrics = z
  .object({
    counters: MetricCounters,
    state: MetricState,
    percentiles: Percentiles,
    serviceCount: z.int().optional().meta({ description: 'For projects and workspaces only.', example: 3 }),
    projectCount: z.int().optional().meta({ description: 'For workspaces only.', example: 1 }),
  })
  .meta({
    id: 'ServiceMetrics',
    description: 'Counters, state and percentiles over the services that the caller can see.',
  })
export type ServiceMetrics = z.output<typeof ServiceMetrics>
