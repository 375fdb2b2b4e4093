import { describe, expect, test } from 'vitest'
import {
  type FormRecurrence,
  readRecurrence,
  recurrenceOf,
  recurrenceText,
} from '#app/components/schedules/recurrence-choice.ts'
import { windowText } from '#app/components/schedules/recurrence-words.ts'
import {
  cronOf,
  readSchedule,
  type ScheduleChoice,
  scheduleText,
  timingText,
} from '#app/components/schedules/schedule-choice.ts'
import { newTimeFormat } from '#app/components/schedules/time-format.ts'
import { cronProblem, parseCron } from '#server/schedule/cron.ts'
import { nextSlots } from '#server/schedule/cron-slots.ts'
import { nextOpenings, recurrenceProblem } from '#server/schedule/recurrence.ts'

type FormSchedule = Exclude<ScheduleChoice, { repeat: 'custom' }>

/** A Sunday. */
const NOW = new Date('2026-11-22T12:00:00Z')

describe('a schedule', () => {
  test.each<[string, FormSchedule, string]>([
    ['* * * * *', { repeat: 'minutes', every: 1 }, 'Every minute'],
    ['*/5 * * * *', { repeat: 'minutes', every: 5 }, 'Every 5 minutes'],
    ['0 * * * *', { repeat: 'hours', every: 1, minute: 0 }, 'Every hour at minute 0'],
    ['15 */6 * * *', { repeat: 'hours', every: 6, minute: 15 }, 'Every 6 hours at minute 15'],
    ['0 6 * * *', { repeat: 'weekly', time: '06:00', weekdays: [0, 1, 2, 3, 4, 5, 6] }, 'Every day at 06:00'],
    ['5 22 * * 1-5', { repeat: 'weekly', time: '22:05', weekdays: [1, 2, 3, 4, 5] }, 'Monday to Friday at 22:05'],
    ['0 0 * * 0,6', { repeat: 'weekly', time: '00:00', weekdays: [0, 6] }, 'Saturday, Sunday at 00:00'],
    ['0 0 * * 5-7', { repeat: 'weekly', time: '00:00', weekdays: [0, 5, 6] }, 'Friday to Sunday at 00:00'],
    ['30 8 1 * *', { repeat: 'monthly', time: '08:30', day: 1 }, 'On day 1 of each month at 08:30'],
    ['30 8 31 * *', { repeat: 'monthly', time: '08:30', day: 31 }, 'On day 31 of each month that has it at 08:30'],
  ])('%s is a choice of the form, and back', (expression, choice, words) => {
    expect(readSchedule(expression)).toEqual(choice)
    expect(cronOf(choice)).toBe(expression)
    expect(scheduleText(expression)).toBe(words)
  })

  test.each<[string, FormSchedule]>([
    [' 0 06 * * 1-Fri', { repeat: 'weekly', time: '06:00', weekdays: [1, 2, 3, 4, 5] }],
    ['0 6 * * 7', { repeat: 'weekly', time: '06:00', weekdays: [0] }],
    ['0 6 * * sat-sun', { repeat: 'weekly', time: '06:00', weekdays: [0, 6] }],
  ])('%s is another spelling of a choice', (expression, choice) => {
    expect(readSchedule(expression)).toEqual(choice)
    expect(nextSlots(expression.trim(), NOW, 20, 'Europe/Berlin')).toEqual(
      nextSlots(cronOf(choice), NOW, 20, 'Europe/Berlin'),
    )
  })

  test.each([
    '*/7 * * * *',
    '*/5 8-17 * * *',
    '0,30 * * * *',
    '0 */5 * * *',
    '0 6 * 1 *',
    '0 6 1 * 1',
    '0 6 0 * *',
    '0 6 * * 1-5/2',
    '0 6 * * 5-1',
    '61 * * * *',
    '0 24 * * *',
    '* * * *',
    '* * * * * *',
    '',
  ])('%j is shown as an expression', (expression) => {
    expect(readSchedule(expression)).toEqual({ repeat: 'custom' })
    expect(scheduleText(expression)).toBeNull()
  })

  test.each([
    ['0 9 * * *', 'Europe/Berlin', 'Every day at 09:00 Europe/Berlin'],
    ['0 9 * * 1-5', null, 'Monday to Friday at 09:00 UTC'],
    ['15 */6 * * *', 'Asia/Kathmandu', 'Every 6 hours at minute 15 Asia/Kathmandu'],
    ['0 9 1 1 *', 'Europe/Berlin', '0 9 1 1 * Europe/Berlin'],
    // The same in every zone.
    ['*/5 * * * *', 'Europe/Berlin', 'Every 5 minutes'],
  ])('%s in %s reads %s', (schedule, timezone, words) => {
    expect(timingText({ schedule, timezone })).toBe(words)
  })

  test('every selection of weekdays takes place on these days, or is refused because the expression is too long', () => {
    let valid = 0
    for (let set = 1; set < 128; set++) {
      const weekdays = [0, 1, 2, 3, 4, 5, 6].filter((day) => set & (1 << day))
      const choice = { repeat: 'weekly' as const, time: '22:30', weekdays }
      const expression = cronOf(choice)
      expect(readSchedule(expression)).toEqual(choice)
      if (cronProblem(expression)) {
        expect(expression.length).toBeGreaterThan(16)
        continue
      }
      valid++
      // Of a month that begins on a Sunday.
      const days = parseCron(expression).daysOf(1, 0)
      expect([0, 1, 2, 3, 4, 5, 6].filter((day) => days & (1 << day))).toEqual(weekdays)
    }
    expect(valid).toBe(99)
  })
})

