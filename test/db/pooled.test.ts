import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase, withSession } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import { dropPartitions, ensurePartitions } from '#db/partitions.ts'
import { organizations } from '#db/schema/organizations.ts'
import { checkDatabase } from '#server/process/check-database.ts'
import { type TestDatabase, testDatabase, throughPooler } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { runCommand } from '#test/support/processes/commands.ts'
import { startPooler } from '#test/support/processes/pooler.ts'
import { gatedRuns } from '#test/support/runs/gated-runs.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'

// Transaction pooling by PgBouncer: the pool itself, a worker, and one file of the suite,
// unchanged.

/** Operations that write, enqueue jobs, and wait for notifications, which need a session. */
const UNCHANGED = 'server/operations/services/run-handles'

const pooler = await startPooler()
afterAll(() => pooler.close())
const through = (databaseUrl: string) => pooler.urlOf(databaseUrl)

describe('the pool', () => {
  const database = testDatabase()
  let db: Db
  beforeAll(async () => {
    const name = new URL(database.url).pathname.slice(1)
    for (const set of [`timezone = 'Asia/Tokyo'`, 'search_path = pg_catalog', 'default_transaction_read_only = on']) {
      await database.db.execute(sql.raw(`alter database ${name} set ${set}`))
    }
    db = openDatabase(through(database.url), { name: 'soundline-test', max: 8, sessionUrl: database.url })
  })
  afterAll(() => closeDatabase(db))

  test('needs no state of a session: each transaction sets what it needs', async () => {
    const ask = () =>
      db.execute<{ pid: number; zone: string; path: string; timeout: string }>(
        sql`select pg_backend_pid() as pid, current_setting('TimeZone') as zone, current_setting('search_path') as path,
          current_setting('statement_timeout') as timeout, pg_sleep(0.05)`,
      )
    const answers = (await Promise.all(Array.from({ length: 12 }, ask))).map(([row]) => row)
    expect(new Set(answers.map((row) => row?.pid)).size).toBeGreaterThan(1)
    for (const row of answers) expect(row).toMatchObject({ zone: 'UTC', path: 'public', timeout: '15s' })
  })

  test('repeats a statement on whatever server connection it gets', async () => {
    const ask = async (n: number) => {
      const [row] = await db.execute<{ n: number; pid: number }>(
        sql`select ${n}::int as n, pg_backend_pid() as pid, pg_sleep(0.01)`,
      )
      expect(row?.n).toBe(n)
      return row?.pid
    }
    for (let round = 0; round < 3; round++) await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask))
    const pids: unknown[] = []
    for (let n = 0; n < 12; n++) pids.push(await ask(n))
    expect(new Set(pids).size).toBeGreaterThan(1)
  })

  test('writes, rolls back, and cancels a statement at the deadline of its request', async () => {
    await db.execute(sql`drop table if exists kept`)
    await db.execute(sql`create table kept (what text)`)
    await db.execute(sql`insert into kept values ('a')`)
    await expect(db.execute(sql`insert into kept values (1 / 0)`)).rejects.toMatchObject({ cause: { code: '22012' } })
    const late = withinRequestBounds(300, () =>
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into kept values ('late')`)
        await tx.execute(sql`select pg_sleep(20)`)
      }),
    )
    await expect(late).rejects.toMatchObject({ cause: { code: 'DATABASE_UNAVAILABLE' } })
    expect(await db.execute(sql`select what from kept`)).toEqual([{ what: 'a' }])
  })

  test('goes to the server itself for what needs a session', async () => {
    await withSession(db, async (session) => {
      await session.execute(sql`select pg_advisory_lock(1234)`)
      const [lock] = await session.execute<{ held: boolean }>(sql`select pg_advisory_unlock(1234) as held`)
      expect(lock?.held).toBe(true)
    })
    const old = new Date('2020-01-01T00:00:00Z')
    await ensurePartitions(db, old, 1)
    await dropPartitions(db, new Date('2020-02-01T00:00:00Z'))
    expect(await db.execute(sql`select to_regclass('results_2020_01_01') as gone`)).toEqual([{ gone: null }])
  })

  test('says at the start that a pooler needs the session URL', async () => {
    const url = through(database.url)
    await expect(checkDatabase(url)).rejects.toThrow(/^DATABASE_URL: .* a pooler needs DATABASE_SESSION_URL, too$/)
    expect(await checkDatabase(url, true, database.url)).toBeGreaterThan(50)
  })
})

describe('a backup', () => {
  const database = testDatabase()
  const target = testDatabase()
  const folder = testFolder()

  test('is written and restored by the server itself', async () => {
    const { id } = await database.create.organization()
    const file = join(folder, 'backup')
    const environmentOf = ({ url }: TestDatabase) => ({
      DATABASE_URL: through(url),
      DATABASE_SESSION_URL: url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEYS: TEST_SECRET_KEYS,
    })
    const written = await runCommand('server/commands/backup.ts', [file], environmentOf(database))
    expect(written).toMatchObject({ code: 0, stderr: '' })
    const restored = await runCommand('server/commands/restore.ts', [file], environmentOf(target))
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(await target.db.select({ id: organizations.id }).from(organizations)).toEqual([{ id }])
  })
})

describe('a worker', () => {
  const { database, gate, newService } = gatedRuns()
  const { start: startWorker } = testWorkers(database.url)

  test('runs a service and records its result', async () => {
    await startWorker({ DATABASE_URL: through(database.url), DATABASE_SESSION_URL: database.url })
    const service = await newService()
    gate.open()
    await database.makeDue(service)
    await until('the result', async () => (await database.resultsOf(service)).length > 0)
    expect(await database.resultsOf(service)).toMatchObject([{ status: 'success' }])
  })
})

// The query makes it another module than the test file itself, which the process may have loaded.
const path = `${new URL(`../${UNCHANGED}.test.ts`, import.meta.url).pathname}?pooled`
describe(UNCHANGED, () => throughPooler(through, () => import(/* @vite-ignore */ path)))
