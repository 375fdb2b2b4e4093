import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Queryable } from './client.ts'
import { appliedMigrations, MIGRATIONS } from './migrate.ts'
import { effectOf, type StatementEffect } from './statement-effects.ts'

// The plan of `npm run migrate`. Reads only.

export type PlannedStatement = {
  text: string
  effect: StatementEffect
  /** The table that it locks, rewrites or reads, with its size; null for other statements and for new tables. */
  table: { name: string; bytes: number } | null
}
export type PlannedMigration = { name: string; statements: PlannedStatement[] }
export type MigrationPlan = {
  migrations: PlannedMigration[]
  /** The names of the job queue's own migrations. */
  queue: string[]
}

/** Returns the migrations that are not applied yet, with what each statement does to existing tables. */
export async function planMigrations(db: Queryable): Promise<MigrationPlan> {
  const applied = new Set(await appliedMigrations(db))
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const pending = readMigrationFiles({ migrationsFolder: MIGRATIONS })
    .map(({ hash, sql: parts }, index) => ({ hash, parts, name: entries[index]?.tag ?? hash }))
    .filter(({ hash }) => !applied.has(hash))
  const tables = await readTables(db)
  const migrations = pending.map(({ name, parts }) => ({
    name,
    statements: parts.flatMap(statementsOf).map((text) => {
      const { table, ...effect } = effectOf(text)
      return { text, effect, table: (table !== null && tables.get(table)) || null }
    }),
  }))
  return { migrations, queue: await pendingQueueMigrations(db) }
}

/** Returns tables by their names and those of their indexes. Sizes are with indexes and partitions. */
async function readTables(db: Queryable): Promise<Map<string, { name: string; bytes: number }>> {
  const rows = await db.execute<{ key: string; name: string; bytes: string }>(sql`
    select k.relname as key, c.relname as name, (pg_total_relation_size(c.oid)
      + coalesce((select sum(pg_total_relation_size(i.inhrelid)) from pg_inherits i where i.inhparent = c.oid), 0)) as bytes
    from pg_class k left join pg_index x on x.indexrelid = k.oid join pg_class c on c.oid = coalesce(x.indrelid, k.oid)
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`)
  return new Map(rows.map(({ key, name, bytes }) => [key, { name, bytes: Number(bytes) }]))
}

async function pendingQueueMigrations(db: Queryable): Promise<string[]> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('graphile-worker')), '../sql')
  const names = readdirSync(folder).filter((name) => /^\d{6}\.sql$/.test(name))
  const [table] = await db.execute<{ there: boolean }>(
    sql`select to_regclass('graphile_worker.migrations') is not null as there`,
  )
  const applied = table?.there ? await db.execute<{ id: number }>(sql`select id from graphile_worker.migrations`) : []
  const ids = new Set(applied.map(({ id }) => id))
  return names.filter((name) => !ids.has(Number(name.slice(0, 6)))).sort()
}

/** Returns the statements of a part without comments. A part with the body of a function is one statement. */
function statementsOf(part: string): string[] {
  const text = part
    .split('\n')
    .filter((line) => !/^\s*--/.test(line))
    .join('\n')
  const statements = text.includes('$$') ? [text] : text.split(/;\s*\n/)
  return statements.map((statement) => statement.trim().replace(/;$/, '')).filter(Boolean)
}
