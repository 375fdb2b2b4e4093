import { afterAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import { testDatabase } from '#test/support/database.ts'

const database = testDatabase()
const opened: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(opened.map((close) => close()))
})

const open = (name: string) => {
  const db = openDatabase(database.url, { name, max: 4 })
  opened.push(() => closeDatabase(db))
  return db
}

test('the slow statements of one caller leave half of the connections to others', async () => {
  const db = open('shares')
  const ended: string[] = []
  const slow = Array.from({ length: 6 }, () =>
    withinRequestBounds(20_000, () => db.execute(sql`select pg_sleep(0.5)`), 'one').then(() => ended.push('one')),
  )
  await withinRequestBounds(20_000, () => db.execute(sql`select 1`), 'other')
  expect(ended).toEqual([])
  await Promise.all(slow)
  expect(ended).toHaveLength(6)
  expect(db.$client.pool.state).toMatchObject({ waiting: 0, refused: 0 })
})

test('a deadline of one request keeps the idle connections of others', async () => {
  const db = open('deadlines')
  await Promise.all(Array.from({ length: 3 }, () => db.execute(sql`select pg_sleep(0.1)`)))
  const connections = async () => {
    const [row] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from pg_stat_activity where application_name = 'deadlines' and state = 'idle'`)
    return row?.n
  }
  await expect.poll(connections).toBe(3)
  await expect(withinRequestBounds(200, () => db.execute(sql`select pg_sleep(5)`))).rejects.toThrow()
  expect(await connections()).toBe(2)
})

test('at its end, callers that wait learn that the database is unavailable', async () => {
  const db = openDatabase(database.url, { name: 'shares', max: 1 })
  const busy = db.execute(sql`select pg_sleep(0.5)`).then()
  await expect.poll(() => db.$client.pool.state.open).toBe(1)
  const waiting = db.execute(sql`select 1`)
  const failed = expect(waiting).rejects.toMatchObject({ cause: { code: 'DATABASE_UNAVAILABLE' } })
  await expect.poll(() => db.$client.pool.state.waiting).toBe(1)
  await Promise.all([closeDatabase(db), busy, failed])
})

test('the waits for a share and for a connection have one limit', async () => {
  const db = open('waits')
  const held = Promise.withResolvers<void>()
  const holders = Array.from({ length: 4 }, () => db.transaction(() => held.promise))
  await expect.poll(() => db.$client.pool.state).toMatchObject({ open: 4, idle: 0 })
  const ask = (caller: string, ms: number) =>
    withinRequestBounds(ms, () => db.execute(sql`select 1`), caller).then(
      () => 'answered',
      () => caller,
    )
  // Two requests take both places of the share. The third gets one when they give up, and must not wait anew.
  const early = [ask('one', 2_000), ask('one', 2_000)]
  const third = ask('one', 20_000)
  await ask('short', 1_000)
  const later = ask('later', 20_000)
  const first = await Promise.race([third, later])
  held.resolve()
  await Promise.all([...holders, ...early, third, later])
  expect(first).toBe('one')
})
