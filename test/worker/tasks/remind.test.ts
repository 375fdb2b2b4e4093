import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { and, asc, eq, sql } from '#db/drizzle.cjs'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { services } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { brokenRun } from '#server/runs/record/finished-run.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { remind } from '#worker/tasks/remind.ts'

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

/** A service whose `remindMinutes` is set, in an organization of its own. */
async function createReminded(minutes: string): Promise<ProbedService> {
  const service = await database.createProbedService('get("http://a.example/")')
  await setReminders(service, minutes)
  return service
}

async function setReminders(service: ProbedService, minutes: string): Promise<void> {
  await database.db
    .update(variables)
    .set({ value: minutes })
    .where(and(eq(variables.serviceId, service.id), eq(variables.key, 'remindMinutes')))
}

function remindersOf({ id }: { id: string }) {
  return database.db
    .select()
    .from(alertEvents)
    .where(and(eq(alertEvents.serviceId, id), eq(alertEvents.kind, 'service.reminder')))
    .orderBy(asc(alertEvents.createdAt))
}

/** Moves the incident's last reminder into the past. */
async function backdate(incidentId: string, minutes: number): Promise<void> {
  await database.db
    .update(incidents)
    .set({ remindedAt: ago(minutes) })
    .where(eq(incidents.id, incidentId))
}

