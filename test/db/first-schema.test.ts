import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { migrateDatabase, schemaState } from '#db/migrate.ts'
import { DAY_MS, ensurePartitions } from '#db/partitions.ts'
import { parentsFirst } from '#server/backup/tables.ts'
import { parseSettings } from '#server/process/settings.ts'
import { testFolder } from '#test/support/folder.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

// A database of the first schema, with a row in every table, is migrated to the newest one.

const NAME = 'first_schema'
const url = withDatabase(inject('postgresUrl'), NAME)
const folder = testFolder()
/** The one id of all rows, so that every reference is to a row that exists. */
const ID = '01900000-0000-7000-8000-000000000001'
const AT = new Date(Date.now() - 40 * DAY_MS)
/** Processes that stop delete their rows, and rate limits are not kept. */
const WITHOUT_ROWS = ['workers', 'budgets']

/** Values that constraints demand. */
const VALUES: Record<string, Record<string, unknown>> = {
  api_keys: { access: 'read' },
  grants: { level: 1, membership_id: ID, workspace_id: ID },
  results: { status: 'success', steps: [] },
  runs: { cause: 'schedule', state: 'done' },
  silences: { channel: 'all' },
  variables: { type: 'metric', value: '1' },
  webhook_bindings: { workspace_id: ID },
}

const BY_TYPE: Record<string, unknown> = {
  uuid: ID,
  text: 'x',
  'timestamp with time zone': AT.toISOString(),
  bytea: '\\x00',
  jsonb: {},
  boolean: false,
  ARRAY: [],
}

/** A migration clears it: scripts find no `prev` at their first run after that. */
const CLEARED = ['service_agent_states']

/** Tables that have another name in the newest schema. */
const RENAMED: Record<string, string> = { previous_results: 'service_agent_states' }

let admin: postgres.Sql
let db: Db
let filled: string[]

beforeAll(async () => {
  admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${NAME}`)
  await migrateDatabase(url, 1)
  db = openDatabase(url, { max: 2, name: 'soundline-test' })
  await ensurePartitions(db, AT, 0)
  filled = await fillTables()
  await migrateDatabase(url)
}, 120_000)
afterAll(async () => {
  await closeDatabase(db)
  await admin.unsafe(`drop database ${NAME} with (force)`)
  await admin.end()
})

/** Inserts one row into each table, with a value in each column that needs one. */
async function fillTables(): Promise<string[]> {
  const tables = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const references = await db.execute<{ child: string; parent: string }>(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`)
  const names = tables.map(({ name }) => name).filter((name) => !WITHOUT_ROWS.includes(name))
  const ordered = parentsFirst(names, [...references])
  for (const name of ordered) {
    const columns = await db.execute<{ column: string; type: string }>(sql`
      select column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${name} and is_nullable = 'NO' and column_default is null`)
    const needed = columns.map(({ column, type }) => [column, type in BY_TYPE ? BY_TYPE[type] : 1])
    const row: Record<string, unknown> = { ...Object.fromEntries(needed), ...VALUES[name] }
    const list = sql.join(
      Object.keys(row).map((column) => sql.identifier(column)),
      sql`, `,
    )
    await db.execute(sql`
      insert into ${sql.identifier(name)} (${list})
      select ${list} from jsonb_populate_record(null::${sql.identifier(name)}, ${JSON.stringify(row)}::jsonb)`)
  }
  return ordered
}

test('every row of the first schema is there, and the newest release can use it', async () => {
  expect(filled.length).toBeGreaterThan(30)
  expect(await schemaState(db)).toBe('current')
  const empty: string[] = []
  for (const name of filled.map((former) => RENAMED[former] ?? former)) {
    const rows = await db.execute(sql`select from ${sql.identifier(name)} limit 1`)
    if (rows.length === 0) empty.push(name)
  }
  expect(empty).toEqual(CLEARED)
  const [organization] = await db.execute(sql`select name, is_operator from organizations`)
  expect(organization).toMatchObject({ name: 'x', is_operator: true })
  await upkeep(db, parseSettings({ DATA_DIR: folder, SECRET_KEYS: `k:${'s'.repeat(32)}` }))
})
