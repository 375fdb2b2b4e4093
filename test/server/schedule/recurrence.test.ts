import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { isOpen, RecurrenceError, recurrenceProblem } from '#server/schedule/recurrence.ts'
import { type Rule, readRule } from '#server/schedule/recurrence-rule.ts'
import { occurrencesAround } from '#server/schedule/recurrence-times.ts'
import { isTimezone } from '#server/schedule/time-zones.ts'

describe('parsing', () => {
  test.each([
    'FREQ=DAILY;BYHOUR=3/60',
    'RRULE:FREQ=DAILY;BYHOUR=3/60',
    'freq=weekly;byday=su;byhour=2;byminute=30/90/Europe/Berlin',
    'FREQ=MONTHLY;BYDAY=1SU,-1SA;BYHOUR=2/120/America/New_York',
    'FREQ=MONTHLY;BYMONTHDAY=-1/1440/Etc/GMT+5',
    'FREQ=WEEKLY;INTERVAL=2;DTSTART=20270104T220000;UNTIL=20280101/30',
    'DTSTART=20270104T220000Z;FREQ=DAILY;COUNT=5/30/Asia/Tokyo',
  ])('%s is a maintenance window', (text) => expect(recurrenceProblem(text, 'serviceWindow')).toBeNull())

  test.each([
    ['', /must have minutes/],
    ['FREQ=DAILY', /must have minutes/],
    ['/60', /not a part/],
    ['daily/60', /not a part/],
    ['FREQ=DAILY/', /minutes: "" is not an integer/],
    ['FREQ=DAILY/0', /minutes: "0" is not an integer from 1 to 44640/],
    ['FREQ=DAILY/1.5', /"1.5"/],
    ['FREQ=DAILY/99999', /"99999"/],
    ['FREQ=DAILY/60/Mars/One', /"Mars\/One" is not a time zone/],
    ['FREQ=DAILY/60/+01:00', /not a time zone/],
    ['FREQ=DAILY/60/', /"" is not a time zone/],
    ['FREQ=FORTNIGHTLY/60', /FREQ must be one of/],
    ['FREQ=SECONDLY/60', /FREQ must not be SECONDLY/],
    ['BYHOUR=3/60', /must have a FREQ/],
    ['FREQ=DAILY;FREQ=DAILY/60', /given twice/],
    ['FREQ=DAILY;COLOUR=RED/60', /COLOUR is not a part/],
    ['FREQ=DAILY;RSCALE=CHINESE/60', /RSCALE is not a part/],
    ['FREQ=DAILY;BYHOUR=24/60', /BYHOUR: "24" is not an integer from 0 to 23/],
    ['FREQ=DAILY;BYHOUR=/60', /"BYHOUR=" is not a part/],
    ['FREQ=DAILY;BYHOUR=-1/60', /BYHOUR: "-1"/],
    ['FREQ=DAILY;INTERVAL=0/60', /INTERVAL: "0"/],
    ['FREQ=DAILY;COUNT=1001/60', /COUNT: "1001"/],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270101/60', /COUNT and UNTIL must not be used together/],
    ['FREQ=WEEKLY;BYDAY=XX/60', /BYDAY: "XX"/],
    ['FREQ=WEEKLY;BYMONTHDAY=3/60', /BYMONTHDAY must not be used with FREQ=WEEKLY/],
    ['FREQ=WEEKLY;WKST=8/60', /WKST/],
    ['FREQ=DAILY;DTSTART=tomorrow/60', /DTSTART: "TOMORROW"/],
    ['FREQ=DAILY;DTSTART=20260230/60', /DTSTART: "20260230" is not a valid date and time/],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30/60', /never occurs, or takes too long/],
    ['FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30/60', /never occurs, or takes too long/],
    [`FREQ=DAILY;BYHOUR=0,1,2,3,4,5;BYMINUTE=${Array.from({ length: 60 }, (_, i) => i)}/1`, /at most 288 times/],
  ])('%j is refused with its reason', (text, reason) => {
    expect(recurrenceProblem(text, 'serviceWindow')).toMatch(reason)
    expect(() => isOpen(text, 'serviceWindow', new Date(), 'UTC')).toThrow(RecurrenceError)
  })

  test('quiet hours last an hour by default', () => {
    expect(recurrenceProblem('FREQ=DAILY;BYHOUR=22', 'quietHours')).toBeNull()
    const open = (text: string) => isOpen('FREQ=DAILY;BYHOUR=22', 'quietHours', new Date(text), 'UTC')
    expect(['21:59:59.999', '22:00:00', '22:59:59.999', '23:00:00'].map((t) => open(`2026-11-21T${t}Z`))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('time zone names', () => {
    expect(['UTC', 'Europe/Berlin', 'Australia/Lord_Howe'].every(isTimezone)).toBe(true)
    expect(['', 'Europe', '+02:00', 'Europe/Nowhere', 'constructor'].some(isTimezone)).toBe(false)
  })
})

describe('isOpen', () => {
  const open = (text: string, at: string, zone = 'UTC') => isOpen(text, 'serviceWindow', new Date(at), zone)

  test("the window's own time zone takes precedence over the default", () => {
    expect(open('FREQ=DAILY;BYHOUR=3/60', '2026-11-21T03:30:00Z')).toBe(true)
    expect(open('FREQ=DAILY;BYHOUR=3/60', '2026-11-21T02:30:00Z', 'Europe/Berlin')).toBe(true)
    expect(open('FREQ=DAILY;BYHOUR=3/60/America/New_York', '2026-11-21T08:30:00Z', 'Europe/Berlin')).toBe(true)
    expect(open('FREQ=DAILY;BYHOUR=3/60/America/New_York', '2026-11-21T02:30:00Z', 'Europe/Berlin')).toBe(false)
  })

  test('without DTSTART a rule starts at 1970-01-01 00:00 local time', () => {
    expect(open('FREQ=DAILY/30', '2026-11-21T00:15:00Z')).toBe(true)
    // 1970-01-01 was a Thursday; every second Thursday from there.
    expect(open('FREQ=WEEKLY;INTERVAL=2/60', '1970-01-15T00:30:00Z')).toBe(true)
    expect(open('FREQ=WEEKLY;INTERVAL=2/60', '1970-01-08T00:30:00Z')).toBe(false)
  })

  test('DTSTART and UNTIL limit a rule', () => {
    const text = 'FREQ=DAILY;BYHOUR=3;DTSTART=20270104;UNTIL=20270106/60'
    const days = ['03', '04', '05', '06', '07'].map((day) => open(text, `2027-01-${day}T03:30:00Z`))
    expect(days).toEqual([false, true, true, true, false])
  })

  test('a window longer than its period is never closed', () => {
    for (let hour = 0; hour < 48; hour++) {
      expect(open('FREQ=HOURLY/90', new Date(Date.UTC(2026, 10, 21, hour, 59)).toISOString())).toBe(true)
    }
  })

  // The oracle uses no recurrence rules: it computes the opening time of each local day.
  test.each([
    ['Europe/Berlin', ['2026-03-29', '2026-10-25']],
    ['America/New_York', ['2026-03-08', '2026-11-01']],
    ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
  ])('keeps its local time across daylight saving in %s', (zone, switches) => {
    let checked = 0
    for (const [hour, minute, minutes] of [
      [0, 30, 45],
      [1, 15, 180],
      [2, 30, 60],
      [3, 0, 600],
      [22, 0, 420],
    ] as const) {
      const text = `FREQ=DAILY;BYHOUR=${hour};BYMINUTE=${minute}/${minutes}/${zone}`
      for (const day of switches) {
        const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '12:00' })
        for (let step = -65; step <= 65; step++) {
          const at = noon.add({ minutes: step * 34 })
          const expected = [-2, -1, 0].some((back) => {
            const local = at.toPlainDate().add({ days: back }).toPlainDateTime({ hour, minute })
            const opening = local.toZonedDateTime(zone)
            if (!opening.toPlainDateTime().equals(local)) return false
            const age = at.epochMilliseconds - opening.epochMilliseconds
            return age >= 0 && age < minutes * 60_000
          })
          expect([text, at.toString(), open(text, new Date(at.epochMilliseconds).toISOString())]).toEqual([
            text,
            at.toString(),
            expected,
          ])
          checked++
        }
      }
    }
    expect(checked).toBe(1_310)
  })
})

describe('the occurrences of a rule', () => {
  // Rules that the library evaluates correctly. With BYYEARDAY or BYWEEKNO it ignores some of the other parts.
  const RULES = [
    {
      frequency: 'MINUTELY',
      parts: ['BYDAY=MO,SA', 'BYHOUR=2,3,23', 'BYMINUTE=0,30'],
    },
    { frequency: 'HOURLY', parts: ['BYDAY=SU', 'BYHOUR=1,2,3', 'BYMINUTE=15,45', 'BYMONTHDAY=-1,1', 'BYYEARDAY=1,-1'] },
    { frequency: 'DAILY', parts: ['BYMONTH=3,10', 'BYMONTHDAY=-1,25,29', 'BYDAY=SU', 'BYHOUR=2', 'INTERVAL=3'] },
    { frequency: 'WEEKLY', parts: ['BYDAY=MO,SU', 'WKST=SU', 'INTERVAL=2', 'BYHOUR=2,14', 'BYSETPOS=-1', 'BYMONTH=3'] },
    {
      frequency: 'MONTHLY',
      parts: ['BYDAY=1SU,-1SU,MO', 'BYMONTHDAY=-7,1,2', 'BYSETPOS=2,-1', 'BYMONTH=2,3', 'COUNT=9'],
    },
    {
      frequency: 'YEARLY',
      parts: ['BYMONTH=2,3', 'BYMONTHDAY=29,-1', 'BYDAY=SU', 'BYSETPOS=1', 'INTERVAL=4', 'BYHOUR=2'],
    },
    { frequency: 'YEARLY', parts: ['BYDAY=20MO,-1SU', 'BYHOUR=2,3', 'BYMINUTE=30', 'INTERVAL=2', 'COUNT=30'] },
    { frequency: 'YEARLY', parts: ['BYYEARDAY=1,60,-1', 'BYHOUR=2', 'COUNT=30'] },
    {
      frequency: 'YEARLY',
      parts: ['BYWEEKNO=1,20,53,-1', 'BYHOUR=2', 'WKST=SU'],
      always: 'BYDAY=MO,SU',
    },
  ]
  const STARTS = ['1970-01-01T00:00', '2024-02-29T13:45', '2025-12-31T22:10']
  const INSTANTS = [
    '2025-01-01T12:00Z',
    '2025-03-30T01:30Z',
    '2026-11-01T09:30Z',
    '2028-02-29T23:59Z',
    '2029-12-31T00:00Z',
  ]

  test.each(RULES)('$frequency, $parts', ({ frequency, parts, always }) => {
    let compared = 0
    for (let chosen = 0; chosen < 1 << parts.length; chosen++) {
      const some = parts.filter((_, index) => chosen & (1 << index))
      const rule = [`FREQ=${frequency}`, ...(always ? [always] : []), ...some].join(';')
      const parsed = readRule(rule)
      if (typeof parsed === 'string') continue
      // BYSETPOS counts times that a clock change skips; the library does not count them.
      const zones = parsed.positions ? ['UTC'] : ['UTC', 'Europe/Berlin', 'America/New_York']
      const zone = zones[chosen % zones.length] as string
      const dtstart = Temporal.PlainDateTime.from(STARTS[chosen % STARTS.length] as string).toZonedDateTime(zone)
      const library = new RRuleTemporal({ rruleString: rule, dtstart, temporal: Temporal, strict: true })
      const time = Date.parse(INSTANTS[chosen % INSTANTS.length] as string)
      const expected = {
        previous: library.previous(new Date(time), true)?.epochMilliseconds ?? null,
        next: library.next(new Date(time), false)?.epochMilliseconds ?? null,
      }
      const bounds = { start: dtstart.epochMilliseconds, until: Number.POSITIVE_INFINITY, zone }
      expect([rule, occurrencesAround(parsed, bounds, time, Number.POSITIVE_INFINITY)]).toEqual([rule, expected])
      compared++
    }
    expect(compared).toBeGreaterThanOrEqual(4)
  })

  test('BYYEARDAY and BYWEEKNO combine with the other parts', () => {
    const next = (rule: string, from: string) => {
      const bounds = { start: Date.parse('2025-12-31T08:00Z'), until: Number.POSITIVE_INFINITY, zone: 'UTC' }
      const { next } = occurrencesAround(readRule(rule) as Rule, bounds, Date.parse(from), 0)
      return next && new Date(next).toISOString()
    }
    // Day 321 is a Tuesday in 2026 and a Wednesday in 2027.
    expect(next('FREQ=YEARLY;BYYEARDAY=321;BYDAY=MO,WE', '2026-01-01Z')).toBe('2027-11-17T08:00:00.000Z')
    // The weekday of the start, a Wednesday, in week 7.
    expect(next('FREQ=YEARLY;BYWEEKNO=7', '2028-01-01Z')).toBe('2028-02-16T08:00:00.000Z')
    expect(next('FREQ=YEARLY;BYMONTHDAY=19;BYWEEKNO=50;BYDAY=SU', '2027-01-01Z')).toBe('2027-12-19T08:00:00.000Z')
  })

  test('an evaluation stops at the step limit, and the refusal is cached', () => {
    const costly = 'FREQ=YEARLY;BYYEARDAY=1,100,200,366;BYWEEKNO=20;BYSETPOS=366;BYHOUR=0,1,2,3,4,5/60/Europe/Berlin'
    const cpu = process.threadCpuUsage()
    for (let round = 0; round < 500; round++)
      expect(recurrenceProblem(costly, 'serviceWindow')).toMatch(/takes too long/)
    const { user, system } = process.threadCpuUsage(cpu)
    // The first evaluation takes about ten milliseconds. Without the cache, all together took minutes.
    expect((user + system) / 1_000).toBeLessThan(1_000)
  })
})
