// Cron expressions as choices of a form, and back. The times are in the time zone of the expression.

export type ScheduleChoice =
  | { repeat: 'minutes'; every: number }
  | { repeat: 'hours'; every: number; minute: number }
  | { repeat: 'weekly'; time: string; weekdays: number[] }
  | { repeat: 'monthly'; time: string; day: number }
  | { repeat: 'custom' }

/** The steps that divide an hour and a day, so that every gap is the same. */
export const MINUTE_STEPS = [1, 2, 3, 5, 10, 15, 20, 30]
export const HOUR_STEPS = [1, 2, 3, 4, 6, 8, 12]

export const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
/** By number: 0 is Sunday. */
/** By number: 0 is Sunday. */
export const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const SHORT_NAMES = WEEKDAY_NAMES.map((name) => name.slice(0, 3).toLowerCase())

/** Returns the choice of an expression, or `custom` if the form cannot show it. */
export function readSchedule(expression: string): ScheduleChoice {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = expression.trim().split(/[ \t]+/)
  const custom = { repeat: 'custom' } as const
  if (more.length > 0 || month !== '*') return custom
  const minuteStep = stepOf(minute, MINUTE_STEPS)
  const isEveryDay = day === '*' && weekday === '*'
  if (minuteStep !== null) return hour === '*' && isEveryDay ? { repeat: 'minutes', every: minuteStep } : custom
  const atMinute = numberOf(minute, 59)
  if (atMinute === null) return custom
  const hourStep = stepOf(hour, HOUR_STEPS)
  if (hourStep !== null) return isEveryDay ? { repeat: 'hours', every: hourStep, minute: atMinute } : custom
  const atHour = numberOf(hour, 23)
  if (atHour === null) return custom
  const time = `${twoDigits(atHour)}:${twoDigits(atMinute)}`
  const onDay = numberOf(day, 31)
  if (onDay) return weekday === '*' ? { repeat: 'monthly', time, day: onDay } : custom
  const weekdays = weekday === '*' ? EVERY_DAY : readWeekdays(weekday)
  return day === '*' && weekdays ? { repeat: 'weekly', time, weekdays } : custom
}

/** Returns the expression of a choice of the form. */
export function cronOf(choice: Exclude<ScheduleChoice, { repeat: 'custom' }>): string {
  if (choice.repeat === 'minutes') return `${stepText(choice.every)} * * * *`
  if (choice.repeat === 'hours') return `${choice.minute} ${stepText(choice.every)} * * *`
  const [hour, minute] = choice.time.split(':').map(Number)
  if (choice.repeat === 'monthly') return `${minute} ${hour} ${choice.day} * *`
  return `${minute} ${hour} * * ${weekdaysText(choice.weekdays)}`
}

/** Returns a schedule with its time zone, such as `Every day at 09:00 Europe/Berlin`; one without words as it is written. */
export function timingText({ schedule, timezone }: { schedule: string; timezone: string | null }): string {
  const words = scheduleText(schedule) ?? schedule
  return readSchedule(schedule).repeat === 'minutes' ? words : `${words} ${timezone ?? 'UTC'}`
}

/** Returns the schedule in words, such as `Every 5 minutes`, without its time zone; null if it has no short words. */
export function scheduleText(expression: string): string | null {
  const choice = readSchedule(expression)
  switch (choice.repeat) {
    case 'minutes':
      return choice.every === 1 ? 'Every minute' : `Every ${choice.every} minutes`
    case 'hours':
      return `${choice.every === 1 ? 'Every hour' : `Every ${choice.every} hours`} at minute ${choice.minute}`
    case 'weekly':
      return `${daysText(choice.weekdays)} at ${choice.time}`
    case 'monthly':
      return `On day ${choice.day} of ${choice.day > 28 ? 'each month that has it' : 'each month'} at ${choice.time}`
    default:
      return null
  }
}

/** Returns weekdays in words: `Every day`, `Monday to Friday` or their names. 0 is Sunday. */
export function daysText(weekdays: number[]): string {
  if (weekdays.length === 7) return 'Every day'
  const days = mondayFirst(weekdays)
  const isRange = days.length > 2 && days.every((day, index) => day === (days[0] as number) + index)
  const name = (day: number) => WEEKDAY_NAMES[day % 7] as string
  if (isRange) return `${name(days[0] as number)} to ${name(days.at(-1) as number)}`
  return days.map(name).join(', ')
}

function stepOf(text: string, steps: number[]): number | null {
  if (text === '*') return 1
  const step = /^\*\/(\d{1,2})$/.exec(text)?.[1]
  return step !== undefined && steps.includes(Number(step)) ? Number(step) : null
}

function stepText(every: number): string {
  return every === 1 ? '*' : `*/${every}`
}

function numberOf(text: string, max: number): number | null {
  return /^\d{1,2}$/.test(text) && Number(text) <= max ? Number(text) : null
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function readWeekdays(text: string): number[] | null {
  const days = new Set<number>()
  for (const part of text.toLowerCase().split(',')) {
    const [from = Number.NaN, to = from, ...more] = part.split('-').map(weekdayOf)
    if (Number.isNaN(from + to) || more.length > 0) return null
    // As the end of a range, Sunday comes after Saturday.
    const last = to === 0 && from > 0 ? 7 : to
    if (last < from) return null
    for (let day = from; day <= last; day++) days.add(day % 7)
  }
  return [...days].sort()
}

function weekdayOf(text: string): number {
  return /^[0-7]$/.test(text) ? Number(text) : SHORT_NAMES.includes(text) ? SHORT_NAMES.indexOf(text) : Number.NaN
}

/** Returns the field of weekdays as short as it can be, because an expression has at most 16 characters. */
function weekdaysText(weekdays: number[]): string {
  if (weekdays.length === 7) return '*'
  const [sundayFirst, sundayLast] = [rangesText(weekdays.toSorted()), rangesText(mondayFirst(weekdays))]
  return sundayLast.length < sundayFirst.length ? sundayLast : sundayFirst
}

function rangesText(days: number[]): string {
  const ranges: number[][] = []
  for (const day of days) {
    const range = ranges.at(-1)
    if (range?.at(-1) === day - 1) range.push(day)
    else ranges.push([day])
  }
  return ranges.map((range) => (range.length > 2 ? `${range[0]}-${range.at(-1)}` : range.join())).join()
}

/** Returns the days in the order of the week, with 7 for Sunday. */
function mondayFirst(weekdays: number[]): number[] {
  return weekdays.map((day) => day || 7).sort()
}
