import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import { closeDatabase, type Db, openDatabase, withSession } from './client.ts'
import { openQueuePool } from './connections/queue-pool.ts'
import { DAY_MS, ensurePartitions } from './partitions.ts'

/** An arbitrary number, the same in all processes of an installation. */
const LOCK = 7_236_001

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))

/** Days for which partitions are created ahead. Upkeep creates more every hour. */
export const PARTITION_DAYS_AHEAD = 7

/**
 * Migrates the database at `url` to the newest schema (this program's and the job queue's) and creates the first
 * partitions. Processes that start together wait for each other on an advisory lock.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1, name: 'soundline-migrate', statementMs: 0 })
  const queue = openQueuePool(url, { max: 1, name: 'soundline-migrate', statementMs: 0 })
  try {
    await withSession(db, async (session) => {
      await session.execute(sql`select pg_advisory_lock(${LOCK})`)
      await migrate(session, { migrationsFolder: FOLDER })
      await ensurePartitions(session, new Date(Date.now() - DAY_MS), PARTITION_DAYS_AHEAD + 1)
      await runMigrations({ pgPool: queue })
    })
  } finally {
    await queue.end()
    await closeDatabase(db)
  }
}

/** Returns whether all migrations of this program are applied. A newer database is accepted: migrations only add. */
export async function isSchemaCurrent(db: Db): Promise<boolean> {
  const known = readMigrationFiles({ migrationsFolder: FOLDER })
  const [table] = await db.execute<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!table?.there) return false
  const applied = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations`)
  const hashes = new Set(applied.map((row) => row.hash))
  return known.every((migration) => hashes.has(migration.hash))
}
