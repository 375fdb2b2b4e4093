import { z } from 'zod'
import { Id, Instant } from './conventions.ts'

/** A place where response bodies lie. */
export const BodyStore = z.object({
  id: Id,
  label: z.string(),
  kind: z.enum(['files', 's3']),
  /** Without credentials. */
  url: z.string(),
  /** New bodies go there. */
  isCurrent: z.boolean(),
  firstUsedAt: Instant,
  /** To the hour. */
  lastUsedAt: Instant,
  /** When the organization forgot it: bodies of runs until then are not read from it any more. */
  forgottenAt: Instant.nullable(),
})
export type BodyStore = z.output<typeof BodyStore>
