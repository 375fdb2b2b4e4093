import { z } from 'zod'
import { SERVICE_STATES } from './states.ts'

export const ServiceState = z.enum(SERVICE_STATES)

/** How many services are in each state. */
export const StateCounts = z.object({
  failing: z.int(),
  degraded: z.int(),
  unknown: z.int(),
  passing: z.int(),
  pending: z.int(),
  paused: z.int(),
})
