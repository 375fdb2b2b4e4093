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
  /** The member whose token registered it; null for the operator's command, and where that is not known. */
  createdBy: z
    .object({
      userId: Id,
      /** Null when the account is gone. */
      email: z.string().nullable(),
      /** Whether the user is still an active member. */
      isMember: z.boolean(),
      /** Whether the user may still enrol agents. If not, the key should be revoked. */
      mayEnrol: z.boolean(),
    })
    .nullable(),
})
export type AgentKey = z.output<typeof AgentKey>
