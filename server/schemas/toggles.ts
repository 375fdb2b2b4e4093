import { z } from 'zod'
import { ServiceId } from './conventions.ts'

export const ToggleInput = z.object({
  isActive: z.boolean().meta({ description: 'True switches on, false switches off.', example: true }),
})

/** The maximum of skipped services that a bulk operation lists. */
export const SKIPPED_MAX = 100

export const ToggleResult = z
  .object({
    matched: z.int().meta({ description: 'Services that the request selects.', example: 12 }),
    changed: z.int().meta({ description: 'Services that were switched.', example: 9 }),
    unchanged: z.int().meta({ description: 'Services that already were in the requested state.', example: 2 }),
    skipped: z
      .array(
        z.object({
          serviceId: ServiceId,
          name: z.string().meta({ description: 'The name of the service.', example: 'Checkout' }),
          reason: z.string().meta({ description: 'The error code that says why.', example: 'script_missing' }),
        }),
      )
      .meta({ description: `The first ${SKIPPED_MAX} services that could not be switched.` }),
    skippedTotal: z.int().meta({ description: 'How many services could not be switched.', example: 1 }),
    skippedByReason: z
      .record(z.string(), z.int())
      .meta({ description: 'How many services were skipped, by error code.', example: { script_missing: 1 } }),
  })
  .meta({ id: 'ToggleResult', description: 'What switching several services did.' })
export type ToggleResult = z.output<typeof ToggleResult>
