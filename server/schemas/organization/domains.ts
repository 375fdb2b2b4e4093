import { z } from 'zod'
import { Id, Instant } from '../conventions.ts'

/** A registrable name or a subdomain of one, lower case, without a dot at the end. */
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
  /** The DNS record that shows the domain to be the organization's own. */
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  /** Null while the domain is not verified, and again once its verification lapsed. */
  verifiedAt: Instant.nullable(),
  lastCheckedAt: Instant.nullable(),
  /** When a check last found the record. */
  lastSeenAt: Instant.nullable(),
  /** When the verification lapses, if the last check did not find the record; null otherwise. */
  lapsesAt: Instant.nullable(),
  createdAt: Instant,
})
export type Domain = z.output<typeof Domain>

export const DomainCheck = Domain.extend({
  verified: z.boolean(),
  /** Why it is not; null when it is. */
  reason: z.string().nullable(),
})
