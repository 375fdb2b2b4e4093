import { z } from 'zod'
import { RESOURCE_TYPES } from '../scopes.ts'

/** The token of the link in an alert mail. */
export const UnsubscribeToken = z.object({ token: z.string().min(1).max(128) })

export const Unsubscription = z.object({
  organization: z.string(),
  /** The recipient of the mail. */
  email: z.string(),
  resourceType: z.enum([...RESOURCE_TYPES, 'agents', 'organization']),
  /** Null for agents. */
  resourceName: z.string().nullable(),
  /** The member has this silence already. */
  isStopped: z.boolean(),
})
export type Unsubscription = z.output<typeof Unsubscription>