async function notifyJobs(eventId: string): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from graphile_worker.jobs where key = ${`notify:${eventId}`}`,
  )
  return row?.count ?? 0
}

describe('remind', () => {
  test('waits while a maintenance is on', async () => {
    const service = await createReminded('15')
    await createIncident(database.db, service, { openedAt: ago(20) })
    const { id: serviceId, organizationId } = service
    const held = { id: randomUUID(), organizationId, serviceId, mode: 'mute' as const, createdBy: randomUUID() }
    await database.db
      .insert(maintenances)
      .values({ ...held, createdName: 'Ada', startsAt: ago(1), endsAt: new Date(Date.now() + MINUTE_MS) })
    await remind(database.db)
    expect(await remindersOf(service)).toEqual([])
    await database.db.delete(maintenances)
    await remind(database.db)
    expect(await remindersOf(service)).toHaveLength(1)
  })

  test('reminds remindMinutes after the start of an incident, and then at this interval', async () => {
    const service = await createReminded('15')
    const incident = await createIncident(database.db, service, { openedAt: ago(14) })
    await remind(database.db)
    expect(await remindersOf(service)).toEqual([])
    await database.db
      .update(incidents)
      .set({ openedAt: ago(15) })
      .where(eq(incidents.id, incident.id))
    await remind(database.db)
    await remind(database.db)
    const [first, ...more] = await remindersOf(service)
    expect(more).toEqual([])
    expect(first).toMatchObject({ incidentId: incident.id, resultId: null, suppressedReason: null })
    expect(await notifyJobs(first?.id as string)).toBe(1)
    const [{ remindedAt } = { remindedAt: null }] = await database.db
      .select()
      .from(incidents)
      .where(eq(incidents.id, incident.id))
    expect(remindedAt?.getTime()).toBeGreaterThan(ago(1).getTime())

    await backdate(incident.id, 14)
    await remind(database.db)
    expect(await remindersOf(service)).toHaveLength(1)
    // However late the job is, one reminder is stored.
    await backdate(incident.id, 200)
    await remind(database.db)
    await remind(database.db)
    expect(await remindersOf(service)).toHaveLength(2)
  })

  test('a reminder each minute skips no minute, although a job can start a little early', async () => {
    const service = await createReminded('1')
    const incident = await createIncident(database.db, service, { openedAt: ago(5) })
    await remind(database.db)
    await backdate(incident.id, 0.97)
    await remind(database.db)
    expect(await remindersOf(service)).toHaveLength(2)
    await backdate(incident.id, 0.4)
    await remind(database.db)
    expect(await remindersOf(service)).toHaveLength(2)
  })

  test('stores none for 0, for an acknowledged or closed incident, and for a service that is switched off', async () => {
    const never = await createReminded('0')
    await createIncident(database.db, never, { openedAt: ago(9_000) })
    const acknowledged = await createReminded('1')
    await createIncident(database.db, acknowledged, { openedAt: ago(9_000), acknowledgedAt: ago(1) })
    const closed = await createReminded('1')
    await createIncident(database.db, closed, { openedAt: ago(9_000), closedAt: ago(1) })
    const off = await createReminded('1')
    await createIncident(database.db, off, { openedAt: ago(9_000) })
    await database.db.update(services).set({ isActive: false }).where(eq(services.id, off.id))
    // A member's own variable of this name says nothing about reminders.
    const own = await createReminded('1')
    await createIncident(database.db, own, { openedAt: ago(9_000) })
    await database.db.update(variables).set({ systemType: null }).where(eq(variables.serviceId, own.id))
    await remind(database.db)
    for (const service of [never, acknowledged, closed, off, own]) expect(await remindersOf(service)).toEqual([])
    // The interval can change, and the service can be switched on, while the incident is open.
    await setReminders(never, '10080')
    await remind(database.db)
    expect(await remindersOf(never)).toHaveLength(0)
    await setReminders(never, '8000')
    await database.db.update(services).set({ isActive: true }).where(eq(services.id, off.id))
    await remind(database.db)
    expect(await remindersOf(never)).toHaveLength(1)
    expect(await remindersOf(off)).toHaveLength(1)
  })

  test('stores each reminder once, however many workers look for them', async () => {
    // More than one transaction takes.
    const due = await Promise.all(Array.from({ length: 120 }, () => createReminded('5')))
    for (const service of due) await createIncident(database.db, service, { openedAt: ago(6) })
    await Promise.all(Array.from({ length: 6 }, () => remind(database.db)))
    for (const service of due) {
      const [event, ...more] = await remindersOf(service)
      expect(more).toEqual([])
      expect(await notifyJobs(event?.id as string)).toBe(1)
    }
  })

  test('its payload is that of the failure, with the last failing run and how long the service is down', async () => {
    const service = await createReminded('5')
    const agent = await database.create.agent()
    const run = { id: randomUUID(), attempt: 1, organizationId: service.organizationId, serviceId: service.id }
    const fail = async (minutes: number) => {
      const finished = { ...run, agentId: agent.id, agentSlug: agent.slug }
      const broken = brokenRun(finished, ago(minutes), ago(minutes), 'timeout', 'no response within 100 ms')
      await database.db.transaction((tx) => storeRuns(tx, [broken], { variablesMax: 100 }))
      return broken.result.id
    }
    const [, second] = [await fail(10), await fail(1)]
    await remind(database.db)
    const [event] = await remindersOf(service)
    const [failed] = await database.db
      .select()
      .from(alertEvents)
      .where(and(eq(alertEvents.serviceId, service.id), eq(alertEvents.kind, 'service.failed')))
    expect(Object.keys(event?.payload ?? {}).sort()).toEqual(Object.keys(failed?.payload ?? {}).sort())
    const shape = (part: string) => Object.keys((event?.payload[part] ?? {}) as object).sort()
    for (const part of ['incident', 'result', 'failure']) {
      expect(shape(part)).toEqual(Object.keys((failed?.payload[part] ?? {}) as object).sort())
    }
    expect(event?.payload).toMatchObject({
      service: { id: service.id, name: service.name },
      incident: { id: failed?.incidentId },
      result: { id: second, status: 'timeout', agentSlug: agent.slug },
      failure: { summary: 'no response within 100 ms', status: 'timeout' },
      agents: [{ agentId: agent.id, failingRuns: 2, resultId: second }],
    })
    const { downMs = 0 } = (event?.payload.incident ?? {}) as { downMs?: number }
    expect(downMs).toBeGreaterThanOrEqual(10 * MINUTE_MS)
    expect(downMs).toBeLessThan(12 * MINUTE_MS)
  })

  test('its payload has no result when no failing run is stored any more', async () => {
    const service = await createReminded('5')
    const incident = await createIncident(database.db, service, { openedAt: ago(6) })
    await remind(database.db)
    const [event] = await remindersOf(service)
    expect(event?.payload).toMatchObject({ result: null, failure: incident.failure, agents: [] })
  })
})

test('a worker performs the job', async () => {
  const service = await createReminded('5')
  await createIncident(database.db, service, { openedAt: ago(6) })
  // Those of the other tests.
  await database.db.execute(sql`delete from graphile_worker._private_jobs`)
  await startWorker()
  await enqueue(database.db, 'remind', {})
  await expect.poll(() => remindersOf(service), { timeout: 60_000 }).toHaveLength(1)
})
