import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { BodyStore } from '../bodies/body-store.ts'
import { storeFor, storeUrl, withoutCredentials } from '../bodies/store.ts'
import { SettingsError } from '../process/environment.ts'
import type { Settings } from '../process/settings.ts'
import type { ArchiveWriter } from './archive.ts'
import { BODIES, type Manifest, type Summary } from './manifest.ts'
import { quoted } from './row-stream.ts'

/** Larger than any body that a run stores. */
export const BODY_MAX_BYTES = 64 * 1024 * 1024
const READ_LIMIT_MS = 60_000
/** Bodies to read ahead, because each read from a bucket takes time. */
const AHEAD = 8
const FETCH_ROWS = 500

export type StoreSettings = Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>
type Named = { store: string; key: string }

/** Returns the stores of the installation, with what a backup can contain of them. */
export async function listStores(client: pg.ClientBase, settings: StoreSettings): Promise<Manifest['stores']> {
  const current = withoutCredentials(storeUrl(settings))
  const { rows } = await client.query<{ id: string; url: string }>(
    'select id, url from body_stores order by created_at',
  )
  return rows.map(({ id, url }) => ({
    id,
    url,
    isCurrent: url === current,
    isReadable: opened(url, settings) !== null,
  }))
}

function opened(url: string, settings: StoreSettings): BodyStore | null {
  try {
    return storeFor(url, settings)
  } catch (error) {
    if (error instanceof SettingsError) return null
    throw error
  }
}

/** Adds the bodies that the results of these partitions name, as the snapshot of `client` shows them. */
export async function addBodies(
  client: pg.ClientBase,
  archive: ArchiveWriter,
  options: {
    stores: Manifest['stores']
    settings: StoreSettings
    partitions: string[]
    onBody: (done: Summary['bodies']) => void
  },
): Promise<Summary['bodies']> {
  const readers = new Map<string, BodyStore>()
  for (const { id, url, isReadable } of options.stores) {
    const store = isReadable ? opened(url, options.settings) : null
    if (store) readers.set(id, store)
  }
  const hash = createHash('sha256')
  const done = { count: 0, bytes: 0, sha256: '', missing: 0 }
  for (const partition of options.partitions) {
    const read = (named: Named) => readBody(readers.get(named.store), named.key)
    for await (const [{ store, key }, bytes] of readAhead(listBodies(client, partition), read)) {
      if (bytes === null) {
        done.missing++
        continue
      }
      const name = `${BODIES}/${store}/${key}`
      hash.update(name).update(bytes)
      await archive.add(name, bytes)
      done.count++
      done.bytes += bytes.length
      options.onBody(done)
    }
  }
  return { ...done, sha256: hash.digest('hex') }
}

/** Equal bodies of a service's day have one key, which contains the day: no key is in two partitions. */
async function* listBodies(client: pg.ClientBase, partition: string): AsyncGenerator<Named> {
  await client.query(`declare bodies no scroll cursor for
    select distinct s->'body'->>'storeId' as store, s->'body'->>'key' as key
    from ${quoted(partition)} r cross join lateral jsonb_array_elements(r.steps) s
    where jsonb_typeof(s->'body') = 'object'`)
  for (;;) {
    const { rows } = await client.query<Named>(`fetch ${FETCH_ROWS} from bodies`)
    yield* rows
    if (rows.length < FETCH_ROWS) break
  }
  await client.query('close bodies')
}

/** Null for a missing body: retention can delete it during the backup. */
async function readBody(store: BodyStore | undefined, key: string): Promise<Buffer | null> {
  const found = await store?.read(key, BODY_MAX_BYTES, AbortSignal.timeout(READ_LIMIT_MS))
  return Buffer.isBuffer(found) ? found : null
}

/** Yields each item with its work's result, in their order, while the work for the next items is going on. */
async function* readAhead<T, R>(items: AsyncGenerator<T>, work: (item: T) => Promise<R>): AsyncGenerator<[T, R]> {
  const waiting: { item: T; result: Promise<R> }[] = []
  for await (const item of items) {
    const result = work(item)
    // It is awaited later.
    result.catch(() => {})
    waiting.push({ item, result })
    const first = waiting.length >= AHEAD ? waiting.shift() : undefined
    if (first) yield [first.item, await first.result]
  }
  for (const { item, result } of waiting) yield [item, await result]
}
