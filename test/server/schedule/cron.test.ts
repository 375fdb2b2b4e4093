import { Cron as Croner } from 'croner'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CronError, cronProblem, parseCron, smallestGapMinutes } from '#server/schedule/cron.ts'
import { nextSlot } from '#server/schedule/cron-slots.ts'
import { SEED } from '#test/support/seed.ts'

const at = (text: string) => new Date(text)

describe('parsing', () => {
  test.each([
    '* * * * *',
    '*/5 * * * *',
    '0 0 1 1 *',
    '0,59 * * * *',
    '1-5/2 * * * 1-5',
    '0 9 * * MON-FRI',
    '0 9 * JAN sun',
    '0 9 * * sat-sun',
    '0 0 29 2 *',
    '5  4\t* * *',
    '0 0 * * 7',
  ])('%s is accepted', (text) => {
    expect(cronProblem(text)).toBeNull()
  })

  test.each([
    ['', /^must have five fields \(minute, hour, day of month, month, day of week\), but has 0$/],
    ['* * * *', /but has 4/],
    ['* * * * * *', /but has 6/],
    ['@hourly', /but has 1/],
    ['60 * * * *', /minute: "60" is not a value from 0 to 59/],
    ['* 24 * * *', /hour: "24"/],
    ['* * 0 * *', /day of month: "0"/],
    ['* * * 13 *', /month: "13"/],
    ['* * * * 8', /day of week: "8"/],
    ['* * * FOO *', /month: "FOO"/],
    ['*/0 * * * *', /step "0" is not from 1 to 60/],
    ['*/61 * * * *', /step "61"/],
    ['5/15 * * * *', /a step needs/],
    ['9-5 * * * *', /ends before it begins/],
    ['1,,2 * * * *', /minute: ""/],
    ['1-2-3 * * * *', /neither a value nor a range/],
    ['*/5/5 * * * *', /neither a value nor a range/],
    ['-1 * * * *', /minute: ""/],
    ['1.5 * * * *', /minute: "1.5"/],
    ['0 0 31 2 *', /does not occur in the given months/],
    ['0 0 L * *', /day of month: "L"/],
    ['0,5,10,15,20 * * * *', /at most 16/],
    ['0\n0 * * *', /fields/],
  ])('%j is refused with its reason', (text, reason) => {
    expect(cronProblem(text)).toMatch(reason)
    expect(() => parseCron(text)).toThrow(CronError)
  })
})

describe('nextSlot', () => {
  test('is strictly later, to the minute, in UTC', () => {
    expect(nextSlot('*/5 * * * *', at('2026-11-21T10:00:00Z'), 'UTC')).toEqual(at('2026-11-21T10:05:00Z'))
    expect(nextSlot('*/5 * * * *', at('2026-11-21T10:04:59.999Z'), 'UTC')).toEqual(at('2026-11-21T10:05:00Z'))
    expect(nextSlot('0 0 1 1 *', at('2026-11-21T10:00:00Z'), 'UTC')).toEqual(at('2027-01-01T00:00:00Z'))
    expect(nextSlot('59 23 31 12 *', at('2026-12-31T23:59:00Z'), 'UTC')).toEqual(at('2027-12-31T23:59:00Z'))
  })

  test('two restricted day fields match either; with a leading star, both must match', () => {
    expect(nextSlot('0 0 13 * 5', at('2026-11-21T00:00:00Z'), 'UTC')).toEqual(at('2026-11-27T00:00:00Z'))
    expect(nextSlot('0 0 */13 * 5', at('2026-11-21T00:00:00Z'), 'UTC')).toEqual(at('2026-11-27T00:00:00Z'))
    expect(nextSlot('0 0 */5 * 1', at('2026-11-21T00:00:00Z'), 'UTC')).toEqual(at('2026-12-21T00:00:00Z'))
  })

  test('finds a leap day, and one that falls on a Sunday', () => {
    expect(nextSlot('0 0 29 2 *', at('2096-03-01T00:00:00Z'), 'UTC')).toEqual(at('2104-02-29T00:00:00Z'))
    expect(nextSlot('0 0 29 2 */7', at('2026-01-01T00:00:00Z'), 'UTC')).toEqual(at('2032-02-29T00:00:00Z'))
  })
})

const value = (min: number, max: number) => fc.integer({ min, max }).map(String)
const part = (min: number, max: number, stars: number) =>
  fc.oneof(
    { weight: stars, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: value(min, max) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: max - min + 1 }).map((step) => `*/${step}`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    },
  )
const field = (min: number, max: number, stars = 2) =>
  fc.oneof(
    { weight: 4, arbitrary: part(min, max, stars) },
    {
      weight: 1,
      arbitrary: fc.array(part(min, max, 0), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(',')),
    },
  )
const expressions = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31, 8), field(1, 12, 8), field(0, 6, 8))
  .map((fields) => fields.join(' '))
  .filter((text) => text.length <= 16)

