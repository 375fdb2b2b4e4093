import { z } from 'zod'
import { Id, Instant, Name, pageOf } from '../conventions.ts'
import { Reauthentication } from './accounts.ts'

// A member's own API keys, as the dashboard makes and lists them.

export const KEY_DAYS_MAX = 3_650

export const KEY_ACCESS = ['read', 'write'] as const

export const AccountKeyInput = Reauthentication.extend({
  name: Name,
  access: z.enum(KEY_ACCESS),
  /** Null for a key that never expires. */
  expiresInDays: z.int().min(1).max(KEY_DAYS_MAX).nullable(),
})

/** `prefix` is the key's first eleven characters; the key itself is nowhere. */
export const AccountKey = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  access: z.enum(KEY_ACCESS),
  expiresAt: Instant.nullable(),
  organization: z.object({ id: Id, name: z.string() }),
  user: z.object({ id: Id, email: z.string() }),
  revokedAt: Instant.nullable(),
  /** To the minute. */
  lastUsedAt: Instant.nullable(),
  createdAt: Instant,
})
export type AccountKey = z.output<typeof AccountKey>

export const AccountKeyPage = pageOf(AccountKey, 'AccountKeyPage')

export const CreatedAccountKey = z.object({ key: z.string(), info: AccountKey })
