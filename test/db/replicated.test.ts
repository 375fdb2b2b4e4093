import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type Reads, readsFromReplica } from '#db/replica.ts'
import type { Runtime } from '#server/context.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { buildRequest, readAnswer, testRuntime } from '#test/support/api/api.ts'
import { contract } from '#test/support/api/contract.ts'
import { required } from '#test/support/database.ts'
import { factoriesOf, type Key } from '#test/support/factories.ts'
import { testFolder } from '#test/support/folder.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { type ReplicatedDatabase, startReplicatedDatabase } from '#test/support/processes/replicated-database.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createResult } from '#test/support/runs/results.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// A primary and a streaming replica, both behind proxies that can cause faults. The last test replaces the primary.

const folder = testFolder()
const QUICK = { connectMs: 300, statementMs: 2_000 }
let databases: ReplicatedDatabase
let toPrimary: DatabaseProxy | null = null
let toReplica: DatabaseProxy | null = null
let db: Db
let runtime: Runtime
let key: Key
let service: { id: string; organizationId: string }
const opened: Reads[] = []

beforeAll(async () => {
  databases = await startReplicatedDatabase(folder)
  toPrimary = await startProxy(databases.primary.url)
  toReplica = await startProxy(databases.standby.url)
  db = openDatabase(toPrimary.url, { name: 'soundline-test', max: 8, ...QUICK })
  runtime = testRuntime(db)
  const create = factoriesOf(db)
  const organization = await create.organization()
  key = await create.key(organization.owner)
  service = await create.service(await create.project(await create.workspace(organization)))
})
afterAll(async () => {
  for (const reads of opened) await reads.close()
  await runtime?.live.close()
  if (db) await closeDatabase(db)
  toPrimary?.close()
  toReplica?.close()
  await databases?.stop()
})

function readsOf(maxLagMs: number): Reads {
  const url = required(toReplica).url
  const options = { name: 'soundline-test-replica', max: 4, ...QUICK, awayMs: 100 }
  const reads = readsFromReplica(db, { url, maxLagMs, ...options })
  opened.push(reads)
  return reads
}

/** The public API. Every answer is checked against the document, so a 500 fails the test. */
function apiOf(reads: Reads) {
  const facade = createFacade({ ...runtime, reads })
  return async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const request = buildRequest(key, method, path, { body, headers })
    const answer = await readAnswer(await facade(request, { address: '127.0.0.1' }))
    contract().check(method, new URL(request.url).pathname, answer)
    return answer as typeof answer & { body: T }
  }
}

type Page = { items: { id: string }[] }
const idsOf = async (call: ReturnType<typeof apiOf>) => {
  const { body } = await call<Page>('GET', `/services/${service.id}/results`)
  return body.items.map(({ id }) => id)
}

describe('a replica', () => {
  const pause = () => databases.ask(databases.standby, 'select pg_wal_replay_pause()')
  const resume = () => databases.ask(databases.standby, 'select pg_wal_replay_resume()')

  /** Stops the replica from applying changes, and returns a result that lists therefore lack. */
  const showOld = (call: ReturnType<typeof apiOf>) =>
    until('the replica to be asked', async () => {
      await idsOf(call)
      await pause()
      const { id } = await createResult(db, service)
      if (!(await idsOf(call)).includes(id)) return id
      await resume()
      await sleep(200)
      return null
    })

  test('answers lists of results and statistics, and no permission check', async () => {
    const reads = readsOf(3_600_000)
    const call = apiOf(reads)
    const first = await createResult(db, service)
    await until('the replica to have the result', async () => (await idsOf(call)).includes(first.id))
    await pause()
    const second = await createResult(db, service)
    expect(await idsOf(call)).toEqual([first.id])
    for (const part of ['', '/endpoint-series', '/assertions', '/failure-heatmap']) {
      expect((await call('GET', `/services/${service.id}/metrics/statistics${part}`)).status).toBe(200)
    }
    expect((await call('GET', `/services/${service.id}/metrics/history`)).status).toBe(200)
    expect((await call<{ id: string }>('GET', `/services/${service.id}/results/${second.id}`)).body.id).toBe(second.id)

    // Who may not see the service any more does not, although the replica does not know.
    await db.execute(sql`update api_keys set revoked_at = now() where id = ${key.id}`)
    expect((await call('GET', `/services/${service.id}/results`)).status).toBe(401)
    await db.execute(sql`update api_keys set revoked_at = null where id = ${key.id}`)

    let isReadable = false
    const waiting = reads.caughtUp?.().then(() => {
      isReadable = true
    })
    await sleep(300)
    expect(isReadable).toBe(false)
    await resume()
    await waiting
    expect((await idsOf(call)).sort()).toEqual([first.id, second.id].sort())
  })

  test('is not asked while it lags further behind than allowed', async () => {
    const call = apiOf(readsOf(1_000))
    const missing = await showOld(call)
    await until('the primary to be asked', async () => (await idsOf(call)).includes(missing))
    await resume()
  })

  test('delays no message to pages while it is not asked, also if nobody reads', async () => {
    await pause()
    await createResult(db, service)
    await readsOf(3_600_000).caughtUp?.()
    await resume()
  })

  test('is asked while the primary does not say where it is', async () => {
    const { db: reader } = readsOf(3_600_000)
    const isReplica = async () => {
      const [row] = await reader.execute<{ is: boolean }>(sql`select pg_is_in_recovery() as is`)
      return row?.is
    }
    await until('the replica to be asked', isReplica)
    const proxy = required(toPrimary)
    proxy.refuse()
    proxy.reset()
    // Longer than a verdict is good for.
    for (let n = 0; n < 15; n++) {
      expect(await isReplica()).toBe(true)
      await sleep(100)
    }
    proxy.restore()
    await until('the primary to be back', () => db.execute(sql`select 1`).catch(() => null))
  })

  test('is not asked while it is away: silent or refusing', async () => {
    const call = apiOf(readsOf(3_600_000))
    const proxy = required(toReplica)
    for (const outage of ['blackHole', 'refuse'] as const) {
      const missing = await showOld(call)
      proxy[outage]()
      expect(await idsOf(call)).toContain(missing)
      proxy.restore()
      await resume()
    }
  })
})

