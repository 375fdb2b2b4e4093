import { z } from 'zod'

export const LiveInput = z.object({
  /** The age of the oldest data that the page shows, in milliseconds: changes since then are repeated. */
  ageMs: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
})

export const LiveMessage = z.object({
  /** False while the server itself gets no changes: then the page must poll. */
  isLive: z.boolean(),
  /** What changed; null if that is unknown, so everything may have. */
  topics: z.array(z.string()).nullable(),
})
export type LiveMessage = z.infer<typeof LiveMessage>
