import { z } from 'zod'
import { LEVELS, SECTIONS } from './sections.ts'

/** A level per section. An omitted section is `none` on creation and unchanged on update. */
export const SectionPermissions = z.partialRecord(z.enum(SECTIONS), z.enum(LEVELS)).meta({ id: 'SectionPermissions' })
export type SectionPermissions = z.output<typeof SectionPermissions>
