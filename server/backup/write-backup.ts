import { rename, rm, stat } from 'node:fs/promises'
import type pg from 'pg'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { partitionName } from '#db/partitions.ts'
import type { Settings } from '../process/settings.ts'
import { retentionStart } from '../results/results/retention.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import { addBodies, listStores } from './backup-bodies.ts'
import { listKeys } from './keys.ts'
import { FORMAT, MANIFEST, type Manifest, type Source, SUMMARY, type Summary, TABLES } from './manifest.ts'
import { QUEUE_SOURCES } from './queue.ts'
import { columnList, copyOut, createRowCounter, quoted, type RowCount } from './row-stream.ts'
import { dayOf, listSources, listTables } from './tables.ts'

const PART_BYTES = 4 * 1024 * 1024

export type BackupOptions = {
  url: string
  file: string
  settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR' | 'BODY_RETENTION_DAYS'>
  release: string
  withBodies: boolean
  now: Date
  signal?: AbortSignal
  onProgress?: (text: string) => void
}

/**
 * Writes a backup of the database and the bodies into a new file. It shows one moment: everything is read in one
 * repeatable-read transaction, which blocks neither readers nor writers, only migrations and the removal of old partitions.
 * Without a complete backup, there is no file.
 */
export async function writeBackup(options: BackupOptions): Promise<Summary> {
  const pool = openQueuePool(options.url, { name: 'soundline-backup', max: 1, statementMs: 0 })
  const unfinished = `${options.file}.unfinished`
  const archive = writeArchive(unfinished)
  try {
    const client = await pool.connect()
    try {
      const summary = await addEverything(client, archive, options)
      await archive.finish()
      await rename(unfinished, options.file)
      return summary
    } finally {
      // An interrupted COPY leaves the connection unusable.
      client.release(true)
    }
  } catch (error) {
    await archive.abort()
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await pool.end()
  }
}

async function addEverything(client: pg.ClientBase, archive: ArchiveWriter, options: BackupOptions): Promise<Summary> {
  const { settings, signal, onProgress = () => {} } = options
  const tables = await listTables(client)
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin isolation level repeatable read read only')
  // Before the snapshot is taken, as pg_dump does it: no table changes or disappears from here on.
  await client.query(`lock table ${tables.map(quoted).join(', ')} in access share mode`)
  const sources = await listSources(client, tables)
  const manifest = await describe(client, sources, options)
  await archive.add(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2)))

  const rows: Summary['rows'] = {}
  const add = async (source: Source, from: string) => {
    rows[source.name] = await addRows(client, archive, source.name, from, (done) => {
      signal?.throwIfAborted()
      onProgress(`${source.name}: ${done.rows.toLocaleString('en')} rows`)
    })
  }
  for (const source of sources) await add(source, `${quoted(source.name)} ${columnList(source.columns)}`)
  for (const source of QUEUE_SOURCES) await add(source, `(${source.query})`)
  const firstDay = partitionName(retentionStart(options.now, settings.BODY_RETENTION_DAYS))
  const bodies = await addBodies(client, archive, {
    stores: manifest.stores,
    settings,
    partitions: options.withBodies
      ? sources.map(({ name }) => name).filter((name) => dayOf(name) && name >= firstDay)
      : [],
    onBody: (done) => {
      signal?.throwIfAborted()
      onProgress(`bodies: ${done.count.toLocaleString('en')}`)
    },
  })
  const summary = { rows, bodies }
  await archive.add(SUMMARY, Buffer.from(JSON.stringify(summary, null, 2)))
  await client.query('commit')
  return summary
}

async function describe(client: pg.ClientBase, sources: Source[], options: BackupOptions): Promise<Manifest> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at, id',
  )
  return {
    format: FORMAT,
    createdAt: options.now.toISOString(),
    release: options.release,
    schema: rows.map(({ hash }) => hash),
    sources: [...sources, ...QUEUE_SOURCES.map(({ name, columns }) => ({ name, columns }))],
    days: sources.flatMap(({ name }) => dayOf(name) ?? []),
    keys: await listKeys(client),
    hasBodies: options.withBodies,
    stores: await listStores(client, options.settings),
  }
}

async function addRows(
  client: pg.ClientBase,
  archive: ArchiveWriter,
  name: string,
  from: string,
  onPart: (done: { rows: number }) => void,
): Promise<RowCount> {
  const counter = createRowCounter()
  let part = 0
  for await (const content of copyOut(client, from, PART_BYTES)) {
    counter.add(content)
    await archive.add(`${TABLES}/${name}/${String(++part).padStart(6, '0')}`, content)
    onPart(counter.progress())
  }
  return counter.result()
}

/** Returns the size of a file in bytes. */
export async function sizeOfFile(file: string): Promise<number> {
  return (await stat(file)).size
}
