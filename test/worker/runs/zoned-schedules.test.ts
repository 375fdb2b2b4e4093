import { v7 as uuidv7 } from 'uuid'
import { afterEach, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import { controlledClock } from '#test/support/clock.ts'
import { createAgent } from '#test/support/factories.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'

const database = probedDatabase()
const clock = controlledClock(database, new Date('2027-03-26T12:00Z'))
afterEach(async () => {
  await database.db.delete(services)
})
const HALF_HOUR_MS = 30 * MINUTE_MS

test.each([
  [
    'clocks go forward',
    '2027-03-27T00:00Z',
    ['27T01:30', '28T01:00', '29T00:30'],
    ['27T08:00', '28T07:00', '29T07:00'],
  ],
  ['clocks go back', '2027-10-30T00:00Z', ['30T00:30', '31T00:30', '01T01:30'], ['30T07:00', '31T08:00', '01T08:00']],
])('services run at the local times of their zone when %s', async (_, from, atNight, inTheMorning) => {
  const start = Date.parse(from)
  await clock.set(new Date(start))
  const agent = await createAgent(database.db, {})
  await database.db.insert(workers).values({ id: uuidv7(), agentId: agent.id, poolId: uuidv7(), host: 'here', pid: 1 })
  const at = (schedule: string, timezone: string | null) =>
    database.createProbedService('', { schedule, timezone, queuePolicy: 'skip' })
  const [night, morning, utc] = [
    await at('30 2 * * *', 'Europe/Berlin'),
    await at('0 9 * * *', 'Europe/Berlin'),
    await at('0 9 * * *', null),
  ]
  // The first ten hours of three days, by half hours.
  for (let i = 0; i < 3 * 20; i++) {
    await clock.set(new Date(start + Math.floor(i / 20) * DAY_MS + (i % 20) * HALF_HOUR_MS))
    await database.db.update(workers).set({ heartbeatAt: sql`now()` })
    await dispatchDue(database.db, { variablesMax: 100 }, () => true)
    await database.db.update(runs).set({ state: 'done', finishedAt: sql`now()` })
  }
  const slotsOf = async (service: { id: string }) =>
    (await database.runsOf(service)).map(({ slot }) => slot.toISOString().slice(8, 16))
  expect(await slotsOf(night)).toEqual(atNight)
  expect(await slotsOf(morning)).toEqual(inTheMorning)
  expect((await slotsOf(utc)).map((slot) => slot.slice(2))).toEqual(['T09:00', 'T09:00', 'T09:00'])
})
