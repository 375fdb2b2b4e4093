import { z } from 'zod'
import { Id, Instant } from '../conventions.ts'

/** A registrable domain or a subdomain of one, lower case, without a trailing dot. */
export const DomainName = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/\.$/, ''))
  .pipe(
    z
      .string()
      .max(253)
      .regex(
        /^(?=.{4,253}$)(xn--)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.[a-z][a-z0-9-]*[a-z0-9]$/,
        'must be a domain name such as example.com',
      ),
  )

export const Domain = z.object({
  id: Id,
  domain: z.string(),
  /** The DNS record that proves the organization's ownership of the domain. */
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  /** Null before the verification and after it lapsed. */
  verifiedAt: Instant.nullable(),
  lastCheckedAt: Instant.nullable(),
  /** When a check found the record for the last time. */
  lastSeenAt: Instant.nullable(),
  /** When the verification lapses if the record stays missing; null when the last check found it. */
  lapsesAt: Instant.nullable(),
  createdAt: Instant,
})
export type Domain = z.output<typeof Domain>

export const DomainCheck = Domain.extend({
  verified: z.boolean(),
  /** Why the domain is not verified; null when it is. */
  reason: z.string().nullable(),
})
