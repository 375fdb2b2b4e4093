import { expect, test } from 'vitest'
import { windowAfter } from '#server/schedule/maintenance/windows.ts'

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`)

test.each([
  ['10:30', 'FREQ=HOURLY;BYMINUTE=0/30', ['11:00', '11:30']],
  ['10:10', 'FREQ=HOURLY;BYMINUTE=0/30', ['11:00', '11:30']],
  ['10:10', 'FREQ=HOURLY;BYMINUTE=0/60', ['11:00', '12:00']],
  ['11:00', 'FREQ=HOURLY;BYMINUTE=0/60', ['12:00', '13:00']],
] as const)('after %s, the next time of %s is %j', async (time, rule, [opens, closes]) => {
  expect(await windowAfter(rule, 'UTC', at(time))).toEqual({ startsAt: at(opens), endsAt: at(closes) })
})

test('a rule without a further time has none', async () => {
  expect(await windowAfter('FREQ=DAILY;UNTIL=20201231/60', 'UTC', at('10:00'))).toBeNull()
})
