import { tmpdir } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { DAY_MS, partitionName } from '#db/partitions.ts'
import { workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { systemSamples, systemWarnings, webProcesses } from '#db/schema/system.ts'
import { readDisk } from '#server/observe/system/checks.ts'
import { forecastOf } from '#server/observe/system/forecast.ts'
import { takeSample } from '#server/observe/system/samples.ts'
import { storeWarning, warnOperator } from '#server/observe/system/warnings.ts'
import { startWebHeartbeat } from '#server/observe/system/web-heartbeat.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import { createResult, createStore, setState, step } from '#test/support/runs/results.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { watchSystem } from '#worker/tasks/watch-system.ts'

const database = testDatabase()
const settings = parseSettings({ SECRET_KEYS: `k2:${'n'.repeat(32)}` })
const codes = async () => {
  const rows = await database.db.select().from(systemWarnings).orderBy(systemWarnings.code)
  return rows.map(({ code, subject }) => `${code} ${subject}`)
}

describe('a warning', () => {
  test('that recurs is counted, with the time of the first and the latest reason', async () => {
    const warning = { code: 'mail_failed', subject: 'smtp', detail: 'first' } as const
    await storeWarning(database.db, warning)
    const [before] = await database.db.select().from(systemWarnings)
    await storeWarning(database.db, { ...warning, detail: 'second', count: 4 })
    const [after] = await database.db.select().from(systemWarnings)
    expect(after).toMatchObject({ detail: 'second', count: 5, firstAt: before?.firstAt })
    await database.db.delete(systemWarnings)
  })

  test('of a process is stored once a minute, and never fails its caller', async () => {
    for (let index = 0; index < 100; index++) warnOperator(database.db, 'queue_stalled', 'here', 'runs')
    await until('the warning', async () => (await codes()).includes('queue_stalled here'))
    expect(await database.db.select({ count: systemWarnings.count }).from(systemWarnings)).toEqual([{ count: 1 }])
    const broken = { execute: () => Promise.reject(new Error('the database is down')) }
    warnOperator(broken as never, 'few_connections', 'here', '9')
    await database.db.delete(systemWarnings)
  })

  test('about one more thing displaces the oldest of its code, and none of another', async () => {
    const { db } = database
    await storeWarning(db, { code: 'backup_failed', subject: 'here', detail: '' })
    const hosts = Array.from({ length: 50 }, (_, index) => ({
      ...{ code: 'queue_stalled', subject: `host ${index}`, detail: '' },
      lastAt: new Date(index * 1_000),
    }))
    await db.insert(systemWarnings).values(hosts)
    // A recurrence makes it the latest.
    await storeWarning(db, { code: 'queue_stalled', subject: 'host 0', detail: '' })
    await storeWarning(db, { code: 'queue_stalled', subject: 'host 50', detail: '' })
    const stored = await codes()
    expect(stored).toHaveLength(51)
    expect(stored).toEqual(
      expect.arrayContaining(['backup_failed here', 'queue_stalled host 0', 'queue_stalled host 2']),
    )
    expect(stored).not.toContain('queue_stalled host 1')
    await db.delete(systemWarnings)
  })
})

describe('the checks', () => {
  test('find nothing in a sound installation', async () => {
    const sound = parseSettings({ SECRET_KEYS: `k3:${'n'.repeat(32)}`, DATA_DIR: '/nowhere' })
    await watchSystem(database.db, sound)
    expect(await codes()).toEqual([])
  })

  test('find what is missing, late or wrong', async () => {
    const now = new Date()
    const { db } = database
    const tree = await database.create.serviceTree()
    const { organizationId, id: serviceId } = tree.service
    const tomorrow = new Date(now.getTime() + DAY_MS)
    await db.execute(sql.raw(`drop table ${partitionName(tomorrow)}`))
    await setState(db, tree.service, { foldedUntil: new Date(now.getTime() - 5 * DAY_MS) })
    const agent = await database.create.agent({ slug: 'edge' })
    const remote = { id: uuidv7(), agentId: agent.id, poolId: 'p', host: 'edge', pid: 0, kind: 'agent' as const }
    await db.insert(workers).values({ ...remote, clockOffsetMs: -120_000 })
    const id = uuidv7()
    const sealed = createVault([{ id: 'k1', secret: 'o'.repeat(32) }]).seal('x', 'variable', organizationId, id)
    await db.insert(variables).values({ id, organizationId, serviceId, key: 'token', type: 'secret', sealed })
    const own = await database.create.agent({ slug: 'own', organizationId })
    await db.insert(workers).values({ ...remote, id: uuidv7(), agentId: own.id, clockOffsetMs: -120_000 })
    await watchSystem(db, settings, now)
    expect(await codes()).not.toContain('agent_clock own')
    expect(await codes()).toEqual(
      expect.arrayContaining([
        'agent_clock edge',
        'key_missing k1',
        `partition_missing ${tomorrow.toISOString().slice(0, 10)}`,
        'rollups_late ',
      ]),
    )
    const [clock] = await db.select().from(systemWarnings).where(eq(systemWarnings.code, 'agent_clock'))
    expect(clock?.detail).toBe('its clock is 120 s behind')
  })

  test('read the ids of keys once a day, and when the keys change', async () => {
    const { db } = database
    const now = new Date()
    const find = async (given: typeof settings, at: Date) => {
      await db.delete(systemWarnings)
      await watchSystem(db, given, at)
      return (await codes()).includes('key_missing k1')
    }
    expect(await find(settings, now)).toBe(false)
    expect(await find(settings, new Date(now.getTime() + DAY_MS))).toBe(true)
    expect(await find(parseSettings({ SECRET_KEYS: `k4:${'n'.repeat(32)}` }), now)).toBe(true)
  })

  test('do not depend on each other: one that fails is a warning itself', async () => {
    const { db } = database
    await db.delete(systemWarnings)
    await db.execute(sql`alter table service_states rename column folded_until to away`)
    await expect(watchSystem(db, settings)).rejects.toThrow()
    await db.execute(sql`alter table service_states rename column away to folded_until`)
    expect(await codes()).toContain('agent_clock edge')
    await until('the warning', async () => (await codes()).includes('upkeep_failed checking roll-ups'))
    const [failed] = await db.select().from(systemWarnings).where(eq(systemWarnings.code, 'upkeep_failed'))
    expect(failed?.detail).toBe('column "folded_until" does not exist')
  })
})

test('the size of a disk is that of its folder, and not known without one', async () => {
  const disk = await readDisk(tmpdir())
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes as number)
  expect(await readDisk('/nowhere')).toBeNull()
})

