import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runMigrations } from 'graphile-worker'
import { closeDatabase, type Db, openDatabase, type Queryable, withSession } from './client.ts'
import { databaseNow } from './clock.ts'
import { openQueuePool } from './connections/queue-pool.ts'
import { type MigrationMeta, readMigrationFiles, sql } from './drizzle.cjs'
import { DAY_MS, ensurePartitions } from './partitions.ts'

/** An arbitrary number, the same in all processes of an installation. */
const LOCK = 7_236_001

// Not a URL relative to this file: the build of the dashboard would look for it as an asset.
export const MIGRATIONS = join(dirname(fileURLToPath(import.meta.url)), 'migrations')

/** Days for which partitions are created ahead. Upkeep creates more every hour. */
export const PARTITION_DAYS_AHEAD = 7

/** The database has migrations that this program does not know: a newer release migrated it. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError'
  constructor() {
    super('a newer release has migrated it, so this release cannot use it: install that release or a later one')
  }
}

/**
 * Migrates the database at `url` to the newest schema (this program's and the job queue's) and creates the first
 * partitions. With `count`, only this many migrations of this program are applied: the schema of an older release.
 * Processes that start together wait for each other on an advisory lock.
 * @throws NewerSchemaError
 */
export async function migrateDatabase(url: string, count?: number): Promise<void> {
  const db = openDatabase(url, { max: 1, name: 'soundline-migrate', statementMs: 0 })
  const queue = openQueuePool(url, { max: 1, name: 'soundline-migrate', statementMs: 0 })
  try {
    await withSession(db, async (session) => {
      await session.execute(sql`select pg_advisory_lock(${LOCK})`)
      if ((await schemaState(session)) === 'newer') throw new NewerSchemaError()
      await applyMigrations(session, readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(0, count))
      const yesterday = new Date((await databaseNow(session)).getTime() - DAY_MS)
      await ensurePartitions(session, yesterday, PARTITION_DAYS_AHEAD + 1)
      await runMigrations({ pgPool: queue })
    })
  } finally {
    await queue.end()
    await closeDatabase(db)
  }
}

/** The part of drizzle that its own `migrate` calls. That one takes only a whole folder. */
type Migrator = {
  dialect: { migrate: (migrations: MigrationMeta[], session: unknown, config: object) => Promise<void> }
  session: unknown
}

async function applyMigrations(db: Db, migrations: MigrationMeta[]): Promise<void> {
  const { dialect, session } = db as unknown as Migrator
  await dialect.migrate(migrations, session, { migrationsFolder: MIGRATIONS })
}

export type SchemaState = 'current' | 'older' | 'newer'

/** Compares the applied migrations with those of this program. A database without a schema is `older`. */
export async function schemaState(db: Queryable): Promise<SchemaState> {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash)
  const applied = await appliedMigrations(db)
  if (applied.some((hash) => !known.includes(hash))) return 'newer'
  return known.every((hash) => applied.includes(hash)) ? 'current' : 'older'
}

/** Returns the hashes of the applied migrations, in their order. */
export async function appliedMigrations(db: Queryable): Promise<string[]> {
  const [table] = await db.execute<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!table?.there) return []
  const rows = await db.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by created_at, id`,
  )
  return rows.map(({ hash }) => hash)
}
