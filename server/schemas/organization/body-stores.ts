import { z } from 'zod'
import { Id, Instant } from '../conventions.ts'

/** A store of response bodies. Only operators know which folder or bucket it is. */
export const BodyStore = z.object({
  id: Id,
  /** The kind and the end of the id, by which operators find the store in the log. */
  label: z.string(),
  kind: z.enum(['files', 's3']),
  /** New bodies are stored here. */
  isCurrent: z.boolean(),
  firstUsedAt: Instant,
  /** With a precision of one hour. */
  lastUsedAt: Instant,
  /** When the organization forgot the store. Bodies of earlier runs are no longer read. */
  forgottenAt: Instant.nullable(),
})
export type BodyStore = z.output<typeof BodyStore>
