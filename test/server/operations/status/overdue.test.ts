import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#server/durations.ts'
import { nextSlot } from '#server/schedule/cron-slots.ts'
import { overdueBefore, overdueSince } from '#server/status/overdue.ts'

const at = (text: string) => new Date(`${text}Z`)

describe('results are overdue', () => {
  test.each([
    ['* * * * *', '2026-11-20T12:00:30', '2026-11-20T12:01', '2026-11-20T12:04'],
    // A run that starts in a slot is the one of that slot.
    ['* * * * *', '2026-11-20T12:00:00', '2026-11-20T12:01', '2026-11-20T12:04'],
    ['*/5 * * * *', '2026-11-20T12:00:20', '2026-11-20T12:05', '2026-11-20T12:16'],
    ['0 * * * *', '2026-11-20T12:00:20', '2026-11-20T13:00', '2026-11-20T15:01'],
    // Office hours: the weekend has no slots.
    ['0 9-16 * * 1-5', '2026-11-20T16:00:10', '2026-11-23T09:00', '2026-11-23T11:01'],
    ['0 0 29 2 *', '2024-02-29T00:00:05', '2028-02-29T00:00', '2036-02-29T00:01'],
  ])('%s: expected from %s on, since %s, known at %s', (cron, expectedFrom, since, from) => {
    const [expected, start] = [at(expectedFrom), at(from)]
    expect(overdueSince({ schedule: cron, timezone: null }, expected, new Date(start.getTime() - 1))).toBeNull()
    expect(overdueSince({ schedule: cron, timezone: null }, expected, start)).toEqual(at(since))
  })

  test.each([null, 'Europe/Berlin', 'Australia/Lord_Howe'])(
    'in %s by the same rule for one service and many',
    (timezone) => {
      // Their days include changes of the clocks: the first ones at the end of March, the others in the months they take.
      const crons = [
        '* * * * *',
        '*/7 * * * *',
        '3,58 0,23 * * *',
        '30 2 * * *',
        '0 9 * * 1',
        '0 0 31 * *',
        '59 23 28-31 2 *',
      ]
      const slotAfter = (cron: string, after: Date) => nextSlot(cron, after, timezone ?? 'UTC')
      for (const [index, cron] of crons.entries()) {
        let expected = at(index < 2 ? '2027-03-28T00:43:11' : `2027-03-${10 + index}T07:13:11`)
        for (let step = 0; step < 40; step++) {
          const last = slotAfter(cron, slotAfter(cron, slotAfter(cron, expected)))
          for (const ms of [-MINUTE_MS, 0, MINUTE_MS - 1, MINUTE_MS, 5 * MINUTE_MS]) {
            const now = new Date(last.getTime() + ms)
            const isOverdue = ms >= MINUTE_MS
            const shown = `${cron} at ${now.toISOString()}`
            expect(overdueSince({ schedule: cron, timezone }, expected, now) !== null, shown).toBe(isOverdue)
            expect(expected < overdueBefore({ schedule: cron, timezone }, now), shown).toBe(isOverdue)
          }
          expected = slotAfter(cron, expected)
        }
      }
    },
  )
})