const NIGHT = { from: '22:00', to: '07:00', timezone: null }

describe('a window', () => {
  test.each<[string, FormRecurrence, string]>([
    [
      'FREQ=DAILY;BYHOUR=22;BYMINUTE=0/540',
      { repeat: 'weekly', weekdays: [0, 1, 2, 3, 4, 5, 6], ...NIGHT },
      'Every day from 22:00 to 07:00',
    ],
    [
      'FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=22;BYMINUTE=0/540',
      { repeat: 'weekly', weekdays: [0, 6], ...NIGHT },
      'Saturday, Sunday from 22:00 to 07:00',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=0;BYMINUTE=5/1440/America/New_York',
      { repeat: 'monthly', day: 31, from: '00:05', to: '00:05', timezone: 'America/New_York' },
      'On day 31 of each month that has it from 00:05 to 00:05 (America/New_York)',
    ],
    [
      'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=2;BYMINUTE=0/90/UTC',
      { repeat: 'monthly-weekday', nth: -1, weekday: 5, from: '02:00', to: '03:30', timezone: 'UTC' },
      'On the last Friday of each month from 02:00 to 03:30 (UTC)',
    ],
    [
      'DTSTART=20270131T220000;FREQ=DAILY;COUNT=1/540',
      { repeat: 'once', date: '2027-01-31', ...NIGHT },
      'On 2027-01-31 from 22:00 to 07:00',
    ],
  ])('%s is a choice of the form, and back', (text, choice, words) => {
    expect(readRecurrence(text)).toEqual(choice)
    expect(recurrenceOf(choice)).toBe(text)
    expect(recurrenceText(text)).toBe(words)
    expect(recurrenceProblem(text, 'serviceWindow')).toBeNull()
  })

  test.each([
    'rrule:freq=daily;byhour=22',
    'FREQ=DAILY;BYDAY=MO,TU;BYHOUR=3/60',
    'FREQ=DAILY/60',
    'BYHOUR=1;FREQ=MONTHLY;BYDAY=+2WE/60',
  ])('%s opens when the choice of the form opens', async (text) => {
    const choice = readRecurrence(text)
    if (choice.repeat === 'none' || choice.repeat === 'custom') throw new Error(`${text} is no choice`)
    const open = (given: string) => nextOpenings(given, 'quietHours', NOW, 'Europe/Berlin', 10)
    expect(await open(text)).toEqual(await open(recurrenceOf(choice)))
  })

  test.each([
    'FREQ=DAILY;INTERVAL=2;BYHOUR=3/60',
    'FREQ=DAILY;BYHOUR=3,4/60',
    'FREQ=DAILY;BYHOUR=24/60',
    'FREQ=DAILY;BYHOUR=3/1441',
    'FREQ=DAILY;BYHOUR=3/0',
    'FREQ=WEEKLY;BYHOUR=3/60',
    'FREQ=WEEKLY;BYDAY=XX;BYHOUR=3/60',
    'FREQ=MONTHLY;BYDAY=5MO;BYHOUR=3/60',
    'FREQ=MONTHLY;BYDAY=1MO,2MO;BYHOUR=3/60',
    'FREQ=MONTHLY;BYMONTHDAY=0/60',
    'FREQ=DAILY;COUNT=1;DTSTART=20270131T220000Z/60',
    'FREQ=DAILY;COUNT=1;DTSTART=20270131T250000/60',
    'FREQ=DAILY;COUNT=2;DTSTART=20270131T220000/60',
    'FREQ=DAILY;FREQ=DAILY/60',
    'FREQ=HOURLY/5',
    'daily/60',
  ])('%s is shown as a rule', (text) => {
    expect(readRecurrence(text)).toEqual({ repeat: 'custom' })
    expect(recurrenceText(text)).toBeNull()
  })

  test('an empty text is no window', () => expect(readRecurrence('')).toEqual({ repeat: 'none' }))
})

