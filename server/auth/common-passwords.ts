import { normalizedPassword, PASSWORD_MIN } from '../schemas/account/accounts.ts'

/** ASVS asks for the 3,000 most common that the other rules would let through. */
const CHECKED = 3_000

let common: Promise<Set<string>> | null = null

/** Whether a password is, in whatever case, among the most common ones. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load()
  return (await common).has(normalizedPassword(password).toLowerCase())
}

// Loaded when first needed: the whole list is a few megabytes that most processes never use.
async function load(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const byFrequency = dictionary['passwords-common']
  return new Set(byFrequency.filter((word) => word.length >= PASSWORD_MIN).slice(0, CHECKED))
}
