import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { projects, serviceAgents, services } from '#db/schema/resources.ts'
import { runs, schedules, workers } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import { createAgent } from '#test/support/factories.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'

/** More than two transactions of a dispatcher. */
const MANY = 2_500

const database = probedDatabase()
const dispatch = (canTrustHeartbeats = () => true) =>
  dispatchDue(database.db, { variablesMax: 100 }, canTrustHeartbeats)

beforeEach(async () => {
  const agent = await createAgent(database.db, {})
  // Alive for as long as a test takes.
  const heartbeatAt = new Date(Date.now() + HOUR_MS)
  const process = { id: uuidv7(), agentId: agent.id, poolId: 'pool', host: 'here', pid: 1, heartbeatAt }
  await database.db.insert(workers).values(process)
})
afterEach(async () => {
  await database.db.delete(services)
  await database.db.delete(workers)
})

/** Creates many services of one project that are due. */
async function createManyDue(): Promise<void> {
  const { organizationId, projectId } = await database.createProbedService('', { schedule: '*/5 * * * *' })
  await database.db.execute(sql`
    insert into services (id, organization_id, project_id, name, script, is_active)
    select gen_random_uuid(), ${organizationId}, ${projectId}, 'Service ' || i, '', true
    from generate_series(2, ${MANY}::int) i`)
  await database.db.execute(sql`
    insert into schedules (service_id, organization_id, cron, next_slot, next_run_at)
    select id, organization_id, schedule, now(), now() from services
    on conflict (organization_id, service_id) do update set next_slot = now(), next_run_at = now()`)
  // As autovacuum does soon after.
  await database.db.execute(sql`analyze services, schedules`)
}

async function expectAllOnce(): Promise<void> {
  const [counted] = await database.db.execute(sql`
    select count(*)::int as runs, count(distinct r.service_id)::int as services,
      (select count(*) from schedules where next_run_at <= now())::int as due from runs r`)
  expect(counted).toEqual({ runs: MANY, services: MANY, due: 0 })
}

describe('due services', () => {
  test('of a time zone that is unknown here run in UTC, and stop no others', async () => {
    const [strange, other] = [await database.createProbedService(''), await database.createProbedService('')]
    const timezone = 'Mars/Olympus'
    await database.db.update(services).set({ timezone }).where(eq(services.id, strange.id))
    await database.db
      .update(schedules)
      .set({ cron: '0 0 1 1 *', cronTimezone: timezone })
      .where(eq(schedules.serviceId, strange.id))
    await database.makeDue(strange, other)
    expect(await dispatch()).toBe(2)
    expect(await database.db.$count(runs)).toBe(2)
    const [schedule] = await database.db.select().from(schedules).where(eq(schedules.serviceId, strange.id))
    expect(schedule).toMatchObject({
      nextSlot: new Date(Date.UTC(new Date().getUTCFullYear() + 1, 0, 1)),
      cronTimezone: timezone,
    })
  })

  test('that several dispatchers share are dispatched once', async () => {
    await createManyDue()
    const dispatched = await Promise.all(Array.from({ length: 4 }, () => dispatch()))
    expect(dispatched.reduce((sum, count) => sum + count)).toBe(MANY)
    // A dispatcher may have left what another one had locked.
    expect(await dispatch()).toBe(0)
    await expectAllOnce()
  })

  test('whose dispatcher ends in the middle are dispatched by the next one', async () => {
    await createManyDue()
    let batches = 0
    const end = () => {
      batches += 1
      if (batches === 2) throw new Error('killed')
      return true
    }
    await expect(dispatch(end)).rejects.toThrow('killed')
    const begun = await database.db.$count(runs)
    expect(begun).toBeGreaterThan(0)
    expect(begun).toBeLessThan(MANY)
    expect(await dispatch()).toBe(MANY - begun)
    await expectAllOnce()
  })

  test('stay due while another transaction holds their schedule', async () => {
    const [held, free] = [await database.createProbedService(''), await database.createProbedService('')]
    await database.makeDue(held, free)
    const released = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holding = database.db.transaction(async (tx) => {
      await tx.select().from(schedules).where(eq(schedules.serviceId, held.id)).for('update')
      isHeld.resolve()
      await released.promise
    })
    await isHeld.promise
    expect(await dispatch()).toBe(1)
    released.resolve()
    await holding
    expect(await dispatch()).toBe(1)
    expect(await database.runsOf(held)).toHaveLength(1)
    expect(await database.runsOf(free)).toHaveLength(1)
  })

  test('are found behind many that wait for agents after an outage', async () => {
    await createManyDue()
    const { db } = database
    const [live] = await db.select().from(workers)
    // All shared agents may run the others.
    await createAgent(db, {})
    const { id: serviceId, organizationId } = await database.createProbedService('')
    await db.insert(serviceAgents).values({ organizationId, serviceId, agentId: live!.agentId })
    await db.update(schedules).set({ nextRunAt: sql`now()` }).where(eq(schedules.serviceId, serviceId))
    expect(await dispatch(() => false)).toBe(1)
    expect(await database.runsOf({ id: serviceId })).toMatchObject([{ agentId: live!.agentId }])
    expect(await db.$count(runs)).toBe(1)
  })
})

