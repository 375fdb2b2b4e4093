import { z } from 'zod'
import { Id, Instant } from '../conventions.ts'

/** The most windows that the page shows: each takes an evaluation of some milliseconds. */
export const WINDOWS_SHOWN = 100

/** The own maintenance windows of services, for the dashboard. */
export const ServiceWindows = z.object({
  items: z.array(
    z.object({
      serviceId: Id,
      serviceName: z.string(),
      projectName: z.string(),
      /** `RRULE/minutes[/timezone]`. */
      window: z.string(),
      /** The window that is open now, or else the next one; null when it has none. */
      startsAt: Instant.nullable(),
      endsAt: Instant.nullable(),
    }),
  ),
})
export type ServiceWindows = z.output<typeof ServiceWindows>
