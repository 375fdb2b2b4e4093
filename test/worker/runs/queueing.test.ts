import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { agents, serviceAgents, services } from '#db/schema/resources.ts'
import { runHours, serviceStates } from '#db/schema/results.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import { addWaitingRun } from '#server/runs/runs/request-run.ts'
import { gatedRuns } from '#test/support/runs/gated-runs.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'

const { database, gate, newService, holdRun } = gatedRuns()
const { start: startWorker } = testWorkers(database.url)
beforeAll(async () => {
  await startWorker()
})

function scheduleMoved(service: ProbedService) {
  return until('the schedule to be moved on', async () => {
    const [row] = await database.db.select().from(schedules).where(eq(schedules.serviceId, service.id))
    return row && row.nextRunAt > new Date() && row
  })
}

const settled = (service: ProbedService) =>
  until('all runs to be done', async () => {
    const rows = await database.runsOf(service)
    return rows.length > 0 && rows.every((row) => row.state === 'done') && rows
  })

describe('a requested run', () => {
  test('waits for the run in flight, and shares one run with other waiting requests', async () => {
    const service = await newService()
    await holdRun(service)
    await Promise.all(Array.from({ length: 20 }, () => database.requestRunOf(service)))
    expect((await database.runsOf(service)).map((run) => run.state).sort()).toEqual(['running', 'waiting'])
    gate.open()
    expect(await settled(service)).toHaveLength(2)
    expect(await database.resultsOf(service)).toHaveLength(2)
  })

  test('shares one run with other queued requests', async () => {
    const service = await newService()
    await Promise.all(Array.from({ length: 50 }, () => database.requestRunOf(service)))
    const states = (await database.runsOf(service)).map((run) => run.state)
    expect(states.length).toBeLessThanOrEqual(2)
    gate.open()
    await settled(service)
    expect((await database.resultsOf(service)).length).toBe((await database.runsOf(service)).length)
  })

  test('runs during maintenance and after the service was switched off', async () => {
    const service = await newService({ serviceWindow: 'FREQ=DAILY/1440' })
    await holdRun(service)
    await database.requestRunOf(service)
    await database.db.update(services).set({ isActive: false }).where(eq(services.id, service.id))
    await database.db.delete(schedules).where(eq(schedules.serviceId, service.id))
    gate.open()
    await settled(service)
    expect(await database.resultsOf(service)).toHaveLength(2)
  })
})

describe('a run that is due while another is in flight', () => {
  test('is dropped with `skip`', async () => {
    const service = await newService({ queuePolicy: 'skip' })
    await holdRun(service)
    await database.makeDue(service)
    await scheduleMoved(service)
    gate.open()
    expect(await settled(service)).toHaveLength(1)
  })

  test('waits with `enqueue_once`, but only one', async () => {
    const service = await newService({ queuePolicy: 'enqueue_once' })
    await holdRun(service)
    for (let i = 0; i < 3; i++) {
      await database.makeDue(service)
      await scheduleMoved(service)
    }
    expect((await database.runsOf(service)).map((run) => [run.cause, run.state])).toEqual([
      ['request', 'running'],
      ['schedule', 'waiting'],
    ])
    gate.open()
    expect(await settled(service)).toHaveLength(2)
    expect(await database.resultsOf(service)).toHaveLength(2)
  })

  test('becomes a requested run when it waits and a request arrives', async () => {
    const service = await newService({ queuePolicy: 'enqueue_once' })
    await holdRun(service)
    await database.makeDue(service)
    await scheduleMoved(service)
    await database.requestRunOf(service)
    expect((await database.runsOf(service)).map((run) => run.cause)).toEqual(['request', 'request'])
    gate.open()
    expect(await settled(service)).toHaveLength(2)
  })

  test('is deleted when it waits and the service is switched off', async () => {
    const service = await newService({ queuePolicy: 'enqueue_once' })
    await holdRun(service)
    await database.makeDue(service)
    await scheduleMoved(service)
    await database.db.update(services).set({ isActive: false }).where(eq(services.id, service.id))
    gate.open()
    await until('the waiting run to go', async () => (await database.runsOf(service)).length === 1)
    await settled(service)
    expect(await database.resultsOf(service)).toHaveLength(1)
  })
})

