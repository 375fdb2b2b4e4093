import { createProbedService } from '#test/support/runs/probed.ts'
import type { HostileInput } from '../hostile-input.ts'
import type { Variation } from '../variation.ts'

// Rules for which the library takes seconds: each part multiplies the number of candidates.

export const RECURRENCE_INPUTS: HostileInput[] = [
  {
    name: 'recurrence: a service window with day, week and position lists',
    process: 'web',
    async send({ api, serviceId }, variation) {
      await api('PATCH', `/services/${serviceId}`, {
        serviceWindow: `${costlyRule(variation)}/60/${costlyZone(variation)}`,
      })
    },
  },
  {
    name: 'recurrence: quiet hours with day, week and position lists',
    process: 'web',
    async send({ api }, variation) {
      await api('POST', '/silences', {
        channel: 'quiet-hours',
        quietHours: `${costlyRule(variation)}/60/${costlyZone(variation)}`,
      })
    },
  },
  {
    name: 'recurrence: a window that was saved before the limit existed',
    process: 'worker',
    async send({ db, dispatch }, variation) {
      const serviceWindow = `${costlyRule(variation)}/60/${costlyZone(variation)}`
      await dispatch(await createProbedService(db, 'get("http://127.0.0.1:1/")', { serviceWindow }))
    },
  },
]

/** Returns a rule within the length limit of a window. */
function costlyRule(variation: Variation): string {
  const parts = [
    `FREQ=${variation.pick(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'])}`,
    ...variation.some([
      `BYYEARDAY=${[1, 100, 200, variation.integer(366, 1, 366)]}`,
      `BYWEEKNO=${[1, 20, variation.integer(53, 21, 53)]}`,
      `BYSETPOS=${variation.pick(['366', '-1', '2'])}`,
    ]),
    ...variation.pick([
      [],
      [`BYHOUR=${numbers(0, 23)}`],
      [`BYHOUR=${numbers(0, 23)}`, `BYMINUTE=${[0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]}`],
      ['BYMONTH=2', 'BYMONTHDAY=30'],
      ['COUNT=1000'],
      ['BYDAY=53MO'],
    ] as [string[], ...string[][]]),
    `INTERVAL=${variation.pick([1, 7, 9_999])}`,
    // The evaluation starts at this date.
    `DTSTART=${variation.pick(['19700101', '00010101', '99990101'])}`,
  ]
  return parts.join(';')
}

function costlyZone(variation: Variation): string {
  return variation.pick(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'])
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
