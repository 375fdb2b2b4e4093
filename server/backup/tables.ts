import type pg from 'pg'
import type { Source } from './manifest.ts'

/**
 * Tables about live processes, which a restored installation does not have. Unlogged tables are left out too: what they
 * hold may be lost at any time.
 */
const OF_LIVE_PROCESSES = ['workers', 'web_processes']

/** The partitioned table; its partitions are read one by one. */
export const PARTITIONED = 'results'

/** Returns the tables to copy, parents before the tables that refer to them. */
export async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
        and not relispartition and relname <> all($1) order by relname`,
    [OF_LIVE_PROCESSES],
  )
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `select c.relname as child, p.relname as parent from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
      where f.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.oid <> p.oid`,
  )
  return parentsFirst(
    tables.map(({ name }) => name),
    references,
  )
}

/** @throws Error when tables refer to each other in a circle */
export function parentsFirst(tables: string[], references: { child: string; parent: string }[]): string[] {
  const sorted: string[] = []
  let left = tables
  while (left.length > 0) {
    const isFree = (table: string) => !references.some(({ child, parent }) => child === table && left.includes(parent))
    const free = left.filter(isFree)
    if (free.length === 0) throw new Error(`tables refer to each other: ${left.join(', ')}`)
    sorted.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return sorted
}

/** Returns the sources of the tables with their columns, in the same order. */
export async function listSources(client: pg.ClientBase, tables: string[]): Promise<Source[]> {
  const { rows: partitions } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass and not i.inhdetachpending order by 1`,
    [PARTITIONED],
  )
  const names = tables.flatMap((table) => (table === PARTITIONED ? partitions.map(({ name }) => name) : [table]))
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' group by 1`,
    [names],
  )
  const columns = new Map(rows.map((row) => [row.name, row.columns]))
  return names.map((name) => ({ name, columns: columns.get(name) ?? [] }))
}

/** Returns the day of a partition of results, `YYYY-MM-DD`; null for other tables. */
export function dayOf(source: string): string | null {
  const [, day] = /^results_(\d{4}_\d{2}_\d{2})$/.exec(source) ?? []
  return day?.replaceAll('_', '-') ?? null
}