describe('the samples', () => {
  test('replace each other within a day, and estimate the bodies of the day before', async () => {
    const { db } = database
    await db.delete(systemSamples)
    const now = new Date()
    const yesterday = new Date(now.getTime() - DAY_MS)
    const storeId = await createStore(db, 'https://bucket.example/bodies')
    const service = (await database.create.serviceTree()).service
    for (const key of ['a', 'a', 'b']) {
      const body = { storeId, key, bytes: 100, contentType: null }
      await createResult(db, service, { startedAt: yesterday, steps: [step({ body, bodyNotStoredReason: null })] })
    }
    await takeSample(db, now)
    await takeSample(db, now)
    const samples = await db.select().from(systemSamples)
    // Equal bodies are stored once.
    expect(samples).toMatchObject([{ day: now.toISOString().slice(0, 10), bodyBytes: { [storeId]: 200 } }])
    expect(samples[0]?.databaseBytes).toBeGreaterThan(1_000_000)
  })

  test('old rows are deleted', async () => {
    const { db } = database
    const old = { databaseBytes: 1, resultBytes: 1, bodyBytes: {} }
    await db.insert(systemSamples).values({ day: '2020-01-01', ...old })
    await storeWarning(db, { code: 'mail_failed', subject: 'old', detail: '' })
    await db.execute(sql`update system_warnings set last_at = now() - interval '31 days' where subject = 'old'`)
    await watchSystem(db, settings)
    expect((await db.select().from(systemSamples)).map(({ day }) => day)).not.toContain('2020-01-01')
    expect(await codes()).not.toContain('mail_failed old')
  })

  test('give a forecast from the third day on', () => {
    const sample = (day: string, databaseBytes: number) => ({ day, databaseBytes })
    expect(forecastOf([sample('2026-11-01', 10), sample('2026-11-02', 20)])).toBeNull()
    const steady = ['2026-11-01', '2026-11-03', '2026-11-05'].map((day, index) => sample(day, 100 + index * 20))
    expect(forecastOf(steady)).toEqual({ bytesPerDay: 10, in30Days: 440, in90Days: 1_040 })
    const shrinking = ['2026-11-01', '2026-11-02', '2026-11-03'].map((day, index) => sample(day, 100 - index * 10))
    expect(forecastOf(shrinking)).toEqual({ bytesPerDay: -10, in30Days: 0, in90Days: 0 })
  })
})

test('a web process is known until it stops', async () => {
  const heartbeat = startWebHeartbeat(database.db)
  await until('the row', async () => (await database.db.$count(webProcesses)) === 1)
  expect(await database.db.select().from(webProcesses)).toMatchObject([{ pid: process.pid }])
  await heartbeat.stop()
  expect(await database.db.$count(webProcesses)).toBe(0)
})
