import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, type SQL, sql } from '#db/drizzle.cjs'
import { ensurePartitions, partitionName } from '#db/partitions.ts'
import { alertEvents, alertMessages, incidentNotes, incidents } from '#db/schema/alerts.ts'
import * as tables from '#db/schema/results.ts'
import { batchRuns, runBatches, runRequests } from '#db/schema/run-requests.ts'
import { runs } from '#db/schema/runs.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import { createBodyReader } from '#server/bodies/reader.ts'
import { bodyKey, openStore, registerStore, storeUrl } from '#server/bodies/store.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { bucketStart } from '#server/results/statistics/windows.ts'
import { brokenRun } from '#server/runs/record/finished-run.ts'
import { foldDays } from '#server/runs/record/rollups/days.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { testFolder } from '#test/support/folder.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { clearServices } from '#worker/tasks/clear-services.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

const database = probedDatabase()
const NOW = new Date('2026-11-21T12:00:00Z')
const settings = parseSettings({ DATA_DIR: testFolder(), RESULT_RETENTION_DAYS: '10', BODY_RETENTION_DAYS: '5' })
let service: ProbedService

beforeAll(async () => {
  service = await database.createProbedService('get("http://a.example/")')
})

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

/** Stores a result of the service with its roll-ups. */
async function store(of: ProbedService, startedAt: Date): Promise<string> {
  await ensurePartitions(database.db, startedAt, 0)
  const { organizationId, id: serviceId } = of
  const run = { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId: uuidv7(), agentSlug: 'x' }
  await database.db.insert(runs).values({ ...run, slot: startedAt, cause: 'schedule', state: 'running' })
  await finishAndStoreRuns(database.db, [brokenRun(run, startedAt, startedAt, 'failure', 'test')], {
    variablesMax: 100,
  })
  return createIdAt(startedAt)
}

