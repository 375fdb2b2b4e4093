import { z } from 'zod'
import { Id } from './conventions.ts'

export const ToggleInput = z.object({ isActive: z.boolean() })

/** How many services a bulk switch names one by one. */
export const SKIPPED_MAX = 100

export const ToggleResult = z
  .object({
    matched: z.int().meta({ description: 'Services in scope.' }),
    changed: z.int(),
    unchanged: z.int().meta({ description: 'Services that already were as asked.' }),
    skipped: z
      .array(z.object({ serviceId: Id, name: z.string(), reason: z.string() }))
      .meta({ description: `The first ${SKIPPED_MAX} services that could not be switched, with the error code why.` }),
    skippedTotal: z.int(),
    skippedByReason: z.record(z.string(), z.int()),
  })
  .meta({ id: 'ToggleResult' })
export type ToggleResult = z.output<typeof ToggleResult>
