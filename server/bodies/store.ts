import { hash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { and, eq, isNull, sql } from '#db/drizzle.cjs'
import { bodyStores } from '#db/schema/body-stores.ts'
import type { Settings } from '../process/settings.ts'
import type { BodyStore } from './body-store.ts'
import { fileStore } from './file-store.ts'
import { s3Store } from './s3-store.ts'

/** Returns the key of a body. Retention removes whole folders by day; equal bodies of a service's day are stored once. */
export function bodyKey(organizationId: string, serviceId: string, at: Date, bytes: Buffer): string {
  return bodyKeyOf(organizationId, serviceId, at, hash('sha256', bytes, 'buffer'))
}

/** The same for a body whose SHA-256 is known. */
export function bodyKeyOf(organizationId: string, serviceId: string, at: Date, sha256: Buffer): string {
  return `${organizationId}/${at.toISOString().slice(0, 10)}/${serviceId}/${sha256.toString('hex')}`
}

/** Returns the URL of the store for new bodies, with credentials: `BODY_STORE_URL`, or a folder in `DATA_DIR`. */
export function storeUrl(settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>): string {
  return settings.BODY_STORE_URL ?? pathToFileURL(resolve(settings.DATA_DIR, 'bodies')).href
}

/** Returns the URL that may be stored and shown. */
export function withoutCredentials(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

/** Opens the store of a row's `url`, with the credentials of the settings if it is the current store. */
export function storeFor(url: string, settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>): BodyStore {
  return openStore(isCurrentStore(url, settings) ? storeUrl(settings) : url)
}

/** @throws SettingsError when the URL lacks credentials or bucket */
export function openStore(url: string): BodyStore {
  return url.startsWith('file:') ? fileStore(url) : s3Store(url)
}

/** Returns whether new bodies go to the store of a row's `url`. */
export function isCurrentStore(url: string, settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>): boolean {
  return withoutCredentials(storeUrl(settings)) === url
}

/** Returns the name by which members know a store: without its path. */
export function storeLabel(url: string): string {
  const { protocol, host } = new URL(url)
  return protocol === 'file:' ? 'Local files' : host
}

/** Creates the row of the installation's store on first use, and updates when it was last used. */
export async function registerStore(db: Queryable, url: string): Promise<{ id: string }> {
  const kept = withoutCredentials(url)
  await db
    .insert(bodyStores)
    .values({ id: uuidv7(), label: storeLabel(kept), url: kept })
    .onConflictDoUpdate({ target: [bodyStores.organizationId, bodyStores.url], set: { lastUsedAt: sql`now()` } })
  const [row] = await db
    .select({ id: bodyStores.id })
    .from(bodyStores)
    .where(and(isNull(bodyStores.organizationId), eq(bodyStores.url, kept)))
  if (!row) throw new Error('The body store was removed while it was being registered')
  return row
}
