import { createProbedService } from '#test/support/runs/probed.ts'
import type { HostileInput } from '../hostile-input.ts'
import type { Variation } from '../variation.ts'

// Rules that the library works on for seconds: each part multiplies what it looks at.

export const RECURRENCE_INPUTS: HostileInput[] = [
  {
    name: 'recurrence: a service window with day, week and position lists',
    process: 'web',
    async send({ api, serviceId }, vary) {
      await api('PATCH', `/services/${serviceId}`, { serviceWindow: `${costlyRule(vary)}/60/${costlyZone(vary)}` })
    },
  },
  {
    name: 'recurrence: quiet hours with day, week and position lists',
    process: 'web',
    async send({ api }, vary) {
      await api('POST', '/silences', {
        channel: 'quiet-hours',
        quietHours: `${costlyRule(vary)}/60/${costlyZone(vary)}`,
      })
    },
  },
  {
    name: 'recurrence: a window that was saved before there was a bound',
    process: 'worker',
    async send({ db, dispatch }, vary) {
      const serviceWindow = `${costlyRule(vary)}/60/${costlyZone(vary)}`
      await dispatch(await createProbedService(db, 'get("http://127.0.0.1:1/")', { serviceWindow }))
    },
  },
]

/** A rule within the length that a window may have. */
function costlyRule(vary: Variation): string {
  const parts = [
    `FREQ=${vary.pick(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'])}`,
    ...vary.some([
      `BYYEARDAY=${[1, 100, 200, vary.integer(366, 1, 366)]}`,
      `BYWEEKNO=${[1, 20, vary.integer(53, 21, 53)]}`,
      `BYSETPOS=${vary.pick(['366', '-1', '2'])}`,
    ]),
    ...vary.pick([
      [],
      [`BYHOUR=${numbers(0, 23)}`],
      [`BYHOUR=${numbers(0, 23)}`, `BYMINUTE=${[0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]}`],
      ['BYMONTH=2', 'BYMONTHDAY=30'],
      ['COUNT=1000'],
      ['BYDAY=53MO'],
    ] as [string[], ...string[][]]),
    `INTERVAL=${vary.pick([1, 7, 9_999])}`,
    // The evaluation begins there.
    `DTSTART=${vary.pick(['19700101', '00010101', '99990101'])}`,
  ]
  return parts.join(';')
}

function costlyZone(vary: Variation): string {
  return vary.pick(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'])
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
