import { z } from 'zod'
import { Id, Instant } from '../conventions.ts'

/** A place where response bodies lie. Which folder or bucket it is, operators alone know. */
export const BodyStore = z.object({
  id: Id,
  /** Its kind and the end of its id, by which whoever runs the installation finds it in the log. */
  label: z.string(),
  kind: z.enum(['files', 's3']),
  /** New bodies go there. */
  isCurrent: z.boolean(),
  firstUsedAt: Instant,
  /** To the hour. */
  lastUsedAt: Instant,
  /** When the organization forgot it: bodies of runs until then are not read from it any more. */
  forgottenAt: Instant.nullable(),
})
export type BodyStore = z.output<typeof BodyStore>