test('a slot that has a run, because a clock went back, gets no second one', async () => {
  const [again, other] = [await database.createProbedService(''), await database.createProbedService('')]
  await database.makeDue(again)
  await dispatch()
  const [first] = await database.runsOf(again)
  await database.db.update(runs).set({ state: 'done', finishedAt: sql`now()` })
  await database.makeDue(again, other)
  await database.db.update(schedules).set({ nextSlot: first!.slot }).where(eq(schedules.serviceId, again.id))
  expect(await dispatch()).toBe(2)
  expect(await database.runsOf(again)).toMatchObject([{ id: first!.id, state: 'done' }])
  expect(await database.runsOf(other)).toMatchObject([{ state: 'queued' }])
})

test('what a service is set to counts from the next dispatch on', async () => {
  const service = await database.createProbedService('', { queuePolicy: 'skip' })
  const ofService = eq(services.id, service.id)
  const states = async () => (await database.runsOf(service)).map(({ state }) => state)
  const dispatchAgain = async () => {
    await database.makeDue(service)
    expect(await dispatch()).toBe(1)
  }
  await database.db.update(services).set({ serviceWindow: 'FREQ=DAILY/1440' }).where(ofService)
  await dispatchAgain()
  expect(await states()).toEqual([])
  await database.db.update(services).set({ serviceWindow: null }).where(ofService)
  await dispatchAgain()
  expect(await states()).toEqual(['queued'])
  await dispatchAgain()
  expect(await states()).toEqual(['queued'])
  await database.db.update(services).set({ queuePolicy: 'enqueue_once' }).where(ofService)
  await dispatchAgain()
  expect(await states()).toEqual(['queued', 'waiting'])
})

describe('the runs of a deleted service', () => {
  const dispatchOne = async (): Promise<ProbedService> => {
    const service = await database.createProbedService('')
    await database.makeDue(service)
    await dispatch()
    expect(await database.runsOf(service)).toHaveLength(1)
    return service
  }

  test('are deleted with it, alone or with its project', async () => {
    const [alone, within, other] = [await dispatchOne(), await dispatchOne(), await dispatchOne()]
    await database.db.delete(services).where(eq(services.id, alone.id))
    await database.db.delete(projects).where(eq(projects.id, within.projectId))
    expect(await database.runsOf(alone)).toEqual([])
    expect(await database.runsOf(within)).toEqual([])
    expect(await database.runsOf(other)).toHaveLength(1)
  })

  test('are deleted if a dispatcher added them while the deletion waited for it', async () => {
    const { db } = database
    const service = await database.createProbedService('')
    await database.makeDue(service)
    let deletion: Promise<unknown> = Promise.resolve()
    const isWaiting = () =>
      until('the deletion to wait', async () => {
        const [row] = await db.execute<{ count: number }>(sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from "services"%'`)
        return row?.count === 1
      })
    await db.transaction(async (tx) => {
      await tx.select().from(schedules).where(eq(schedules.serviceId, service.id)).for('update')
      deletion = db.delete(services).where(eq(services.id, service.id)).execute()
      await isWaiting()
      const { id: serviceId, organizationId } = service
      const run = { id: uuidv7(), organizationId, serviceId, agentId: uuidv7(), slot: new Date() }
      await tx.insert(runs).values({ ...run, cause: 'schedule' })
    })
    await deletion
    expect(await database.runsOf(service)).toEqual([])
  })
})
