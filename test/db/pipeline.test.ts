import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { sqlErrorOf } from '#db/errors.ts'
import { testApi } from '#test/support/api/api.ts'

// Short statements share connections. The process of the server that executes one tells which connection it was sent over.

const api = testApi()
let db: Db
beforeAll(() => {
  db = openDatabase(api.runtime.settings.DATABASE_URL as string, { max: 4, name: 'soundline-test-pipeline' })
})
afterAll(() => closeDatabase(db))

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
const send = async (text: string, values: unknown[] = []) =>
  (await db.$client.unsafe<{ pid: number; value: number }[]>(text, values, { prepare: true, isShort: true }))[0]
const shortRead = () => send('select pg_backend_pid() as pid')
const countBy = (pids: unknown[]) => [...Map.groupBy(pids, (pid) => pid).values()].map((same) => same.length)

test('short statements of one turn share connections, eight at most', async () => {
  await times(4, () => db.execute(sql`select pg_sleep(0.05)`))
  const found = await times(20, shortRead)
  expect(countBy(found.map((row) => row?.pid)).sort()).toEqual([4, 8, 8])
})

test('each returns its own rows, or fails alone', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => send('select 12 / $1::int as value', [index])),
  )
  expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect(outcomes.slice(1).map((outcome) => (outcome as { value: unknown }).value)).toEqual(
    [12, 6, 4, 3, 2, 2, 1].map((value) => ({ value })),
  )
})

test('a statement that takes longer delays none that are sent later', async () => {
  const slow = send('select pg_backend_pid() as pid from pg_sleep(1)')
  await sleep(100)
  const startedAt = performance.now()
  const later = await shortRead()
  expect(performance.now() - startedAt).toBeLessThan(500)
  expect((await slow)?.pid).not.toBe(later?.pid)
})

test('other statements, and transactions, never share a connection', async () => {
  const slow = send('select pg_backend_pid() as pid from pg_sleep(0.2)')
  const [plain, begun] = await Promise.all([
    db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid from pg_sleep(0.2)`),
    db.transaction((tx) => tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid from pg_sleep(0.2)`)),
  ])
  const pids = [(await slow)?.pid, plain[0]?.pid, begun[0]?.pid]
  expect(new Set(pids).size).toBe(3)
})

test('those who wait for a connection come before short statements that are sent later', async () => {
  const first = send('select pg_backend_pid() as pid from pg_sleep(0.3)')
  const busy = times(3, () => db.execute(sql`select pg_sleep(0.6)`))
  const ended: string[] = []
  const waiting = withinRequestBounds('other', 5_000, () => db.execute(sql`select 1`)).then(() => ended.push('waiting'))
  await setImmediate()
  const short = withinRequestBounds('caller', 5_000, shortRead).then(() => ended.push('short'))
  await Promise.all([first, busy, waiting, short])
  expect(ended).toEqual(['waiting', 'short'])
})

test('at their deadline they fail, and the connection is not used again', async () => {
  const late = () => withinRequestBounds('caller', 200, () => send('select pg_backend_pid() as pid from pg_sleep(2)'))
  const startedAt = performance.now()
  const outcomes = await Promise.allSettled([late(), late()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(performance.now() - startedAt).toBeLessThan(1_500)
  expect(await shortRead()).toBeDefined()
})

test('a transaction rejects with the failure that aborted it, also when the caller sees a later one first', async () => {
  const failed = db.transaction(async (tx) => {
    tx.execute(sql`select 1 / 0`).catch(() => {})
    await tx.execute(sql`select 1`)
  })
  expect(sqlErrorOf(await failed.catch((error) => error)).sqlState).toBe('22012')
})
