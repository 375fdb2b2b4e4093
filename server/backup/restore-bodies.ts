import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { openStore, storeLabel, storeUrl, withoutCredentials } from '../bodies/store.ts'
import type { StoreSettings } from './backup-bodies.ts'
import { BODIES, type Manifest, type Summary } from './manifest.ts'

/** Bodies that are written at the same time. */
const PARALLEL = 8

export type BodyChecker = {
  /** Reads the next body of the archive by its name. @throws Error when the content does not match the name */
  add: (name: string, content: Buffer) => void
  /** Returns what was taken. */
  result: () => Omit<Summary['bodies'], 'missing'>
}

/** Checks the bodies of an archive, so that none is stored before the whole archive is known to be undamaged. */
export function checkBodies(manifest: Manifest): BodyChecker {
  const stores = new Set(manifest.stores.map(({ id }) => id))
  const hash = createHash('sha256')
  const done = { count: 0, bytes: 0 }
  return {
    add(name, content) {
      const { storeId, key } = placeOf(name)
      if (!stores.has(storeId) || !isNamedByContent(key, content)) throw new Error(`${name} is damaged`)
      hash.update(name).update(content)
      done.count++
      done.bytes += content.length
    },
    result: () => ({ ...done, sha256: hash.digest('hex') }),
  }
}

export type BodyWriter = {
  /** Stores a checked body of the archive by its name there. */
  put: (name: string, content: Buffer) => Promise<void>
  /** Resolves when all are stored. */
  finish: () => Promise<void>
}

/**
 * Writes bodies into the stores of this installation: those of the former current store into the current one, those of
 * other stores into a folder of their own in `DATA_DIR`. An existing body is left unchanged.
 * @throws SettingsError when a store cannot be opened
 */
export function writeBodies(manifest: Manifest, settings: StoreSettings): BodyWriter {
  const stores = new Map(manifest.stores.map((store) => [store.id, openStore(urlFor(store, settings))]))
  const writing = new Set<Promise<void>>()
  return {
    async put(name, content) {
      const { storeId, key } = placeOf(name)
      while (writing.size >= PARALLEL) await Promise.race(writing)
      track(writing, stores.get(storeId)?.put(key, content))
    },
    async finish() {
      await Promise.all(writing)
    },
  }
}

function placeOf(name: string): { storeId: string; key: string } {
  const [, storeId = '', key = ''] = /^[^/]+\/([^/]+)\/(.+)$/.exec(name) ?? []
  return { storeId, key }
}

/** A failure rejects the next `Promise.race` or `Promise.all` of the set. */
function track(writing: Set<Promise<void>>, work: Promise<void> | undefined): void {
  const tracked = Promise.resolve(work).then(() => {
    writing.delete(tracked)
  })
  tracked.catch(() => {})
  writing.add(tracked)
}

/** The last part of a key is the digest of the body. */
function isNamedByContent(key: string, content: Buffer): boolean {
  return key.endsWith(`/${createHash('sha256').update(content).digest('hex')}`)
}

/** Updates the rows of the stores to the new places of their bodies. */
export async function moveStores(client: pg.ClientBase, manifest: Manifest, settings: StoreSettings): Promise<void> {
  if (!manifest.hasBodies) return
  for (const store of manifest.stores.filter(({ isReadable }) => isReadable)) {
    const url = withoutCredentials(urlFor(store, settings))
    await client.query('update body_stores set url = $2, label = $3 where id = $1', [store.id, url, storeLabel(url)])
  }
}

function urlFor(store: Manifest['stores'][number], settings: StoreSettings): string {
  if (store.isCurrent) return storeUrl(settings)
  return pathToFileURL(resolve(settings.DATA_DIR, `${BODIES}-${store.id}`)).href
}
