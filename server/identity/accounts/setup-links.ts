import { timingSafeEqual } from 'node:crypto'
import { setupLinks } from '#db/schema/credentials.ts'
import type { Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { log } from '../../process/log.ts'
import { digestOfToken, linkUrl } from './link-tokens.ts'
import { isSetupOpen } from './setup.ts'

// The log shows the link to create the first account. Its token derives from the secret keys and a nonce in the database,
// so all processes print the same link, and a restart prints it again. It works once: the first account deletes the nonce.

/** Returns the token of the setup link; null when an account exists. */
export async function findSetupToken({ db, vault }: Pick<Runtime, 'db' | 'vault'>): Promise<string | null> {
  if (!(await isSetupOpen(db))) return null
  await db.insert(setupLinks).values({}).onConflictDoNothing()
  const [token] = await tokens({ db, vault })
  return token ?? null
}

/** @throws ApiError `setup_complete` when an account exists, `setup_link_invalid` for another token */
export async function requireSetupToken(runtime: Pick<Runtime, 'db' | 'vault'>, token: string): Promise<void> {
  const digest = digestOfToken(token)
  // Read first: the transaction that creates the first account deletes the nonce.
  const isOurs = (await tokens(runtime)).some((each) => timingSafeEqual(digestOfToken(each), digest))
  if (!(await isSetupOpen(runtime.db))) throw new ApiError('setup_complete')
  if (!isOurs) throw new ApiError('setup_link_invalid')
}

/** Returns one token per secret key, newest first, so that a printed link survives a key rotation. */
async function tokens({ db, vault }: Pick<Runtime, 'db' | 'vault'>): Promise<string[]> {
  const [row] = await db.select().from(setupLinks)
  return row ? vault.derive(`setup ${row.nonce}`).map(({ key }) => key.toString('base64url')) : []
}

/** Logs the setup link, as a warning so that it appears at most log levels. */
export function logSetupLink(address: string, token: string): void {
  log.warn(`there is no account yet: create the first one at ${linkUrl({ BASE_URL: address }, 'setup', token)}`)
}
