import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { createHealth } from '#server/health/health.ts'
import { buildRequest, testApi } from '#test/support/api/api.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// The drivers of web, worker and job queue, with a faulty proxy between them and the database. When a driver's promise
// never settles, the test fails by its own time limit.

vi.setConfig({ testTimeout: 60_000 })

const api = testApi()
let proxy: DatabaseProxy
let db: Db

beforeEach(async () => {
  proxy = await startProxy(api.databaseUrl)
  db = openDatabase(proxy.url, { name: 'soundline-test-faults', max: 4, connectMs: 300, statementMs: 2_000 })
})
afterEach(async () => {
  proxy.close()
  await closeDatabase(db)
})

const ask = () => Promise.all([1, 2, 3, 4].map((n) => db.execute(sql`select ${n}::int as n, pg_sleep(0.02)`)))
const UNAVAILABLE = { cause: { code: 'DATABASE_UNAVAILABLE' } }

describe('the pool', () => {
  test('ends silent connections, idle or busy, and replaces them', async () => {
    await ask()
    const before = proxy.connections()
    expect(before).toBe(4)
    proxy.blackHole()
    const busy = await Promise.allSettled([1, 2].map(() => db.execute(sql`select pg_sleep(0)`)))
    expect(busy).toMatchObject([{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }])
    proxy.restore()
    await until('all to be answered', () =>
      ask().then(
        () => true,
        () => false,
      ),
    )
  })

  test('cancels a statement and rolls its transaction back at the deadline of its request', async () => {
    await db.execute(sql`create table if not exists kept (what text)`)
    const work = withinRequestBounds(300, () =>
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into kept values ('late')`)
        await tx.execute(sql`select pg_sleep(20)`)
      }),
    )
    await expect(work).rejects.toMatchObject(UNAVAILABLE)
    expect(await db.execute(sql`select from kept`)).toHaveLength(0)
    const at = sql`select from pg_stat_activity where query like '%pg_sleep(20)%' and state = 'active' and pid <> pg_backend_pid()`
    await until('the server to stop', async () => (await api.db.execute(at)).length === 0)
  })

  test('commits nothing after the deadline of its request', async () => {
    await db.execute(sql`create table if not exists kept (what text)`)
    const work = withinRequestBounds(200, () =>
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into kept values ('late')`)
        await sleep(300)
      }),
    )
    await expect(work).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(await db.execute(sql`select from kept`)).toHaveLength(0)
  })

  test('does not reuse a connection after its statement was cancelled', async () => {
    const pids: number[] = []
    const work = withinRequestBounds(300, () =>
      db.transaction(async (tx) => {
        const [own] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        pids.push((own as { pid: number }).pid)
        await tx.execute(sql`select pg_sleep(20)`)
      }),
    )
    await expect(work).rejects.toMatchObject(UNAVAILABLE)
    const [next] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    expect(pids).not.toContain(next?.pid)
  })

  test.each(['reset', 'refuse', 'blackHole'] as const)(
    'runs nothing of a transaction outside of it after a %s between two statements',
    async (fault) => {
      await db.execute(sql`create table if not exists kept (what text)`)
      const work = db.transaction(async (tx) => {
        await tx.execute(sql`insert into kept values ('first')`)
        proxy[fault]()
        await sleep(50)
        if (fault === 'refuse') proxy.restore()
        // The pool opens other connections during the fault.
        if (fault !== 'blackHole') await ask().catch(() => {})
        await tx.execute(sql`insert into kept values ('second')`)
      })
      await expect(work).rejects.toMatchObject(UNAVAILABLE)
      proxy.restore()
      expect(await api.db.execute(sql`select * from kept`)).toEqual([])
      await until('all to be answered', () =>
        ask().then(
          () => true,
          () => false,
        ),
      )
    },
  )

  test.each(['reset', 'blackHole'] as const)('settles every statement of a transaction after a %s', async (fault) => {
    let settled: PromiseSettledResult<unknown>[] = []
    const work = db.transaction(async (tx) => {
      const all = [1, 2, 3, 4, 5].map((n) => tx.execute(sql`select ${n}::int as n, pg_sleep(0.2)`))
      const answers = Promise.allSettled(all)
      await sleep(50)
      proxy[fault]()
      settled = await answers
    })
    await expect(work).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(settled.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'))
  })
})

describe('the queue', () => {
  test('replaces a connection that is silent', async () => {
    const pool = openQueuePool(proxy.url, { name: 'soundline-test-queue', max: 1, statementMs: 100 })
    try {
      await pool.query('select 1')
      proxy.blackHole()
      await expect(pool.query('select 1')).rejects.toThrow(/no response within/)
      proxy.restore()
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    } finally {
      await pool.end()
    }
  })
})

describe('a web process', () => {
  test('responds with 503 while connections are silent, and normally afterwards', async () => {
    const { owner } = await api.create.organization()
    const key = await api.create.key(owner)
    const services = { ...api.runtime, db }
    const [facade, health] = [createFacade(services), createHealth(services)]
    const read = async () => {
      const answer = await facade(buildRequest(key, 'GET', '/key'), { address: '127.0.0.1' })
      return [answer.status, answer.headers.get('retry-after')]
    }
    const look = async () => (await health(new Request('http://localhost/api/health'))).status
    expect([await read(), await look()]).toEqual([[200, null], 200])
    await ask()
    proxy.blackHole()
    expect(await Promise.all([...Array.from({ length: 12 }, read), look()])).toEqual([
      ...Array.from({ length: 12 }, () => [503, '2']),
      503,
    ])
    proxy.restore()
    await until('requests to be answered', async () => (await read())[0] === 200 && (await look()) === 200)
  })

  test('refuses the requests of an organization past its bound at once, and serves the others', async () => {
    const [one, other] = [await api.create.organization(), await api.create.organization()]
    const [flooding, quiet] = [await api.create.key(one.owner), await api.create.key(other.owner)]
    const facade = createFacade({ ...api.runtime, db })
    const read = (key: { token: string }) =>
      facade(buildRequest(key, 'GET', '/workspaces'), { address: '127.0.0.1' }).then(({ status, headers }) => {
        const retry = Number(headers.get('retry-after'))
        return status === 503 ? retry >= 1 && retry <= 60 : status
      })
    expect([await read(flooding), await read(quiet)]).toEqual([200, 200])
    proxy.delay(50)
    const flood = Array.from({ length: 300 }, () => read(flooding))
    const after: unknown[] = []
    for (let i = 0; i < 5; i++) after.push(await read(quiet))
    expect(after).toEqual([200, 200, 200, 200, 200])
    const answers = new Set(await Promise.all(flood))
    expect(answers).toEqual(new Set([200, true]))
  })
})
