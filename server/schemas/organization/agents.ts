import { z } from 'zod'
import { Instant, Name } from '../conventions.ts'

/** The name of an agent, which its workers get as `AGENT_SLUG`. */
export const AgentSlug = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash',
  )

/** A live worker process. */
export const AgentWorker = z.object({
  id: z.guid(),
  lastSeenAt: Instant,
  /** What the worker took last: `probe` for a run, or the name of a job such as `mail`; null before the first. */
  lastTask: z.string().nullable(),
  lastTakenAt: Instant.nullable(),
  /** The worker is alive but takes nothing, although runs of its agent are queued. */
  isStalled: z.boolean(),
})

export const AgentState = z.object({
  slug: z.string(),
  label: z.string(),
  isActive: z.boolean(),
  /** Shared agents belong to the installation: every organization may use them, but not change them. */
  isShared: z.boolean(),
  /** The number of live worker processes. */
  liveWorkers: z.int(),
  /** Services of the organization need the agent, and it has sent no heartbeat for three minutes. */
  isLost: z.boolean(),
  workers: z.array(AgentWorker),
  lastSeenAt: Instant.nullable(),
  createdAt: Instant,
})
export type AgentWorker = z.output<typeof AgentWorker>
export type AgentState = z.output<typeof AgentState>

export const AgentCreate = z.object({ slug: AgentSlug, label: Name })
