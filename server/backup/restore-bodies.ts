import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { openStore, storeLabel, storeUrl, withoutCredentials } from '../bodies/store.ts'
import type { StoreSettings } from './backup-bodies.ts'
import { BODIES, type Manifest, type Summary } from './manifest.ts'

/** Bodies that are written at the same time. */
const PARALLEL = 8

export type BodyWriter = {
  /** Stores a body of the archive by its name there. @throws Error when its content is not what its name says */
  put: (name: string, content: Buffer) => Promise<void>
  /** Resolves when all are stored. */
  finish: () => Promise<Omit<Summary['bodies'], 'missing'>>
}

/**
 * Writes bodies into the stores of this installation: those of the former current store into the current one, those of
 * other stores into a folder of their own in `DATA_DIR`. A body that exists is left as it is.
 */
export function writeBodies(manifest: Manifest, settings: StoreSettings): BodyWriter {
  const stores = new Map(manifest.stores.map((store) => [store.id, openStore(urlFor(store, settings))]))
  const hash = createHash('sha256')
  const writing = new Set<Promise<void>>()
  const done = { count: 0, bytes: 0 }
  return {
    async put(name, content) {
      const [, storeId = '', key = ''] = /^[^/]+\/([^/]+)\/(.+)$/.exec(name) ?? []
      const store = stores.get(storeId)
      if (!store || !isNamedByContent(key, content)) throw new Error(`${name} is damaged`)
      hash.update(name).update(content)
      done.count++
      done.bytes += content.length
      while (writing.size >= PARALLEL) await Promise.race(writing)
      track(writing, store.put(key, content))
    },
    async finish() {
      await Promise.all(writing)
      return { ...done, sha256: hash.digest('hex') }
    },
  }
}

/** A failure rejects the next `Promise.race` or `Promise.all` of the set. */
function track(writing: Set<Promise<void>>, work: Promise<void>): void {
  const tracked = work.then(() => {
    writing.delete(tracked)
  })
  tracked.catch(() => {})
  writing.add(tracked)
}

/** The last part of a key is the digest of the body. */
function isNamedByContent(key: string, content: Buffer): boolean {
  return key.endsWith(`/${createHash('sha256').update(content).digest('hex')}`)
}

/** Lets the rows of the stores name where their bodies are now. */
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
