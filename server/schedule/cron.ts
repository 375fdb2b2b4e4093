import { DAY_MS, MINUTE_MS } from '../durations.ts'

// Cron expressions of five fields in UTC, as in crontab(5): lists, ranges, steps, names, 7 for Sunday, and a match on
// either day field when both are restricted. Our own parser, because the smallest gap needs the parsed value sets.

const DAY_MINUTES = DAY_MS / MINUTE_MS
/** The Gregorian calendar, weekdays included, repeats after 400 years. */
const CYCLE_YEARS = 400
const CYCLE_DAYS = 146_097

export const CRON_MAX_LENGTH = 16

export type Cron = {
  minutes: readonly number[]
  hours: readonly number[]
  /** Returns whether the expression matches a day; month from 1, weekday from 0 for Sunday. */
  hasDay: (month: number, day: number, weekday: number) => boolean
  hasMonth: (month: number) => boolean
}

/** The message says which field is wrong and why. */
export class CronError extends Error {
  override name = 'CronError'
}

type Field = { name: string; min: number; max: number; names?: readonly string[] }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 7, names: WEEKDAYS },
] as const satisfies readonly Field[]

// Few distinct expressions serve many services. The bound only limits how much hostile input can add to the cache.
const CACHE_MAX = 10_000
const parsed = new Map<string, Cron>()
const gaps = new Map<string, number>()

/**
 * Parses a cron expression.
 * @throws CronError that names the field and the problem
 */
export function parseCron(text: string): Cron {
  return remember(parsed, text, () => read(text))
}

/** Returns what is wrong with the expression, or null. */
export function cronProblem(text: string): string | null {
  try {
    parseCron(text)
    return null
  } catch (error) {
    if (error instanceof CronError) return error.message
    throw error
  }
}

/** Returns the first slot of the expression after `after`. */
export function nextSlot(text: string, after: Date): Date {
  const cron = parseCron(text)
  const start = new Date((Math.floor(after.getTime() / MINUTE_MS) + 1) * MINUTE_MS)
  const minuteOfDay = start.getUTCHours() * 60 + start.getUTCMinutes()
  const today = Math.floor(start.getTime() / DAY_MS)
  for (const day of daysFrom(cron, start)) {
    const time = timeFrom(cron, day === today ? minuteOfDay : 0)
    if (time !== null) return new Date(day * DAY_MS + time * MINUTE_MS)
  }
  throw new CronError('the expression matches no time')
}

/** Returns the next `count` slots of the expression after `after`. */
export function nextSlots(text: string, after: Date, count: number): Date[] {
  const slots: Date[] = []
  while (slots.length < count) slots.push(nextSlot(text, slots.at(-1) ?? after))
  return slots
}

/**
 * Returns the smallest number of minutes between two slots of the expression. A step of seven minutes has a smallest gap
 * of four, from 56 to 00.
 */
export function smallestGapMinutes(text: string): number {
  return remember(gaps, text, () => measureGap(parseCron(text)))
}

function read(text: string): Cron {
  if (text.length > CRON_MAX_LENGTH) throw new CronError(`must be at most ${CRON_MAX_LENGTH} characters long`)
  const parts = text.split(/[ \t]+/).filter(Boolean)
  if (parts.length !== FIELDS.length) {
    throw new CronError(
      `must have five fields (minute, hour, day of month, month, day of week), but has ${parts.length}`,
    )
  }
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, i) => readField(field, parts[i] as string)) as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ]
  const [dayMask, monthMask] = [maskOf(days), maskOf(months)]
  const weekdayMask = maskOf(weekdays.map((weekday) => weekday % 7))
  // crontab(5): a field is restricted if it does not start with *; if both are restricted, one match is enough.
  const either = !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*')
  const cron: Cron = {
    minutes,
    hours,
    hasMonth: (month) => (monthMask & (1 << month)) !== 0,
    hasDay: (month, day, weekday) => {
      if ((monthMask & (1 << month)) === 0) return false
      const isDay = (dayMask & (1 << day)) !== 0
      const isWeekday = (weekdayMask & (1 << weekday)) !== 0
      return either ? isDay || isWeekday : isDay && isWeekday
    },
  }
  if (daysFrom(cron, new Date(0)).next().done)
    throw new CronError('the day of month does not occur in the given months')
  return cron
}

