import { readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import * as agents from '#db/schema/agents.ts'
import * as alerts from '#db/schema/alerts.ts'
import * as audit from '#db/schema/audit.ts'
import * as bodyStores from '#db/schema/body-stores.ts'
import * as credentials from '#db/schema/credentials.ts'
import * as deletions from '#db/schema/deletions.ts'
import * as drafts from '#db/schema/drafts.ts'
import * as idempotency from '#db/schema/idempotency.ts'
import * as maintenances from '#db/schema/maintenances.ts'
import * as organizations from '#db/schema/organizations.ts'
import * as resources from '#db/schema/resources.ts'
import * as results from '#db/schema/results.ts'
import * as runRequests from '#db/schema/run-requests.ts'
import * as runs from '#db/schema/runs.ts'
import * as scoped from '#db/schema/scoped.ts'
import * as scripts from '#db/schema/scripts.ts'
import * as system from '#db/schema/system.ts'
import * as webhooks from '#db/schema/webhooks.ts'
import { testDatabase } from '#test/support/database.ts'

const database = testDatabase()
const tables = {
  ...agents,
  ...alerts,
  ...audit,
  ...bodyStores,
  ...credentials,
  ...deletions,
  ...drafts,
  ...idempotency,
  ...maintenances,
  ...organizations,
  ...resources,
  ...results,
  ...runRequests,
  ...runs,
  ...scoped,
  ...scripts,
  ...system,
  ...webhooks,
}

type TableShape = { name: string; columns: Record<string, { name: string; notNull: boolean; primaryKey: boolean }> }

describe('schema', () => {
  test('the migrations produce the schema of the sources', async () => {
    const journal = JSON.parse(await readFile('db/migrations/meta/_journal.json', 'utf8'))
    const last = String(journal.entries.at(-1).idx).padStart(4, '0')
    const snapshot = JSON.parse(await readFile(`db/migrations/meta/${last}_snapshot.json`, 'utf8'))
    const statements = await generateMigration(snapshot, generateDrizzleJson(tables, snapshot.id))
    expect(statements).toEqual([])
  })

  test('the migrated database has every column of the sources, and no other table of ours', async () => {
    const rows = await database.db.execute<{ table: string; column: string; nullable: boolean }>(sql`
      select c.relname as table, a.attname as column, not a.attnotnull as nullable
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
    const actual = rows.map((r) => `${r.table}.${r.column}${r.nullable ? '?' : ''}`).sort()
    const snapshot = generateDrizzleJson(tables) as unknown as { tables: Record<string, TableShape> }
    const expected = Object.values(snapshot.tables).flatMap((table) =>
      Object.values(table.columns).map((c) => `${table.name}.${c.name}${c.notNull || c.primaryKey ? '' : '?'}`),
    )
    expect(actual).toEqual(expected.sort())
  })

  test('results are partitioned by day and rate limits are unlogged', async () => {
    const rows = await database.db.execute<{ name: string; kind: string; persistence: string }>(sql`
      select relname as name, relkind::text as kind, relpersistence::text as persistence
      from pg_class where relname in ('results', 'rate_limits')`)
    expect(Object.fromEntries(rows.map((r) => [r.name, r.kind + r.persistence]))).toEqual({
      results: 'pp',
      rate_limits: 'ru',
    })
  })
})
