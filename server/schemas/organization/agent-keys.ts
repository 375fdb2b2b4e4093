import { z } from 'zod'
import { Id, Instant, Name } from '../conventions.ts'
import { AgentSlug } from './agents.ts'

/** `label` is that of a new agent; by default it is the slug. */
export const AgentEnrol = z.object({ slug: AgentSlug, label: Name.optional() })
export type AgentEnrol = z.output<typeof AgentEnrol>

export const AgentEnrolment = z.object({
  /** Shown once. It works once. */
  token: z.string(),
  expiresAt: Instant,
  /** Starts the agent on a machine with Node. */
  command: z.string(),
})

export const AgentKey = z.object({
  keyId: Id,
  /** The host name that the agent gave. */
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
})
