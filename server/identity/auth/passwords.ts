import { hash, verify } from '@node-rs/argon2'
import { fieldInvalid } from '../../errors.ts'
import { normalizedPassword } from '../../schemas/account/accounts.ts'
import { isCommonPassword } from './common-passwords.ts'

// Argon2id with OWASP's parameters: 19 MiB and about 20 ms of a core per hash. `hashing-permits.ts` limits how many run.

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash to verify against when the account does not exist, so that both cases take the same time. */
let dummy: Promise<string> | null = null

export function hashPassword(password: string): Promise<string> {
  return hash(normalizedPassword(password), PARAMETERS)
}

/** Returns whether `password` matches; for a null hash (no such account) false, after the same work. */
export async function verifyPassword(hashed: string | null, password: string): Promise<boolean> {
  dummy ??= hash('no account has this password', PARAMETERS)
  const against = hashed ?? (await dummy)
  const normalized = normalizedPassword(password)
  let matches = await verify(against, normalized)
  // Older hashes are of the password as typed, without normalization.
  if (!matches && normalized !== password) matches = await verify(against, password)
  return matches && hashed !== null
}

/**
 * Refuses the most common passwords.
 * @throws ApiError `field_invalid` on `field`
 */
export async function requireUncommon(password: string, field = 'password'): Promise<void> {
  if (await isCommonPassword(password)) throw fieldInvalid(field, 'must not be one of the most common passwords')
}
