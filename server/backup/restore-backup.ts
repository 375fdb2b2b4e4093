import { closeDatabase, openDatabase, withSession } from '#db/client.ts'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { readMigrationFiles, sql } from '#db/drizzle.cjs'
import { appliedMigrations, MIGRATIONS, migrateDatabase } from '#db/migrate.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { StartupError } from '../process/lifecycle.ts'
import { createVault, type SecretKey } from '../vault.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { BODY_MAX_BYTES, type StoreSettings } from './backup-bodies.ts'
import { requireEmpty } from './empty-installation.ts'
import { checkKeys } from './keys.ts'
import { BODIES, MANIFEST, Manifest, SUMMARY, Summary, TABLES } from './manifest.ts'
import { fillQueue, openQueueTables, QUEUE_SOURCES } from './queue.ts'
import { checkBodies, moveStores, writeBodies } from './restore-bodies.ts'
import { readRows } from './restore-rows.ts'
import { dayOf } from './tables.ts'

export type RestoreOptions = {
  url: string
  file: string
  settings: StoreSettings
  /** The keys of this installation; null when it has none yet. */
  keys: SecretKey[] | null
  onProgress?: (text: string) => void
}

/**
 * Restores a backup into an empty installation, in one transaction: an interruption leaves the installation empty, and at
 * most bodies that nothing names. The file is read twice: bodies are stored when all of its content is verified. The backup
 * of an older release is restored with its own schema, and migrated after that.
 * @throws StartupError with one line that says why it cannot be restored
 */
export async function restoreBackup(options: RestoreOptions): Promise<{ manifest: Manifest; summary: Summary }> {
  const entries = readArchive(options.file, BODY_MAX_BYTES)
  try {
    const manifest = await readManifest(entries)
    requireKeys(manifest, options.keys)
    await prepareSchema(options.url, manifest)
    const summary = await restoreEverything(entries, manifest, options)
    await migrateDatabase(options.url)
    await analyze(options.url)
    return { manifest, summary }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The backup cannot be restored: ${(error as Error).message}. Nothing was restored.`)
  } finally {
    await entries.return(undefined)
  }
}

async function readManifest(entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest> {
  const first = await entries.next().catch((error: Error) => {
    throw new StartupError(`The file is not a Soundline backup, or is damaged (${error.message})`)
  })
  const entry = first.done ? null : first.value
  const parsed = Manifest.safeParse(entry?.name === MANIFEST ? parseJson(entry.content) : null)
  if (!parsed.success) throw new StartupError('The file is not a Soundline backup, or is damaged')
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash)
  if (parsed.data.schema.some((hash, index) => hash !== known[index])) {
    throw new StartupError(
      `The backup is from the newer release ${parsed.data.release}: restore it with that release or a later one`,
    )
  }
  return parsed.data
}

function requireKeys({ keys }: Manifest, given: SecretKey[] | null): void {
  const missing = keys.filter((id) => !given?.some((key) => key.id === id))
  if (missing.length === 0) return
  throw new StartupError(
    `SECRET_KEYS: the backup needs ${missing.map((id) => `"${id}"`).join(', ')} from the installation that made it (they are in its SECRET_KEYS or DATA_DIR/secret-keys)`,
  )
}

/** Migrates an empty database to the schema of the backup. */
async function prepareSchema(url: string, { schema, days }: Manifest): Promise<void> {
  const db = openDatabase(url, { max: 1, name: 'soundline-restore', statementMs: 0 })
  try {
    const applied = await appliedMigrations(db)
    if (applied.length === 0) await migrateDatabase(url, schema.length)
    else if (applied.join() !== schema.join()) {
      throw new StartupError(
        'The database and the backup have schemas of different releases: restore into a new, empty database, or, without DATABASE_URL, into an empty DATA_DIR',
      )
    }
    for (const day of days) await ensurePartitions(db, new Date(day), 0)
  } finally {
    await closeDatabase(db)
  }
}

async function restoreEverything(
  entries: AsyncGenerator<ArchiveEntry>,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<Summary> {
  const { url, settings, keys, onProgress = () => {} } = options
  const pool = openQueuePool(url, { name: 'soundline-restore', max: 1, statementMs: 0 })
  const client = await pool.connect()
  try {
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query('begin')
    const tables = manifest.sources.filter(({ name }) => !QUEUE_SOURCES.some((source) => source.name === name))
    await requireEmpty(
      client,
      tables.map(({ name }) => (dayOf(name) ? 'results' : name)),
    )
    await openQueueTables(client)
    const rows = readRows(client, manifest.sources, onProgress)
    const bodies = checkBodies(manifest)
    let expected: Summary | null = null
    let count = 0
    for await (const { name, content } of entries) {
      if (name.startsWith(`${TABLES}/`)) await rows.add(name, content)
      else if (name.startsWith(`${BODIES}/`)) {
        bodies.add(name, content)
        onProgress(`checked bodies: ${(++count).toLocaleString('en')}`)
      } else if (name === SUMMARY) expected = Summary.parse(parseJson(content))
    }
    verify(expected, await rows.finish(), bodies.result())
    await fillQueue(client)
    await moveStores(client, manifest, settings)
    if (keys) await checkKeys(client, createVault(keys))
    if (count > 0) await storeBodies(manifest, options)
    await client.query('commit')
    return expected as Summary
  } finally {
    // Without the commit, the end of the connection rolls everything back.
    client.release(true)
    await pool.end()
  }
}

async function storeBodies(manifest: Manifest, { file, settings, onProgress = () => {} }: RestoreOptions) {
  const bodies = writeBodies(manifest, settings)
  let count = 0
  for await (const { name, content } of readArchive(file, BODY_MAX_BYTES)) {
    if (!name.startsWith(`${BODIES}/`)) continue
    await bodies.put(name, content)
    onProgress(`bodies: ${(++count).toLocaleString('en')}`)
  }
  await bodies.finish()
}

function verify(expected: Summary | null, rows: Summary['rows'], bodies: Omit<Summary['bodies'], 'missing'>): void {
  if (!expected) throw new Error('it is not complete')
  for (const [name, { rows: count, sha256 }] of Object.entries(expected.rows)) {
    const found = rows[name]
    if (found?.sha256 !== sha256 || found.rows !== count) throw new Error(`the rows of ${name} are damaged`)
  }
  const { count, sha256 } = expected.bodies
  if (bodies.count !== count || bodies.sha256 !== sha256) throw new Error('its bodies are damaged')
}

/** COPY does not update the planner's statistics. */
async function analyze(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1, name: 'soundline-restore', statementMs: 0 })
  try {
    await withSession(db, (session) => session.execute(sql`analyze`))
  } finally {
    await closeDatabase(db)
  }
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString())
  } catch {
    return null
  }
}
