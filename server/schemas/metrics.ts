import { z } from 'zod'
import { RunStatus } from './runs.ts'

const Milliseconds = z.number().min(0)

export const MetricCounters = z
  .object({ probesTotal: z.int(), probesSuccess: z.int(), probesFailure: z.int(), probesTimeout: z.int() })
  .meta({ id: 'MetricCounters', description: 'Runs since the beginning, by how they ended.' })

export const MetricState = z
  .object({
    lastStatus: RunStatus.nullable(),
    lastConsecutive: z.int().meta({ description: 'How many runs in a row ended like the last.' }),
    lastResponseMs: Milliseconds.nullable(),
    lastRunAt: z.int().nullable().meta({ description: 'Epoch seconds.' }),
  })
  .meta({
    id: 'MetricState',
    description: 'The latest run. Of a project or workspace: that of whichever service ran last.',
  })

export const Percentiles = z
  .object({ p50: Milliseconds.nullable(), p95: Milliseconds.nullable(), p99: Milliseconds.nullable() })
  .meta({ id: 'Percentiles', description: "Milliseconds of the last 24 hours' runs; null while there are none." })

export const ServiceMetrics = z
  .object({
    counters: MetricCounters,
    state: MetricState,
    percentiles: Percentiles,
    serviceCount: z.int().optional().meta({ description: 'Of projects and workspaces only.' }),
    projectCount: z.int().optional().meta({ description: 'Of workspaces only.' }),
  })
  .meta({ id: 'ServiceMetrics', description: 'Counters, state and percentiles over what the caller may see.' })
export type ServiceMetrics = z.output<typeof ServiceMetrics>
