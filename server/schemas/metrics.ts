import { z } from 'zod'
import { RunStatus } from './runs.ts'

const Milliseconds = z.number().min(0)

export const MetricCounters = z
  .object({ probesTotal: z.int(), probesSuccess: z.int(), probesFailure: z.int(), probesTimeout: z.int() })
  .meta({ id: 'MetricCounters', description: 'Runs since the service exists, by outcome.' })

export const MetricState = z
  .object({
    lastStatus: RunStatus.nullable(),
    lastConsecutive: z.int().meta({ description: 'How many runs in a row had the last outcome.' }),
    lastResponseMs: Milliseconds.nullable(),
    lastRunAt: z.int().nullable().meta({ description: 'Epoch seconds.' }),
  })
  .meta({
    id: 'MetricState',
    description: 'The latest run. For a project or workspace, the latest run of any of its services.',
  })

export const Percentiles = z
  .object({ p50: Milliseconds.nullable(), p95: Milliseconds.nullable(), p99: Milliseconds.nullable() })
  .meta({ id: 'Percentiles', description: 'Response times of the last 24 hours in milliseconds; null without runs.' })

export const ServiceMetrics = z
  .object({
    counters: MetricCounters,
    state: MetricState,
    percentiles: Percentiles,
    serviceCount: z.int().optional().meta({ description: 'For projects and workspaces only.' }),
    projectCount: z.int().optional().meta({ description: 'For workspaces only.' }),
  })
  .meta({
    id: 'ServiceMetrics',
    description: 'Counters, state and percentiles over the services that the caller can see.',
  })
export type ServiceMetrics = z.output<typeof ServiceMetrics>
