import { z } from 'zod'
import { Instant, Name } from '../conventions.ts'

/** What a worker is started with as `AGENT_SLUG`. */
export const AgentSlug = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and dashes, at most 63')

/** One worker process that is alive. */
export const AgentWorker = z.object({
  id: z.guid(),
  lastSeenAt: Instant,
  /** What it took last: `probe`, or the name of a job such as `mail`; null before the first. */
  lastTask: z.string().nullable(),
  lastTakenAt: Instant.nullable(),
  /** It is heard of and takes nothing, although runs wait for its agent. */
  isStalled: z.boolean(),
})

export const AgentState = z.object({
  slug: z.string(),
  label: z.string(),
  isActive: z.boolean(),
  /** Shared agents belong to the installation: named by everyone, changed by no organization. */
  isShared: z.boolean(),
  /** Worker processes whose heartbeat is fresh. */
  liveWorkers: z.int(),
  workers: z.array(AgentWorker),
  lastSeenAt: Instant.nullable(),
  createdAt: Instant,
})
export type AgentWorker = z.output<typeof AgentWorker>
export type AgentState = z.output<typeof AgentState>

export const AgentCreate = z.object({ slug: AgentSlug, label: Name })
