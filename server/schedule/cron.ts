import { DAY_MS, MINUTE_MS } from '../durations.ts'

// Cron expressions of five fields, as in crontab(5): lists, ranges, steps, names, 7 for Sunday, and a match on either day
// field when both are restricted. Our own parser, because the smallest gap needs the parsed value sets. Times are local.

const DAY_MINUTES = DAY_MS / MINUTE_MS
/** The Gregorian calendar, weekdays included, repeats after 400 years. */
const CYCLE_YEARS = 400
const CYCLE_DAYS = 146_097
const DAYS_OF_WEEK = 7

export const CRON_MAX_LENGTH = 16

export type Cron = {
  minutes: readonly number[]
  hours: readonly number[]
  /**
   * Returns the days of a month that the expression matches as bits, the lowest for the first day; month from 1. The
   * weekday of the first day counts from 0 for Sunday.
   */
  daysOf: (month: number, firstWeekday: number) => number
  isEveryHour: boolean
  /** The field of the minute is a star, or steps of it. */
  isEveryFewMinutes: boolean
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

/** Returns the first local time at or after `local` that the expression matches, as if it were UTC. */
export function nextMatch(cron: Cron, local: number): number {
  const start = new Date(Math.ceil(local / MINUTE_MS) * MINUTE_MS)
  const minuteOfDay = start.getUTCHours() * 60 + start.getUTCMinutes()
  const today = Math.floor(start.getTime() / DAY_MS)
  for (const day of daysFrom(cron, start)) {
    const time = timeFrom(cron, day === today ? minuteOfDay : 0)
    if (time !== null) return day * DAY_MS + time * MINUTE_MS
  }
  throw new CronError('the expression matches no time')
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
  const [dayBits, monthBits] = [bitsOf(days.map((day) => day - 1)), bitsOf(months)]
  const weekdayBits = Array.from({ length: DAYS_OF_WEEK }, (_, first) => daysOn(weekdays, first))
  // crontab(5): a field is restricted if it does not start with *; if both are restricted, one match is enough.
  const either = !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*')
  const cron: Cron = {
    minutes,
    hours,
    daysOf: (month, firstWeekday) => {
      if ((monthBits & (1 << month)) === 0) return 0
      const onWeekdays = weekdayBits[firstWeekday] as number
      return either ? dayBits | onWeekdays : dayBits & onWeekdays
    },
    isEveryHour: hours.length === 24,
    isEveryFewMinutes: parts[0]?.startsWith('*') ?? false,
  }
  if (daysFrom(cron, new Date(0)).next().done)
    throw new CronError('the day of month does not occur in the given months')
  return cron
}

/** Returns the values, each below 32, as bits: the smallest gap looks at the months of 400 years. */
function bitsOf(values: readonly number[]): number {
  return values.reduce((bits, value) => bits | (1 << value), 0)
}

/** Returns the days of a month that fall on one of these weekdays as bits, where 7 is Sunday too. */
function daysOn(weekdays: readonly number[], firstWeekday: number): number {
  const everyWeek = bitsOf([0, 7, 14, 21, 28])
  return weekdays.reduce((bits, weekday) => bits | (everyWeek << ((weekday - firstWeekday + 7) % DAYS_OF_WEEK)), 0)
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
  for (const { before, days } of monthsFrom(cron, start)) {
    for (let left = days; left !== 0; left &= left - 1) yield before + bitLength(left & -left)
  }
}

type MatchingMonth = {
  /** The day before the month's first. */
  before: number
  /** The matching days as bits. */
  days: number
}

/** Yields the months with matching days, without days before `start`. */
function* monthsFrom(cron: Cron, start: Date): Generator<MatchingMonth> {
  let [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + 1]
  const first = Math.floor(start.getTime() / DAY_MS)
  let before = first - start.getUTCDate()
  let weekday = (start.getUTCDay() + 5 * DAYS_OF_WEEK - start.getUTCDate() + 1) % DAYS_OF_WEEK
  for (let months = 0; months <= CYCLE_YEARS * 12; months++) {
    const length = daysIn(year, month)
    let days = cron.daysOf(month, weekday) & (2 ** length - 1)
    if (months === 0) days &= -1 << (first - before - 1)
    if (days !== 0) yield { before, days }
    before += length
    weekday = (weekday + length) % DAYS_OF_WEEK
    month = (month % 12) + 1
    if (month === 1) year++
  }
}

/** Returns the number of the highest bit that is set, from 1. */
function bitLength(bits: number): number {
  return 32 - Math.clz32(bits)
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
  let [previous, smallest] = [Number.NEGATIVE_INFINITY, CYCLE_DAYS]
  for (const { before, days } of monthsFrom(cron, new Date(0))) {
    smallest = Math.min(smallest, before + bitLength(days & -days) - previous)
    for (let gap = 1; gap < smallest && days >>> gap !== 0; gap++) {
      if ((days & (days >>> gap)) !== 0) smallest = gap
    }
    if (smallest === 1) return 1
    previous = before + bitLength(days)
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
