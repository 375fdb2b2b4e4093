import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Queryable } from './client.ts'
import { readMigrationFiles, sql } from './drizzle.cjs'
import { appliedMigrations, MIGRATIONS } from './migrate.ts'

// The plan of `npm run migrate`. Reads only.

export type PlannedStatement = {
  text: string
  /** What takes long on a large table; null for other statements. */
  effect: Effect | null
  /** The existing table that it does this to, with its size and that of its indexes and partitions. */
  table: { name: string; bytes: number } | null
}
type Effect = 'rewrites' | 'reads all of' | 'changes rows of' | 'unknown'

/** The first rule that fits counts. Group 1 is the table. All other statements take no time that depends on a table. */
const RULES: [like: RegExp, effect: Effect][] = [
  [/^alter table (?:only )?(\S+) .*\bset data type\b/i, 'rewrites'],
  // A default that differs by row.
  [/^alter table (?:only )?(\S+) .*\badd column\b.*(?:gen_random_uuid|random\(|nextval|generated always)/i, 'rewrites'],
  [/^alter table (?:only )?(\S+) .*\b(?:set not null|validate constraint)\b/i, 'reads all of'],
  [/^alter table (?:only )?(\S+) add constraint (?!.*\b(?:not valid|using index)\b)/i, 'reads all of'],
  [/^create (?:unique )?index .*? on (?:only )?(\S+)/i, 'reads all of'],
  [/^(?:insert into|delete from|update(?: only)?) (\S+)/i, 'changes rows of'],
  [/^(?:do|select|with) /i, 'unknown'],
]
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
      const { effect, table } = effectOf(text)
      return { text, effect, table: tables.get(table) ?? null }
    }),
  }))
  return { migrations, queue: await pendingQueueMigrations(db) }
}

/** Returns what a statement does, and the name of the table that it does it to. */
export function effectOf(statement: string): { effect: Effect | null; table: string } {
  const text = statement.replaceAll(/\s+/g, ' ').trim()
  const [like, effect] = RULES.find(([like]) => like.test(text)) ?? []
  const table = like
    ?.exec(text)?.[1]
    ?.replaceAll(/["(;,]/g, '')
    .replace(/^public\./, '')
  return { effect: effect ?? null, table: table ?? '' }
}

async function readTables(db: Queryable): Promise<Map<string, { name: string; bytes: number }>> {
  const rows = await db.execute<{ name: string; bytes: string }>(sql`
    select c.relname as name, (pg_total_relation_size(c.oid)
      + coalesce((select sum(pg_total_relation_size(i.inhrelid)) from pg_inherits i where i.inhparent = c.oid), 0)) as bytes
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`)
  return new Map(rows.map(({ name, bytes }) => [name, { name, bytes: Number(bytes) }]))
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
