import { hostname } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { databaseNow } from '#db/clock.ts'
import { eq } from '#db/drizzle.cjs'
import { systemWarnings } from '#db/schema/system.ts'
import { HOUR_MS } from '#server/durations.ts'
import { databaseTime, measureDatabaseClock } from '#server/observe/system/database-clock.ts'
import { testDatabase } from '#test/support/database.ts'
import { until } from '#test/support/runs/worker-processes.ts'

const database = testDatabase()
afterEach(() => void vi.useRealTimers())

const warningsOf = () => database.db.select().from(systemWarnings).where(eq(systemWarnings.code, 'process_clock'))

test('a clock that is right is no warning', async () => {
  await measureDatabaseClock(database.db)
  expect(await warningsOf()).toEqual([])
})

test.each([
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
])(
  "times follow the database's clock on a machine whose clock is an hour %s it, with a warning",
  async (side, offMs) => {
    await database.db.delete(systemWarnings)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs })
    const before = await databaseNow(database.db)
    await measureDatabaseClock(database.db)
    const time = databaseTime()
    const after = await databaseNow(database.db)
    // A measurement is as exact as half of its round trip.
    const slackMs = after.getTime() - before.getTime() + 1
    expect(time.getTime()).toBeGreaterThanOrEqual(before.getTime() - slackMs)
    expect(time.getTime()).toBeLessThanOrEqual(after.getTime() + slackMs)
    vi.useRealTimers()
    // The same warning is stored once a minute.
    if (side === 'behind') return
    const [warning] = await until('the warning', async () => {
      const rows = await warningsOf()
      return rows.length > 0 && rows
    })
    expect(warning).toMatchObject({ subject: hostname(), detail: `its clock is 3600 s ${side} the database's` })
  },
)
