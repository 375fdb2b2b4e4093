import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { bodyStores } from '#db/schema/body-stores.ts'
import type { Settings } from '../process/settings.ts'
import type { BodyStore } from './body-store.ts'
import { fileStore } from './file-store.ts'
import { s3Store } from './s3-store.ts'

/** The day comes early in the key, so that retention removes whole folders; equal bodies of a day lie there once. */
export function bodyKey(organizationId: string, serviceId: string, at: Date, bytes: Buffer): string {
  const digest = createHash('sha256').update(bytes).digest('hex')
  return `${organizationId}/${at.toISOString().slice(0, 10)}/${serviceId}/${digest}`
}

/** Where new bodies go: `BODY_STORE_URL`, or a folder in `DATA_DIR`. Credentials stand in the URL, and nowhere else. */
export function storeUrl(settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>): string {
  return settings.BODY_STORE_URL ?? pathToFileURL(resolve(settings.DATA_DIR, 'bodies')).href
}

/** The URL as it may be kept and shown. */
export function withoutCredentials(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

/** The store that a row names by its `url`: with the credentials of the settings, where it is theirs. */
export function storeFor(url: string, settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>): BodyStore {
  return openStore(isCurrentStore(url, settings) ? storeUrl(settings) : url)
}

/** @throws SettingsError when the URL lacks what its kind of store takes */
export function openStore(url: string): BodyStore {
  return url.startsWith('file:') ? fileStore(url) : s3Store(url)
}

/** Whether new bodies go to the store whose row has `url`. */
export function isCurrentStore(url: string, settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>): boolean {
  return withoutCredentials(storeUrl(settings)) === url
}

/** The row of the installation's own store, made on first use; notes that it is in use. */
export async function registerStore(db: Queryable, url: string): Promise<{ id: string }> {
  const kept = withoutCredentials(url)
  await db
    .insert(bodyStores)
    .values({ id: uuidv7(), label: new URL(kept).protocol === 'file:' ? 'Local files' : new URL(kept).host, url: kept })
    .onConflictDoUpdate({ target: [bodyStores.organizationId, bodyStores.url], set: { lastUsedAt: sql`now()` } })
  const [row] = await db
    .select({ id: bodyStores.id })
    .from(bodyStores)
    .where(and(isNull(bodyStores.organizationId), eq(bodyStores.url, kept)))
  if (!row) throw new Error('The body store was removed while it was being registered')
  return row
}
