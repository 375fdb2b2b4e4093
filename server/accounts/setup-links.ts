import { timingSafeEqual } from 'node:crypto'
import { setupLinks } from '#db/schema/credentials.ts'
import type { Runtime } from '../context.ts'
import { ApiError } from '../errors.ts'
import { log } from '../process/log.ts'
import { digestOfToken, linkUrl } from './link-tokens.ts'
import { isSetupOpen } from './setup.ts'

// The first account belongs to whoever can read what the start prints. The token derives from the secret keys and a
// nonce of the database, so all processes print the same link, and a restart prints it again. It works once: the nonce
// goes with the first account.

/** The token of the link to the first account; null once there is one. */
export async function findSetupToken({ db, vault }: Pick<Runtime, 'db' | 'vault'>): Promise<string | null> {
  if (!(await isSetupOpen(db))) return null
  await db.insert(setupLinks).values({}).onConflictDoNothing()
  const [token] = await tokens({ db, vault })
  return token ?? null
}

/** @throws ApiError `setup_link_invalid` */
export async function requireSetupToken(runtime: Pick<Runtime, 'db' | 'vault'>, token: string): Promise<void> {
  const given = digestOfToken(token)
  const isOurs = (await tokens(runtime)).some((each) => timingSafeEqual(digestOfToken(each), given))
  if (!isOurs) throw new ApiError('setup_link_invalid')
}

/** One of each secret key, newest first: a rotation does not spoil a link that is printed already. */
async function tokens({ db, vault }: Pick<Runtime, 'db' | 'vault'>): Promise<string[]> {
  const [row] = await db.select().from(setupLinks)
  return row ? vault.derive(`setup ${row.nonce}`).map(({ key }) => key.toString('base64url')) : []
}

/** Prints the link. As a warning, so that it is seen at most log levels: until then the installation is nobody's. */
export function logSetupLink(address: string, token: string): void {
  log.warn(`there is no account yet: make the first one at ${linkUrl({ BASE_URL: address }, 'setup', token)}`)
}
