import { z } from 'zod'
import { Id } from './conventions.ts'

export const ToggleInput = z.object({ isActive: z.boolean() })

/** The maximum of skipped services that a bulk operation lists. */
export const SKIPPED_MAX = 100

export const ToggleResult = z
  .object({
    matched: z.int().meta({ description: 'Services that the request selects.' }),
    changed: z.int(),
    unchanged: z.int().meta({ description: 'Services that already were in the requested state.' }),
    skipped: z.array(z.object({ serviceId: Id, name: z.string(), reason: z.string() })).meta({
      description: `The first ${SKIPPED_MAX} services that could not be switched; \`reason\` is an error code.`,
    }),
    skippedTotal: z.int(),
    skippedByReason: z.record(z.string(), z.int()),
  })
  .meta({ id: 'ToggleResult' })
export type ToggleResult = z.output<typeof ToggleResult>
