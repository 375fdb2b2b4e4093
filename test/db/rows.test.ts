import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { boolean, integer, jsonb, pgTable, sql, text, uuid } from '#db/drizzle.cjs'
import { insertRows, rowsOf, setFrom } from '#db/rows.ts'
import { instant } from '#db/schema/columns.ts'
import { testDatabase } from '../support/database.ts'

const kept = pgTable('kept_rows', {
  id: uuid('id').primaryKey(),
  seenAt: instant('seen_at'),
  someText: text('some_text'),
  latencies: integer('latencies').array(),
  document: jsonb('document').$type<unknown>(),
  isNew: boolean('is_new').notNull().default(true),
})
const COLUMNS = sql`id uuid primary key, seen_at timestamptz(3), some_text text, latencies int[], document jsonb,
  is_new boolean not null default true`

const database = testDatabase()
beforeAll(async () => {
  await database.db.execute(sql`create table kept_rows (${COLUMNS})`)
})

const full = {
  id: uuidv7(),
  seenAt: new Date('2026-11-27T12:00:00.123Z'),
  someText: `"quoted", \\ {a,b} null 'ä'`,
  latencies: [1, 2, 3],
  document: [{ text: 'a"b', deep: { none: null } }],
}
const empty = { id: uuidv7(), seenAt: null, someText: undefined, latencies: [] }

test('rows are inserted with the types of their columns; what no row has gets its default', async () => {
  expect(await insertRows(database.db, kept, [])).toEqual([])
  const returned = await insertRows(database.db, kept, [full, empty], sql`returning id`)
  expect(returned.map(({ id }) => id)).toEqual([full.id, empty.id])
  const stored = await database.db.select().from(kept).orderBy(kept.id)
  expect(stored).toEqual([
    { ...full, isNew: true },
    { ...empty, someText: null, document: null, isNew: true },
  ])
})

test('rows update those that exist, and the others are inserted', async () => {
  const added = { ...full, id: uuidv7() }
  const changed = { ...empty, latencies: [7] }
  const { latencies, someText } = kept
  const rest = sql`on conflict (id) do update set ${setFrom('excluded', { latencies, someText })}`
  await insertRows(database.db, kept, [changed, added], rest)
  await database.db.execute(sql`
    update kept_rows k set ${setFrom('i', { isNew: kept.isNew })}
    from ${rowsOf(kept, [{ id: added.id, isNew: false }])} where k.id = i.id`)
  const stored = await database.db.select().from(kept).orderBy(kept.id)
  expect(stored.map((row) => [row.id, row.latencies, row.isNew])).toEqual([
    [full.id, [1, 2, 3], true],
    [empty.id, [7], true],
    [added.id, [1, 2, 3], false],
  ])
})