describe('a failover of the primary', () => {
  test('gives nothing but 503 meanwhile, loses no accepted write, and repeats none', async () => {
    await databases.replicateSynchronously()
    const call = apiOf({ db, caughtUp: null, close: async () => {} })
    const incident = await createIncident(db, service)
    const path = `/incidents/${incident.id}/notes`
    const accepted: string[] = []
    const statuses = new Map<number, number>()
    const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    let isOver = false

    const write = async (writer: number) => {
      for (let n = 0; !isOver && n < 60; n++) {
        const text = `${writer} ${n}`
        const { status } = await call('POST', path, { text })
        count(status)
        if (status < 300) accepted.push(text)
        else expect(status).toBe(503)
        await sleep(20)
      }
    }
    /** Repeats each write with its key until it is accepted. */
    const insist = async (writer: number) => {
      for (let n = 0; !isOver && n < 60; n++) {
        const text = `${writer} ${n}`
        for (let status = 503; status === 503; await sleep(20)) {
          status = (await call('POST', path, { text }, { 'Idempotency-Key': `key-${writer}-${n}` })).status
          count(status)
          expect([200, 503]).toContain(status)
        }
        accepted.push(text)
      }
    }
    const read = async () => {
      for (; !isOver; await sleep(20)) {
        const { status } = await call('GET', `/services/${service.id}`)
        count(status)
        expect([200, 503]).toContain(status)
      }
    }
    const load = Promise.all([write(1), write(2), insist(3), insist(4), read(), read()])
    await until('some writes', async () => accepted.length >= 10)
    load.catch(() => {})
    const before = accepted.length
    await databases.failOver()
    required(toPrimary).lead(databases.standby.url)
    required(toPrimary).reset()
    await until('writes on the new primary', async () => accepted.length >= before + 10)
    isOver = true
    await load

    expect(statuses.get(503)).toBeGreaterThan(0)
    const rows = await db.execute<{ text: string }>(
      sql`select text from incident_notes where incident_id = ${incident.id}`,
    )
    const texts = rows.map(({ text }) => text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts).toEqual(expect.arrayContaining(accepted))
  })

  test('leaves no connection to a former primary that refuses writes', async () => {
    const proxy = required(toPrimary)
    const pool = openDatabase(proxy.url, { name: 'soundline-test', max: 4, ...QUICK })
    try {
      await Promise.all([1, 2, 3].map(() => pool.execute(sql`select pg_sleep(0.05)`)))
      const before = proxy.connections()
      const refused = pool.transaction(async (tx) => {
        await tx.execute(sql`set transaction read only`)
        await tx.execute(sql`update organizations set name = name`)
      })
      await expect(refused).rejects.toMatchObject({ cause: { code: '25006' } })
      await until('the connections to be closed', async () => proxy.connections() <= before - 3)
      await pool.execute(sql`update organizations set name = name`)
    } finally {
      await closeDatabase(pool)
    }
  })
})