describe('a queued run whose service is switched off', () => {
  /** Queues the run in the transaction that switches the service off, so that no worker sees one without the other. */
  async function queueAndSwitchOff(
    service: ProbedService,
    cause: 'schedule' | 'request',
    agent?: { id: string },
    createdAt = sql`now()`,
  ) {
    const [local] = await database.db.select().from(agents).where(eq(agents.slug, 'local'))
    const { id: agentId } = agent ?? local!
    await database.db.transaction(async (tx) => {
      await tx.insert(runs).values({
        id: uuidv7(),
        cause,
        agentId,
        organizationId: service.organizationId,
        serviceId: service.id,
        slot: new Date(),
        createdAt,
      })
      await tx.update(services).set({ isActive: false }).where(eq(services.id, service.id))
      await tx.delete(schedules).where(eq(schedules.serviceId, service.id))
    })
  }

  test('is deleted if it is scheduled', async () => {
    const service = await newService()
    const before = gate.arrived()
    await queueAndSwitchOff(service, 'schedule')
    await until('the run to go', async () => (await database.runsOf(service)).length === 0)
    expect(await database.resultsOf(service)).toEqual([])
    expect(gate.arrived()).toBe(before)
  })

  test('is deleted if it is scheduled and its agent is dead, not recorded as skipped', async () => {
    const service = await newService()
    const dead = await database.create.agent()
    await queueAndSwitchOff(service, 'schedule', dead, sql`now() - interval '10 minutes'`)
    await until('the run to go', async () => (await database.runsOf(service)).length === 0)
    expect(await database.resultsOf(service)).toEqual([])
  })

  test('is executed if it was requested', async () => {
    gate.open()
    const service = await newService()
    await queueAndSwitchOff(service, 'request')
    expect(await settled(service)).toMatchObject([{ cause: 'request', attempt: 1 }])
    expect(await database.resultsOf(service)).toMatchObject([{ status: 'success' }])
  })

  test('does not block a request that waits for it', async () => {
    gate.open()
    const service = await newService()
    await addWaitingRun(database.db, service, new Date())
    await queueAndSwitchOff(service, 'schedule')
    expect(await settled(service)).toMatchObject([{ cause: 'request' }])
    expect(await database.resultsOf(service)).toHaveLength(1)
  })
})

test('no scheduled run starts in an open maintenance window', async () => {
  gate.open()
  const [open, closed] = [
    await newService({ serviceWindow: 'FREQ=DAILY/1440' }),
    await newService({ serviceWindow: 'FREQ=YEARLY;DTSTART=20990101/60' }),
  ]
  const longAgo = new Date('2026-01-01T00:00:00Z')
  await database.db.update(schedules).set({ expectedFrom: longAgo })
  await database.makeDue(open, closed)
  const [quiet, run] = await Promise.all([scheduleMoved(open), scheduleMoved(closed)])
  await settled(closed)
  expect(await database.runsOf(open)).toEqual([])
  expect(await database.resultsOf(closed)).toHaveLength(1)
  // Without runs, the results of the window are not overdue.
  expect(quiet.expectedFrom > longAgo).toBe(true)
  expect(run.expectedFrom).toEqual(longAgo)
})

test('several missed slots are one run, and the schedule continues after now', async () => {
  gate.open()
  const service = await newService({ schedule: '* * * * *' })
  const missed = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 6 * HOUR_MS)
  await database.db
    .update(schedules)
    .set({ nextSlot: missed, nextRunAt: missed })
    .where(eq(schedules.serviceId, service.id))
  const { nextSlot } = await scheduleMoved(service)
  await settled(service)
  expect(nextSlot.getTime() - Date.now()).toBeLessThanOrEqual(60_000)
  const past = (await database.runsOf(service)).filter((run) => run.slot < new Date(Date.now() - HOUR_MS))
  expect(past.map((run) => run.slot)).toEqual([missed])
})

describe('without a live agent', () => {
  const deadAgent = async () => {
    const agent = await database.create.agent()
    const service = await newService()
    await database.db
      .insert(serviceAgents)
      .values({ organizationId: service.organizationId, serviceId: service.id, agentId: agent.id })
    return { agent, service }
  }

  test('a due run is recorded as skipped, and changes no other count', async () => {
    const { agent, service } = await deadAgent()
    await database.makeDue(service)
    await settled(service)
    expect(await database.resultsOf(service)).toMatchObject([
      { status: 'skipped', agentSlug: agent.slug, raw: null, steps: [], callCount: 0 },
    ])
    expect(await database.db.select().from(runHours).where(eq(runHours.serviceId, service.id))).toMatchObject([
      { runs: 0, skipped: 1, ms: null },
    ])
    expect(await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))).toMatchObject(
      [{ lastStatus: null, lastRunAt: null, lastConsecutive: 0, probesTotal: 0 }],
    )
  })

  test('a request waits for a live agent, and is recorded as skipped when none appears', async () => {
    const { service } = await deadAgent()
    await database.requestRunOf(service)
    expect(await database.runsOf(service)).toMatchObject([{ state: 'queued' }])
    await database.db
      .update(runs)
      .set({ createdAt: sql`now() - interval '10 minutes'` })
      .where(eq(runs.serviceId, service.id))
    await settled(service)
    expect(await database.resultsOf(service)).toMatchObject([{ status: 'skipped' }])
  })

  test('a requested run is moved to another eligible agent', async () => {
    gate.open()
    const { service } = await deadAgent()
    await database.requestRunOf(service)
    await database.db.delete(serviceAgents).where(eq(serviceAgents.serviceId, service.id))
    await database.db
      .update(runs)
      .set({ createdAt: sql`now() - interval '10 seconds'` })
      .where(eq(runs.serviceId, service.id))
    await settled(service)
    expect(await database.resultsOf(service)).toMatchObject([{ status: 'success', agentSlug: 'local' }])
  })
})

test('a service that is deleted during a run leaves no data', async () => {
  const service = await newService()
  await holdRun(service)
  await database.db.delete(services).where(eq(services.id, service.id))
  gate.open()
  const other = await newService()
  await database.requestRunOf(other)
  await settled(other)
  expect(await database.resultsOf(service)).toEqual([])
  expect(await database.db.$count(serviceStates, eq(serviceStates.serviceId, service.id))).toBe(0)
})
