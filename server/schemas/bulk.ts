import { z } from 'zod'
import { Id, Label } from './conventions.ts'
import { Schedule, ServiceTimezone } from './services.ts'

/** The maximum of services in a selection. */
export const SELECTION_MAX = 200

/** The selected services. Duplicates are ignored. */
export const Selection = z.object({
  ids: z
    .array(Id)
    .min(1)
    .max(SELECTION_MAX)
    .transform((ids) => [...new Set(ids)]),
})

export const BulkToggle = Selection.extend({ isActive: z.boolean() })
/** Without a time zone, or with an empty one, each service keeps its own; null is UTC. */
export const BulkSchedule = Selection.extend({ schedule: Schedule, timezone: ServiceTimezone.nullish() })
/** An empty label clears it. */
export const BulkLabel = Selection.extend({ label: Label })
export const BulkMove = Selection.extend({ projectId: Id })

export const BulkCount = z.object({ matched: z.int(), changed: z.int() })

/** What a change of several services did to one of them. `reason` is the error code of a skipped one, else null. */
export const ServiceOutcome = z.object({
  serviceId: Id,
  name: z.string(),
  outcome: z.enum(['changed', 'unchanged', 'skipped']),
  reason: z.string().nullable(),
})
export type ServiceOutcome = z.output<typeof ServiceOutcome>

/** One outcome per selected service. */
export const BulkResult = z.object({ services: z.array(ServiceOutcome) })
export type BulkResult = z.output<typeof BulkResult>