// The calendar's whole cycle, computed without the code under test: each day as a code of its month, day and weekday, so
// that a search through all days takes a millisecond.
const CALENDAR = Uint16Array.from({ length: 146_097 }, (_, i) => {
  const date = new Date(Date.UTC(2000, 0, 1 + i))
  return dayCode(date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay())
})
const DAY_CODES = 12 * 31 * 7

function dayCode(month: number, day: number, weekday: number): number {
  return ((month - 1) * 31 + day - 1) * 7 + weekday
}

/** Returns for each code whether an expression matches such a day. */
function fittingDays(day: string, month: string, weekday: string): Uint8Array {
  const [days, months, weekdays] = [members(day, 1, 31), members(month, 1, 12), members(weekday, 0, 6)]
  const both = day.startsWith('*') || weekday.startsWith('*')
  const fits = new Uint8Array(DAY_CODES)
  for (let inMonth = 1; inMonth <= 12; inMonth++) {
    if (!months[inMonth]) continue
    for (let inDay = 1; inDay <= 31; inDay++) {
      for (let inWeek = 0; inWeek <= 6; inWeek++) {
        const isFit = both ? days[inDay] && weekdays[inWeek] : days[inDay] || weekdays[inWeek]
        if (isFit) fits[dayCode(inMonth, inDay, inWeek)] = 1
      }
    }
  }
  return fits
}

function members(text: string, min: number, max: number): boolean[] {
  return Array.from({ length: max + 1 }, (_, candidate) =>
    text.split(',').some((piece) => {
      const [range, step] = piece.split('/')
      const [low, high] = range === '*' ? [min, max] : range!.split('-').map(Number)
      const end = high ?? low!
      return candidate >= low! && candidate <= end && (candidate - low!) % Number(step ?? 1) === 0
    }),
  )
}

function bruteForceGap(text: string): number | null {
  const [minute, hour, day, month, weekday] = text.split(' ') as [string, string, string, string, string]
  const [minutes, hours] = [members(minute, 0, 59), members(hour, 0, 23)]
  const times: number[] = []
  for (let time = 0; time < 1_440; time++) if (hours[Math.floor(time / 60)] && minutes[time % 60]) times.push(time)
  const fits = fittingDays(day, month, weekday)
  let gap = Number.POSITIVE_INFINITY
  let [first, last] = [-1, -1]
  for (let i = 0; i < CALENDAR.length; i++) {
    if (fits[CALENDAR[i]!] === 0) continue
    if (last < 0) first = i
    else gap = Math.min(gap, (i - last) * 1_440 - times.at(-1)! + times[0]!)
    last = i
    if (gap === 1_440 - times.at(-1)! + times[0]!) break
  }
  if (last < 0) return null
  if (Number.isFinite(gap) === false || last >= CALENDAR.length - 400) {
    gap = Math.min(gap, (CALENDAR.length - last + first) * 1_440 - times.at(-1)! + times[0]!)
  }
  for (let i = 1; i < times.length; i++) gap = Math.min(gap, times[i]! - times[i - 1]!)
  return gap
}

describe('the smallest gap', () => {
  test.each([
    ['* * * * *', 1],
    ['*/5 * * * *', 5],
    ['*/7 * * * *', 4],
    ['0,59 * * * *', 1],
    ['0 * * * *', 60],
    ['0 */5 * * *', 240],
    ['0 0,23 * * *', 60],
    ['0 0 * * *', 1_440],
    ['0 0 1,31 * *', 1_440],
    ['0 0 1 * *', 28 * 1_440],
    ['0 0 * * 1', 7 * 1_440],
    ['0 0 1 1 *', 365 * 1_440],
    ['0 0 29 2 *', 1_461 * 1_440],
  ])('%s has %i minutes', (text, minutes) => expect(smallestGapMinutes(text)).toBe(minutes))

  test('agrees with brute force on 700 expressions', () => {
    fc.assert(
      fc.property(expressions, (text) => {
        const expected = bruteForceGap(text)
        if (expected === null) expect(cronProblem(text)).toMatch(/does not occur in the given months/)
        else expect([text, smallestGapMinutes(text)]).toEqual([text, expected])
      }),
      { numRuns: 700, seed: SEED },
    )
  })

  test('next slots agree with another implementation', () => {
    const instants = fc.date({ min: at('2024-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(expressions, instants, (text, after) => {
        if (cronProblem(text) !== null) return
        const [, , day, , weekday] = text.split(' ') as [string, string, string, string, string]
        const domAndDow = day.startsWith('*') || weekday.startsWith('*')
        const other = new Croner(text, { mode: '5-part', timezone: 'UTC', domAndDow }).nextRun(after)
        expect([text, nextSlot(text, after, 'UTC')]).toEqual([text, other])
      }),
      { numRuns: 700, seed: SEED },
    )
  })
})