async function partitions(): Promise<string[]> {
  const rows = await database.db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relname like 'results\\_%' order by 1`,
  )
  return rows.map((row) => row.name)
}

describe('upkeep', () => {
  test('drops expired results by whole days, and creates partitions ahead', async () => {
    for (const days of [400, 11, 10, 0]) await store(service, daysAgo(days))
    // As if a process died between detaching and dropping.
    await ensurePartitions(database.db, daysAgo(200), 0)
    await database.db.execute(sql.raw(`alter table results detach partition ${partitionName(daysAgo(200))}`))
    await Promise.all([upkeep(database.db, settings, NOW), upkeep(database.db, settings, NOW)])
    await upkeep(database.db, settings, NOW)

    const left = await partitions()
    expect(left[0]).toBe(partitionName(daysAgo(10)))
    expect(left).toContain(partitionName(daysAgo(-7)))
    expect(await database.db.$count(tables.results, eq(tables.results.serviceId, service.id))).toBe(2)
  })

  test('keeps days for the heatmap longer than results, and hours as long as statistics read them', async () => {
    await store(service, daysAgo(401))
    await store(service, daysAgo(30))
    await upkeep(database.db, settings, NOW)
    const days = await database.db.select().from(tables.runDays).where(eq(tables.runDays.serviceId, service.id))
    const age = (at: Date) => Math.floor((NOW.getTime() - at.getTime()) / DAY_MS)
    expect(days.map((row) => age(row.day)).sort((a, b) => a - b)).toEqual([10, 11, 30, 400])
    // Today's hours are not folded yet.
    const hours = await database.db.select().from(tables.runHours).where(eq(tables.runHours.serviceId, service.id))
    expect(hours.map((row) => age(row.hour)).sort((a, b) => a - b)).toEqual([0, 10, 11])
  })

  test('folds the day of a late run again, but no day whose hours are cleared', async () => {
    const own = await database.createProbedService('get("http://a.example/")')
    for (const days of [30, 2, 1]) await store(own, daysAgo(days))
    await upkeep(database.db, settings, NOW)
    for (const days of [30, 2]) await store(own, daysAgo(days))
    const foldedUntil = async () => {
      const isOwn = eq(tables.serviceStates.serviceId, own.id)
      const [state] = await database.db.select().from(tables.serviceStates).where(isOwn)
      return state?.foldedUntil
    }
    expect(await foldedUntil()).toEqual(bucketStart(daysAgo(30), 'day'))
    await upkeep(database.db, settings, NOW)
    expect(await foldedUntil()).toEqual(bucketStart(NOW, 'day'))
    const days = await database.db.select().from(tables.runDays).where(eq(tables.runDays.serviceId, own.id))
    const counts = days.sort((a, b) => a.day.getTime() - b.day.getTime()).map((row) => row.failure)
    expect(counts).toEqual([1, 2, 1])
  })

  test('deletes runs that finished an hour ago, and no others', async () => {
    const { organizationId, id: serviceId } = service
    const run = (state: 'done' | 'queued', finishedAt: Date | null) => {
      const slot = new Date()
      const id = uuidv7()
      return { id, organizationId, serviceId, agentId: uuidv7(), slot, cause: 'schedule' as const, state, finishedAt }
    }
    await database.db.delete(runs)
    const kept = [run('done', new Date()), run('queued', null)]
    await database.db.insert(runs).values([...kept, run('done', new Date(Date.now() - 2 * HOUR_MS))])
    await upkeep(database.db, settings, NOW)
    const left = await database.db.select({ id: runs.id }).from(runs)
    expect(left.map((row) => row.id).sort()).toEqual(kept.map((row) => row.id).sort())
  })

  test('deletes requests of runs and batches with the results of their day, and no others', async () => {
    const { organizationId, id: serviceId } = service
    const [kept, expired] = [daysAgo(10), daysAgo(11)]
    for (const at of [kept, expired]) {
      await database.db.insert(runRequests).values({ id: uuidv7(), organizationId, serviceId, requestedAt: at })
      const batchId = uuidv7()
      const workspaceId = uuidv7()
      await database.db.insert(runBatches).values({ id: batchId, organizationId, workspaceId, createdAt: at })
      await database.db.insert(batchRuns).values({ batchId, organizationId, serviceId, serviceName: 'x' })
    }
    await upkeep(database.db, settings, NOW)
    expect(await database.db.select().from(runRequests)).toMatchObject([{ requestedAt: kept }])
    expect(await database.db.select().from(runBatches)).toMatchObject([{ createdAt: kept }])
    expect(await database.db.$count(batchRuns)).toBe(1)
  })

  test('deletes closed incidents, their notes, events and messages after the retention', async () => {
    const failing = await database.createProbedService('x')
    const { organizationId } = failing
    const create = async (given: Parameters<typeof createIncident>[2]) => {
      const incident = await createIncident(database.db, failing, given)
      const event = await createIncidentEvent(database.db, incident)
      const row = { id: uuidv7(), organizationId }
      await database.db.insert(incidentNotes).values({
        ...{ ...row, incidentId: incident.id, membershipId: uuidv7(), authorName: 'Ada', text: 'noted' },
      })
      await database.db.insert(alertMessages).values({
        ...{ ...row, eventId: event.id, channel: 'email', heardThrough: [], state: 'sent' },
      })
      return { incident: incident.id, event: event.id }
    }
    const expired = await create({ openedAt: daysAgo(30), closedAt: daysAgo(12) })
    const recent = await create({ openedAt: daysAgo(5), closedAt: daysAgo(4) })
    const longClosed = await create({ openedAt: daysAgo(60), closedAt: daysAgo(2) })
    const open = await create({ openedAt: daysAgo(60) })
    const [openRow] = await database.db.select().from(incidents).where(eq(incidents.id, open.incident))
    const reminder = await createIncidentEvent(database.db, openRow as typeof incidents.$inferSelect, {
      kind: 'service.reminder',
      createdAt: daysAgo(30),
    })
    await upkeep(database.db, settings, NOW)
    const kept = async ({ incident, event }: typeof expired) => ({
      incident: await database.db.$count(incidents, eq(incidents.id, incident)),
      notes: await database.db.$count(incidentNotes, eq(incidentNotes.incidentId, incident)),
      events: await database.db.$count(alertEvents, eq(alertEvents.id, event)),
      messages: await database.db.$count(alertMessages, eq(alertMessages.eventId, event)),
    })
    expect(await kept(expired)).toEqual({ incident: 0, notes: 0, events: 0, messages: 0 })
    expect(await kept(recent)).toEqual({ incident: 1, notes: 1, events: 1, messages: 1 })
    expect(await kept(longClosed)).toEqual({ incident: 1, notes: 1, events: 1, messages: 1 })
    expect(await kept(open)).toEqual({ incident: 1, notes: 1, events: 1, messages: 1 })
    expect(await database.db.$count(alertEvents, eq(alertEvents.id, reminder.id))).toBe(0)
  })

  test('deletes jobs that were given up a week ago', async () => {
    const keys = ['given up', 'given up lately', 'running', 'due']
    for (const key of keys) {
      await enqueue(database.db, 'notify', { organizationId: uuidv7(), eventId: uuidv7() }, { key })
    }
    const set = (key: string, change: SQL) =>
      database.db.execute(sql`update graphile_worker._private_jobs set ${change} where key = ${key}`)
    const isGivenUp = sql`attempts = max_attempts, updated_at = now() - interval '8 days'`
    await set('given up', isGivenUp)
    await set('given up lately', sql`attempts = max_attempts`)
    await set('running', sql`${isGivenUp}, locked_at = now()`)
    await set('due', sql`updated_at = now() - interval '8 days'`)
    await upkeep(database.db, settings, NOW)
    const left = await database.db.execute<{ key: string }>(
      sql`select key from graphile_worker._private_jobs where key = any(${`{${keys.join(',')}}`}::text[]) order by id`,
    )
    expect(left.map(({ key }) => key)).toEqual(['given up lately', 'running', 'due'])
  })

  test('expires bodies by whole days', async () => {
    const url = storeUrl(settings)
    const put = async (days: number) => {
      const bytes = Buffer.from(`body of ${days}`)
      const key = bodyKey(service.organizationId, service.id, daysAgo(days), bytes)
      await openStore(url).put(key, bytes)
      return key
    }
    const keys = [await put(6), await put(5), await put(0)]
    await upkeep(database.db, settings, NOW)
    const reader = createBodyReader(settings)
    const outcomes = await Promise.all(keys.map(async (key) => (await reader.read(url, key)).outcome))
    expect(outcomes).toEqual(['gone', 'read', 'read'])
  })
})

test('many processes may create partitions at once', async () => {
  const day = new Date('2031-01-01T00:00:00Z')
  await Promise.all(Array.from({ length: 8 }, () => ensurePartitions(database.db, day, 5)))
  const made = (await partitions()).filter((name) => name.startsWith('results_2031_'))
  expect(made).toHaveLength(6)
})

test('clearing deleted services deletes all their data, and nothing of other services', async () => {
  const [gone, other] = [await database.createProbedService('x'), await database.createProbedService('x')]
  const url = storeUrl(settings)
  await registerStore(database.db, url)
  const keys: string[] = []
  for (const one of [gone, other]) {
    const version = { organizationId: one.organizationId, serviceId: one.id, version: 1, script: 'x' }
    await database.db.insert(scriptVersions).values(version)
    // A failure, which opens an incident.
    await store(one, daysAgo(0))
    const [incident] = await database.db.select().from(incidents).where(eq(incidents.serviceId, one.id))
    const { id: incidentId, organizationId } = incident as typeof incidents.$inferSelect
    const author = { membershipId: uuidv7(), authorName: 'Ada' }
    await database.db
      .insert(incidentNotes)
      .values({ id: uuidv7(), organizationId, incidentId, ...author, text: 'noted' })
    const bytes = Buffer.from(one.id)
    keys.push(bodyKey(one.organizationId, one.id, NOW, bytes))
    await openStore(url).put(keys.at(-1) as string, bytes)
  }
  await foldDays(database.db, daysAgo(-1))
  const payload = { organizationId: gone.organizationId, serviceIds: [gone.id] }
  await clearServices(database.db, settings, payload)
  await clearServices(database.db, settings, payload)
  for (const table of [
    tables.results,
    tables.runHours,
    tables.runDays,
    tables.serviceStates,
    tables.serviceAgentStates,
    alertEvents,
    incidents,
    scriptVersions,
  ]) {
    expect(await database.db.$count(table, eq(table.serviceId, gone.id))).toBe(0)
    expect(await database.db.$count(table, eq(table.serviceId, other.id))).toBe(1)
  }
  for (const [{ organizationId }, count] of [[gone, 0] as const, [other, 1] as const]) {
    expect(await database.db.$count(incidentNotes, eq(incidentNotes.organizationId, organizationId))).toBe(count)
  }
  const reader = createBodyReader(settings)
  const outcomes = await Promise.all(keys.map(async (key) => (await reader.read(url, key)).outcome))
  expect(outcomes).toEqual(['gone', 'read'])
})

test('services with many rows are folded in transactions of their own', async () => {
  const [big, alsoBig] = [await database.createProbedService(''), await database.createProbedService('')]
  const day = new Date('2026-02-03T00:00:00Z')
  for (const { id, organizationId } of [big, alsoBig]) {
    await database.db.insert(tables.serviceStates).values({ serviceId: id, organizationId })
    await database.db
      .insert(tables.runHours)
      .values({ organizationId, serviceId: id, agentSlug: 'a', hour: day, runs: 1 })
    await database.db.execute(sql`
      insert into assertion_hours (organization_id, service_id, hour, assertion_key, definition, evaluations, failures)
      select ${organizationId}::uuid, ${id}::uuid, ${day.toISOString()}::timestamptz + make_interval(hours => h), k, '{}',
        2, 1
      from generate_series(0, 23) h, generate_series(1, 430) k`)
  }
  await foldDays(database.db, new Date('2026-02-04T00:00:00Z'))
  const folded = await database.db.execute(sql`
    select count(*)::int, sum(evaluations)::int as evaluations, count(distinct xmin::text)::int as transactions
    from assertion_days where service_id in (${big.id}, ${alsoBig.id}) and day = ${day.toISOString()}`)
  expect([...folded]).toEqual([{ count: 860, evaluations: 2 * 24 * 860, transactions: 2 }])
})

test('a service that cannot be folded does not block the others', async () => {
  const [broken, sound] = [await database.createProbedService(''), await database.createProbedService('')]
  const day = new Date('2026-02-03T00:00:00Z')
  const tooMany = 2 ** 31 - 1
  for (const { id, organizationId } of [broken, sound]) {
    await database.db.insert(tables.serviceStates).values({ serviceId: id, organizationId })
    await database.db
      .insert(tables.runHours)
      .values({ organizationId, serviceId: id, agentSlug: 'a', hour: day, runs: 1 })
    const checked = { organizationId, serviceId: id, hour: day, assertionKey: 'k', definition: {}, failures: 0 }
    const evaluations = id === broken.id ? tooMany : 1
    const hours = [0, 1].map((n) => ({ ...checked, hour: new Date(day.getTime() + n * HOUR_MS), evaluations }))
    await database.db.insert(tables.assertionHours).values(hours)
  }
  const until = async (one: ProbedService) =>
    (await database.db.select().from(tables.serviceStates).where(eq(tables.serviceStates.serviceId, one.id)))[0]
      ?.foldedUntil
  await expect(foldDays(database.db, new Date('2026-02-04T00:00:00Z'))).rejects.toThrow()
  expect([await until(broken), await until(sound)]).toEqual([new Date(0), new Date('2026-02-04T00:00:00Z')])
  await database.db
    .update(tables.assertionHours)
    .set({ evaluations: 1 })
    .where(eq(tables.assertionHours.serviceId, broken.id))
  await foldDays(database.db, new Date('2026-02-04T00:00:00Z'))
  expect(await until(broken)).toEqual(new Date('2026-02-04T00:00:00Z'))
  for (const { id } of [broken, sound]) {
    const rows = await database.db.select().from(tables.assertionDays).where(eq(tables.assertionDays.serviceId, id))
    expect(rows).toMatchObject([{ day, assertionKey: 'k', evaluations: 2 }])
  }
})