/** Returns the values, each below 32, as bits: the smallest gap looks at the days of 400 years. */
function maskOf(values: readonly number[]): number {
  return values.reduce((mask, value) => mask | (1 << value), 0)
}

function readField(field: Field, text: string): number[] {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    for (const value of readPart(field, part)) values.add(value)
  }
  return [...values].sort((a, b) => a - b)
}

function readPart(field: Field, text: string): number[] {
  const [range = '', step, ...more] = text.split('/')
  const [from = '', to, ...rest] = range.split('-')
  if (more.length > 0 || rest.length > 0) throw new CronError(`${field.name}: "${text}" is neither a value nor a range`)
  const isStar = range === '*'
  if (step !== undefined && !isStar && to === undefined) {
    throw new CronError(`${field.name}: a step needs * or a range before it, as in */${step}`)
  }
  const first = isStar ? field.min : readValue(field, from)
  // 7 is another name for Sunday, so a star covers only 0 to 6.
  const last = isStar ? (field.max === 7 ? 6 : field.max) : to === undefined ? first : readEnd(field, to)
  if (last < first) throw new CronError(`${field.name}: the range ${range} ends before it begins`)
  const by = step === undefined ? 1 : readStep(field, step)
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, i) => first + i * by)
}

function readValue(field: Field, text: string): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.min
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= field.min && value <= field.max)) {
    throw new CronError(`${field.name}: "${text}" is not a value from ${field.min} to ${field.max}`)
  }
  return value
}

/** In a range such as sat-sun, Sunday is 7. */
function readEnd(field: Field, text: string): number {
  return field.max === 7 && text.toLowerCase() === 'sun' ? 7 : readValue(field, text)
}

function readStep(field: Field, text: string): number {
  const size = field.max === 7 ? 7 : field.max - field.min + 1
  const value = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > size) throw new CronError(`${field.name}: the step "${text}" is not from 1 to ${size}`)
  return value
}

/** Yields the matching days, counted from 1970-01-01, from `start` on for one cycle of the calendar. */
function* daysFrom(cron: Cron, start: Date): Generator<number> {
  let [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + 1]
  const first = Math.floor(start.getTime() / DAY_MS)
  let monthStart = first - start.getUTCDate() + 1
  for (let months = 0; months <= CYCLE_YEARS * 12; months++) {
    const days = daysIn(year, month)
    if (cron.hasMonth(month)) {
      for (let day = 1; day <= days; day++) {
        const number = monthStart + day - 1
        // 1970-01-01 was a Thursday.
        if (number >= first && cron.hasDay(month, day, (((number + 4) % 7) + 7) % 7)) yield number
      }
    }
    monthStart += days
    month = (month % 12) + 1
    if (month === 1) year++
  }
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Returns the first matching minute of the day at or after `from`, or null. */
function timeFrom(cron: Cron, from: number): number | null {
  const hour = Math.floor(from / 60)
  if (cron.hours.includes(hour)) {
    const minute = cron.minutes.find((value) => value >= from % 60)
    if (minute !== undefined) return hour * 60 + minute
  }
  const later = cron.hours.find((value) => value > hour)
  return later === undefined ? null : later * 60 + (cron.minutes[0] as number)
}

function measureGap(cron: Cron): number {
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute))
  const overnight = DAY_MINUTES - (times.at(-1) as number) + (times[0] as number)
  const days = smallestDayGap(cron)
  let smallest = (days - 1) * DAY_MINUTES + overnight
  for (let i = 1; i < times.length; i++) {
    smallest = Math.min(smallest, (times[i] as number) - (times[i - 1] as number))
  }
  return smallest
}

function smallestDayGap(cron: Cron): number {
  let [first, previous, smallest] = [Number.NaN, Number.NaN, CYCLE_DAYS]
  for (const day of daysFrom(cron, new Date(0))) {
    if (Number.isNaN(first)) first = day
    else smallest = Math.min(smallest, day - previous)
    if (smallest === 1) return 1
    previous = day
    if (day - first >= CYCLE_DAYS) break
  }
  return smallest
}

function remember<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  if (cache.size >= CACHE_MAX) cache.clear()
  cache.set(key, made)
  return made
}
