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

/** Why a link does not work, for members. */
export const UNSUBSCRIBE_PROBLEMS: Record<string, string> = {
  invalid: 'This link is not valid. Open the whole link from the mail that you received.',
  expired: 'This link has expired. Use the link of a newer mail, or sign in and add a silence under My silences.',
  gone: 'This link is of no use any more: you have left the organization or changed your address, or what the mail was about was deleted or is no longer visible to you.',
}
