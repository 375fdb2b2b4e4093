import { z } from 'zod'
import { Id, Labels } from './conventions.ts'
import { Schedule, ServiceTimezone } from './services.ts'

/** The maximum of services in a selection. */
export const SELECTION_MAX = 100

const SelectedId = Id.transform((id) => id.toLowerCase())

/** The selected services. Duplicates are ignored. */
export const Selection = z.object({
  ids: z
    .array(SelectedId)
    .min(1)
    .max(SELECTION_MAX)
    .transform((ids) => [...new Set(ids)]),
})

export const BulkToggle = Selection.extend({ isActive: z.boolean() })
/** Without a time zone, or with an empty one, each service keeps its own; null is UTC. */
export const BulkSchedule = Selection.extend({ schedule: Schedule, timezone: ServiceTimezone.nullish() })
/** Either all labels, or those to add at the end and those to remove. */
export const BulkLabels = Selection.extend({
  set: Labels.optional(),
  add: Labels.optional(),
  remove: Labels.optional(),
}).refine(({ set, add, remove }) => (set !== undefined) !== (add !== undefined || remove !== undefined), {
  path: ['set'],
  message: 'must be given alone, or labels to add or remove',
})
const Slugs = z.array(z.string().max(64)).max(100)
/** Empty for any open shared agent. */
export const BulkAgents = Selection.extend({ slugs: Slugs })
export const BulkMove = Selection.extend({ projectId: Id })

/** What bulk changes set, and what an undo sets again. Schedule and time zone go together. */
export const ServiceValues = z
  .object({
    isActive: z.boolean(),
    projectId: Id,
    labels: z.array(z.string()),
    schedule: z.string(),
    timezone: z.string().nullable(),
    agents: Slugs,
  })
  .partial()
export type ServiceValues = z.output<typeof ServiceValues>

/** What an undo needs: the values that a change has set, and those before it. */
const Undo = z.object({ from: ServiceValues, to: ServiceValues })
export type Undo = z.output<typeof Undo>

/** Each `undo` of a bulk result with its service. Of several for one service, the last one counts. */
export const BulkUndo = z.object({
  changes: z
    .array(
      z.object({
        serviceId: SelectedId,
        from: ServiceValues,
        // Values that are set obey the rules of any request.
        to: ServiceValues.extend({
          labels: Labels,
          schedule: Schedule,
          timezone: ServiceTimezone.nullable(),
        }).partial(),
      }),
    )
    .min(1)
    .max(SELECTION_MAX),
})

/** Reasons that are no error codes: ten labels already, and a service that was changed after the change to undo. */
export const OWN_REASONS = { labels: 'label_limit_reached', changed: 'changed_since' } as const

/**
 * What a change of several services did to one of them. `reason` is the error code of a skipped one, or one of
 * `OWN_REASONS`, else null. The name of a service that the member cannot see is empty.
 */
export const ServiceOutcome = z.object({
  serviceId: Id,
  name: z.string(),
  outcome: z.enum(['changed', 'unchanged', 'skipped']),
  reason: z.string().nullable(),
  /** Only of a changed service that can be changed back by `undo`. */
  undo: Undo.optional(),
})
export type ServiceOutcome = z.output<typeof ServiceOutcome>

/** One outcome per selected service. */
export const BulkResult = z.object({ services: z.array(ServiceOutcome) })
export type BulkResult = z.output<typeof BulkResult>
