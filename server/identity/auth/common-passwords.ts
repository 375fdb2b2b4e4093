import { normalizedPassword, PASSWORD_MIN } from '../../schemas/account/accounts.ts'

/** ASVS requires a check against the 3,000 most common passwords that satisfy the other rules. */
const CHECKED = 3_000

let common: Promise<Set<string>> | null = null

/** Returns whether a password is one of the most common ones, ignoring case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load()
  return (await common).has(normalizedPassword(password).toLowerCase())
}

// Loaded on first use: the list has a few megabytes, and most processes never need it.
async function load(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const byFrequency = dictionary['passwords-common']
  return new Set(byFrequency.filter((word) => word.length >= PASSWORD_MIN).slice(0, CHECKED))
}
