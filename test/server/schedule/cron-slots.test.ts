import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastSlot, nextSlot, nextSlots } from '#server/schedule/cron-slots.ts'
import { localMinutes, slotsOf, switchesOf } from '#test/support/oracles/schedule-oracle.ts'
import { SEED } from '#test/support/seed.ts'

const at = (text: string) => new Date(text)
const MINUTE_MS = 60_000

describe('in a time zone', () => {
  test.each([
    // Berlin goes from 2:00 to 3:00 on 2027-03-28 at 1:00 UTC, and from 3:00 to 2:00 on 2027-10-31 at 1:00 UTC.
    ['at the same local time in summer and in winter', '0 9 * * *', 'Europe/Berlin', '2027-03-26T23:00Z'],
    ['a skipped time runs when the clocks have moved', '30 2 * * *', 'Europe/Berlin', '2027-03-26T23:00Z'],
    ['several skipped times run once', '*/20 2 * * *', 'Europe/Berlin', '2027-03-28T00:00Z'],
    ['a time that comes twice runs the first time', '30 2 * * *', 'Europe/Berlin', '2027-10-29T22:00Z'],
    ['every hour, also in the hour that comes twice', '30 * * * *', 'Europe/Berlin', '2027-10-30T23:00Z'],
    ['every hour, and nothing for the hour that is skipped', '30 * * * *', 'Europe/Berlin', '2027-03-28T00:00Z'],
    ['every six hours at the local hours', '0 */6 * * *', 'Europe/Berlin', '2027-03-27T23:00Z'],
    ['every few minutes of an hour that comes twice', '*/30 2 * * *', 'Europe/Berlin', '2027-10-30T23:00Z'],
    ['at certain minutes of an hour that comes twice', '0,30 2 * * *', 'Europe/Berlin', '2027-10-30T23:00Z'],
    ['a change of half an hour', '15 2 * * *', 'Australia/Lord_Howe', '2027-10-02T00:00Z'],
    ['midnight that is skipped', '0 0 * * *', 'America/Santiago', '2027-09-04T00:00Z'],
    ['a zone with minutes', '0 * * * *', 'Asia/Kathmandu', '2027-03-28T00:00Z'],
  ])('%s', (name, cron, zone, after) => {
    const slots = nextSlots(cron, at(after), 4, zone).map((slot) => slot.toISOString().slice(5, 16))
    expect(slots).toEqual(EXPECTED[name])
  })
})

const EXPECTED: Record<string, string[]> = {
  'at the same local time in summer and in winter': ['03-27T08:00', '03-28T07:00', '03-29T07:00', '03-30T07:00'],
  'a skipped time runs when the clocks have moved': ['03-27T01:30', '03-28T01:00', '03-29T00:30', '03-30T00:30'],
  'several skipped times run once': ['03-28T01:00', '03-29T00:00', '03-29T00:20', '03-29T00:40'],
  'a time that comes twice runs the first time': ['10-30T00:30', '10-31T00:30', '11-01T01:30', '11-02T01:30'],
  'every hour, also in the hour that comes twice': ['10-30T23:30', '10-31T00:30', '10-31T01:30', '10-31T02:30'],
  'every hour, and nothing for the hour that is skipped': ['03-28T00:30', '03-28T01:30', '03-28T02:30', '03-28T03:30'],
  'every six hours at the local hours': ['03-28T04:00', '03-28T10:00', '03-28T16:00', '03-28T22:00'],
  'every few minutes of an hour that comes twice': ['10-31T00:00', '10-31T00:30', '10-31T01:00', '10-31T01:30'],
  'at certain minutes of an hour that comes twice': ['10-31T00:00', '10-31T00:30', '11-01T01:00', '11-01T01:30'],
  'a change of half an hour': ['10-02T15:30', '10-03T15:15', '10-04T15:15', '10-05T15:15'],
  'midnight that is skipped': ['09-04T04:00', '09-05T04:00', '09-06T03:00', '09-07T03:00'],
  'a zone with minutes': ['03-28T00:15', '03-28T01:15', '03-28T02:15', '03-28T03:15'],
}

/** Zones with a year and the changes of their clocks in it. Apia skipped 2011-12-30. */
const ZONES: [zone: string, year: number, changes: number][] = [
  ['Europe/Berlin', 2027, 2],
  ['America/New_York', 2027, 2],
  ['Australia/Lord_Howe', 2027, 2],
  ['America/Santiago', 2027, 2],
  ['Asia/Kathmandu', 2027, 0],
  ['Pacific/Apia', 2011, 3],
]

/** Values, ranges and steps, most of them of the hours in which clocks change. */
const minuteField = fc.oneof(
  fc.constantFrom('*', '*/2', '*/5', '*/7', '*/20', '*/30', '0', '59', '5-50/15', '0,30', '1,31'),
  fc.integer({ min: 0, max: 59 }).map(String),
)
const hourField = fc.oneof(
  fc.constantFrom('*', '*/2', '*/5', '*/6', '0-5', '1-3', '23', '0,2', '1-23/2', '0-23'),
  fc.integer({ min: 0, max: 4 }).map(String),
)
const dayFields = fc.constantFrom('* * *', '* * *', '* * *', '* * 0', '* * 1-5', '1-15 * *', '*/2 * *', '28-31 * 0')
const expressions = fc
  .tuple(minuteField, hourField, dayFields)
  .map((fields) => fields.join(' '))
  .filter((text) => text.length <= 16)

test.each(ZONES)('the slots in %s agree with a walk through every minute around clock changes', (zone, year, count) => {
  const changes = switchesOf(zone, year)
  expect(changes).toHaveLength(count)
  const walks = (count > 0 ? changes : [Date.UTC(year, 5, 1)]).map((change) =>
    localMinutes(zone, change - 36 * 60 * MINUTE_MS, 72 * 60),
  )
  const property = fc.property(expressions, fc.nat(70), (text, phase) => {
    // Compared as numbers: thousands of expectations would take most of the time.
    const wrong: unknown[] = []
    const compare = (from: number, found: Date, expected: number | undefined) => {
      if (expected !== undefined && found.getTime() !== expected)
        wrong.push([shown(from), shown(found), shown(expected)])
    }
    for (const walk of walks) {
      const expected = slotsOf(text, walk)
      for (const [index, slot] of [walk[0]!.at - 1, ...expected].entries()) {
        compare(slot, nextSlot(text, new Date(slot), zone), expected[index])
      }
      // From any instant, and back.
      for (let index = phase; index < walk.length; index += 71) {
        const instant = walk[index]!.at + 999
        const next = expected.findIndex((one) => one > instant)
        compare(instant, nextSlot(text, new Date(instant), zone), expected[next])
        compare(instant, lastSlot(text, new Date(instant), zone), expected[(next < 0 ? expected.length : next) - 1])
      }
    }
    expect([text, wrong]).toEqual([text, []])
  })
  fc.assert(property, { numRuns: 50, seed: SEED })
})

function shown(instant: Date | number): string {
  return new Date(instant).toISOString()
}
