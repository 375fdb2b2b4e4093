import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { maintenances } from '#db/schema/maintenances.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { readMaintained } from '#server/schedule/maintenance/holding.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { moveMaintenances } from '#worker/tasks/move-maintenances.ts'

const database = probedDatabase()

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

/** Stores a maintenance with these times, runs the job, and returns what it became. */
async function moved(given: Partial<typeof maintenances.$inferInsert>) {
  const service = await database.createProbedService('get("http://a.example/")')
  const id = uuidv7()
  await database.db.insert(maintenances).values({
    ...{ id, organizationId: service.organizationId, serviceId: service.id, mode: 'mute', timezone: 'UTC' },
    ...{ startsAt: ago(62), endsAt: ago(2), createdBy: uuidv7(), createdName: 'Ada', ...given },
  })
  await moveMaintenances(database.db)
  const [row] = await database.db.select().from(maintenances).where(eq(maintenances.id, id))
  return row
}

describe('a maintenance with a rule', () => {
  test('moves to its next time once the present one is over', async () => {
    const startsAt = new Date(ago(62).setUTCSeconds(0, 0))
    const rule = `FREQ=DAILY;BYHOUR=${startsAt.getUTCHours()};BYMINUTE=${startsAt.getUTCMinutes()}/60`
    const endsAt = new Date(startsAt.getTime() + 60 * MINUTE_MS)
    const day = 1_440 * MINUTE_MS
    expect(await moved({ rule, startsAt, endsAt })).toMatchObject({
      startsAt: new Date(startsAt.getTime() + day),
      endsAt: new Date(endsAt.getTime() + day),
      endedAt: null,
    })
  })

  test('goes on without a gap where the next time begins as it ends', async () => {
    const startsAt = new Date(new Date().setUTCMinutes(0, 0, 0))
    const hour = 60 * MINUTE_MS
    const endsAt = new Date(Math.min(startsAt.getTime() + hour, Date.now() + MINUTE_MS))
    const row = await moved({ rule: 'FREQ=HOURLY;BYMINUTE=0/60', startsAt, endsAt })
    expect(row?.startsAt).toEqual(startsAt)
    expect(row?.endsAt.getTime()).toBeGreaterThanOrEqual(startsAt.getTime() + hour)
  })

  test('keeps the time before, for runs that are stored late', async () => {
    const [startsAt, endsAt] = [ago(62), ago(2)]
    const rule = 'FREQ=YEARLY;DTSTART=29990101T000000Z/60'
    const row = await moved({ rule, startsAt, endsAt })
    expect(row).toMatchObject({ previousStartsAt: startsAt, previousEndsAt: endsAt })
    const read = await database.db.transaction((tx) =>
      readMaintained(tx, [{ organizationId: row?.organizationId as string, id: row?.serviceId as string }], ago(3)),
    )
    expect([...read.values()]).toEqual([[expect.objectContaining({ startsAt, endsAt })]])
  })

  test('moves to the time that is on at once, however many it has missed', async () => {
    const before = Date.now()
    const rule = 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440'
    const row = await moved({ rule, startsAt: ago(50_000), endsAt: ago(49_000) })
    expect(Number(row?.endsAt)).toBeGreaterThan(before)
    expect(Number(row?.startsAt)).toBeLessThan(Date.now())
  })

  test('moves although another one fails', async () => {
    const [bad, good] = [uuidv7(), uuidv7()]
    const { organizationId, id: serviceId } = await database.createProbedService('get("http://a.example/")')
    const of = { organizationId, serviceId, mode: 'mute' as const, createdBy: uuidv7(), createdName: 'Ada' }
    const rule = 'FREQ=YEARLY;DTSTART=29990101T000000/60'
    await database.db.insert(maintenances).values([
      { ...of, id: bad, rule, timezone: 'Mars/Olympus', startsAt: ago(9), endsAt: ago(5) },
      { ...of, id: good, rule, timezone: 'UTC', startsAt: ago(9), endsAt: ago(4) },
    ])
    await moveMaintenances(database.db)
    const [row] = await database.db.select().from(maintenances).where(eq(maintenances.id, good))
    expect(row?.startsAt).toEqual(new Date('2999-01-01T00:00:00Z'))
  })

  test('is past when it has no further time', async () => {
    const endsAt = ago(2)
    expect(await moved({ rule: 'FREQ=DAILY;UNTIL=20200101T000000Z/60', endsAt })).toMatchObject({
      endsAt,
      endedAt: endsAt,
    })
  })
})

test('a maintenance of one time stays as it is', async () => {
  const endsAt = ago(2)
  expect(await moved({ rule: null, timezone: null, endsAt })).toMatchObject({ endsAt, endedAt: null })
})