test('times are in the given zone: today by the clock, other days with the date, windows with their end', () => {
  const text = newTimeFormat('Europe/Berlin', NOW.getTime())
  expect(text({ at: '2026-11-22T21:45:00.000Z', until: null })).toBe('22:45')
  expect(text({ at: '2026-11-22T23:00:00.000Z', until: null })).toBe('Mon 23 Nov, 00:00')
  expect(text({ at: '2026-11-22T21:00:00.000Z', until: '2026-11-23T06:00:00.000Z' })).toBe('22:00 to Mon 23 Nov, 07:00')
  expect(text({ at: '2026-11-23T21:00:00.000Z', until: '2026-11-23T22:00:00.000Z' })).toBe('Mon 23 Nov, 22:00 to 23:00')
})

test.each([
  ['FREQ=DAILY;BYHOUR=22;BYMINUTE=0/540', null, 'Every day from 22:00 to 07:00'],
  ['FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60', 'Europe/Berlin', 'Sunday from 03:00 to 04:00 (Europe/Berlin)'],
  ['FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60/UTC', 'Europe/Berlin', 'Sunday from 03:00 to 04:00 (UTC)'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;BYHOUR=3,15;BYMINUTE=30/90',
    'UTC',
    'Every 2 weeks on Saturday, Sunday at 03:30, 15:30, for 90 minutes (UTC)',
  ],
  ['FREQ=HOURLY;BYMINUTE=5/120', 'UTC', 'Every hour at minute 5, for 2 hours (UTC)'],
  [
    'FREQ=MONTHLY;BYDAY=-1FR;BYMONTH=3,12;BYHOUR=1;BYMINUTE=0/1500',
    null,
    'Every month on the last Friday in March, December at 01:00, for 25 hours',
  ],
  [
    'DTSTART=29990101T010000;FREQ=DAILY;COUNT=3/60',
    'UTC',
    'Every day at 01:00 from 2999-01-01 3 times, for 1 hour (UTC)',
  ],
  ['FREQ=DAILY;BYSETPOS=1/1', 'UTC', 'By a rule of its own, for 1 minute (UTC)'],
])('the window %s is in words', (rule, timezone, words) => {
  expect(windowText(rule, timezone)).toBe(words)
})
