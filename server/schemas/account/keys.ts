import { z } from 'zod'
import { Instant, Name, pageOf } from '../conventions.ts'
import { ApiKeyInfo, KEY_ACCESS } from '../keys.ts'
import { Reauthentication } from './accounts.ts'

// The API keys of a member, as the dashboard creates and lists them.

export const KEY_DAYS_MAX = 3_650

export const AccountKeyInput = Reauthentication.extend({
  name: Name,
  access: z.enum(KEY_ACCESS),
  /** Null for a key that never expires. */
  expiresInDays: z.int().min(1).max(KEY_DAYS_MAX).nullable(),
})

export const AccountKey = ApiKeyInfo.extend({
  access: z.enum(KEY_ACCESS),
  revokedAt: Instant.nullable(),
  /** With a precision of one minute. */
  lastUsedAt: Instant.nullable(),
  createdAt: Instant,
})
export type AccountKey = z.output<typeof AccountKey>

export const AccountKeyPage = pageOf(AccountKey, 'AccountKeyPage')

export const CreatedAccountKey = z.object({ key: z.string(), info: AccountKey })
