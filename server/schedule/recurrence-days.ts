import { DAY_MS } from '../durations.ts'
import type { Rule } from './recurrence-rule.ts'

// Days as numbers since 1970-01-01, and which of them a rule names. Weekdays count from Monday, 0.

/** Counts what a question takes, where a step is about a day looked at, and throws when that is too much. */
export type StepCounter = { spend: (steps: number) => void }

/** Beside its days, a month and a year take some work of their own. */
const MONTH_STEPS = 4
const YEAR_STEPS = 20

export function dayNumber(year: number, month: number, day: number): number {
  const utc = new Date(0)
  return utc.setUTCFullYear(year, month - 1, day) / DAY_MS
}

export function dateOf(day: number): { year: number; month: number; day: number } {
  const utc = new Date(day * DAY_MS)
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, day: utc.getUTCDate() }
}

function weekdayOf(day: number): number {
  return modulo(day + 3, 7)
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

/**
 * Where the periods of a rule lie that starts on day `start`: a period is a year, a month or a week, and a day for the
 * frequencies beneath. Periods are counted from that of the start, 0.
 */
export function createPeriods(rule: Rule, start: number) {
  const { year, month } = dateOf(start)
  const filter = createFilter(withDefaults(rule, start))
  const { interval } = rule
  switch (rule.frequency) {
    case 'YEARLY':
      return {
        indexOf: (number: number) => Math.floor((dateOf(number).year - year) / interval),
        firstDay: (index: number) => dayNumber(year + index * interval, 1, 1),
        daysOf: (index: number, steps: StepCounter) => filter.ofYear(year + index * interval, steps),
      }
    case 'MONTHLY': {
      const monthAt = (index: number) => {
        const months = month - 1 + index * interval
        return { year: year + Math.floor(months / 12), month: modulo(months, 12) + 1 }
      }
      return {
        indexOf(number: number) {
          const date = dateOf(number)
          return Math.floor(((date.year - year) * 12 + date.month - month) / interval)
        },
        firstDay: (index: number) => dayNumber(monthAt(index).year, monthAt(index).month, 1),
        daysOf: (index: number, steps: StepCounter) => filter.ofMonth(monthAt(index).year, monthAt(index).month, steps),
      }
    }
    case 'WEEKLY':
      return spansOf(start - modulo(weekdayOf(start) - rule.weekStart, 7), 7 * interval, [0, 1, 2, 3, 4, 5, 6])
    case 'DAILY':
      return spansOf(start, interval, [0])
    default:
      return spansOf(start, 1, [0])
  }

  function spansOf(first: number, length: number, offsets: number[]) {
    return {
      indexOf: (number: number) => Math.floor((number - first) / length),
      firstDay: (index: number) => first + index * length,
      daysOf: (index: number, steps: StepCounter) => filter.among(offsets, first + index * length, steps),
    }
  }
}

/** What a rule does not say of its day is that of its start. */
function withDefaults(rule: Rule, start: number): Rule {
  const { month, day } = dateOf(start)
  if (rule.monthDays || rule.yearDays || rule.weekdays) return rule
  const weekdays = [{ weekday: weekdayOf(start), nth: 0 }]
  switch (rule.frequency) {
    case 'YEARLY':
      return rule.weeks ? { ...rule, weekdays } : { ...rule, months: rule.months ?? [month], monthDays: [day] }
    case 'MONTHLY':
      return { ...rule, monthDays: [day] }
    case 'WEEKLY':
      return { ...rule, weekdays }
    default:
      return rule
  }
}

function createFilter(rule: Rule) {
  const months = rule.months && new Set(rule.months)
  const monthDays = rule.monthDays && new Set(rule.monthDays)
  const yearDays = rule.yearDays && new Set(rule.yearDays)
  const nthOfYear = rule.frequency === 'YEARLY' && months === null
  let known = yearOf(1970, rule.weekStart)

  const isNamed = (number: number, year: number, month: number, day: number) => {
    if (months && !months.has(month)) return false
    if (known.year !== year) known = yearOf(year, rule.weekStart)
    const length = monthLength(year, month)
    if (monthDays && !monthDays.has(day) && !monthDays.has(day - length - 1)) return false
    const ofYear = number - known.first + 1
    if (yearDays && !yearDays.has(ofYear) && !yearDays.has(ofYear - known.length - 1)) return false
    if (rule.weeks && !isInWeeks(rule.weeks, number, known.weeks)) return false
    if (!rule.weekdays) return true
    const weekday = weekdayOf(number)
    const [place, size] = nthOfYear ? [ofYear, known.length] : [day, length]
    const [nth, fromEnd] = [Math.ceil(place / 7), -Math.ceil((size - place + 1) / 7)]
    return rule.weekdays.some((one) => one.weekday === weekday && (!one.nth || one.nth === nth || one.nth === fromEnd))
  }
  const among = (offsets: readonly number[], first: number, steps: StepCounter) => {
    steps.spend(1 + offsets.length)
    const numbers = offsets.map((offset) => first + offset)
    return numbers.filter((number) => {
      const { year, month, day } = dateOf(number)
      return isNamed(number, year, month, day)
    })
  }
  const ofMonth = (year: number, month: number, steps: StepCounter) => {
    steps.spend(MONTH_STEPS)
    if (months && !months.has(month)) return []
    const places = zeroBasedIndexes(rule.monthDays, monthLength(year, month))
    steps.spend(places.length)
    const first = dayNumber(year, month, 1)
    return places.flatMap((place) => (isNamed(first + place, year, month, place + 1) ? [first + place] : []))
  }
  return {
    among,
    ofMonth,
    ofYear(year: number, steps: StepCounter): number[] {
      steps.spend(YEAR_STEPS)
      if (yearDays) return among(zeroBasedIndexes(rule.yearDays, yearLength(year)), dayNumber(year, 1, 1), steps)
      return MONTHS.flatMap((month) => ofMonth(year, month, steps))
    },
  }
}

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const ALL = Array.from({ length: 366 }, (_, index) => index)

/** Places from 0 that numbers from 1, or from the end, name among `length`; all of them where none are given. */
export function zeroBasedIndexes(numbers: readonly number[] | null, length: number): number[] {
  if (!numbers) return ALL.slice(0, length)
  const places = numbers.map((number) => (number > 0 ? number - 1 : length + number))
  return [...new Set(places)].filter((place) => place >= 0 && place < length).sort((a, b) => a - b)
}

function monthLength(year: number, month: number): number {
  if (month === 2) return yearLength(year) - 337
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function yearLength(year: number): number {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365
}

/** The first day of week 1, which is the first with four days in its year or more. */
function firstWeek(year: number, weekStart: number): number {
  const first = dayNumber(year, 1, 1)
  const before = modulo(weekdayOf(first) - weekStart, 7)
  return first - before + (before > 3 ? 7 : 0)
}

/** A year, with the first days of week 1 of the year before, its own, and the two after. */
function yearOf(year: number, weekStart: number) {
  return {
    year,
    first: dayNumber(year, 1, 1),
    length: yearLength(year),
    weeks: [year - 1, year, year + 1, year + 2].map((each) => firstWeek(each, weekStart)),
  }
}

/** The last days of a year may lie in week 1 of the next, and its first days in the last week of the one before. */
function isInWeeks(weeks: number[], day: number, starts: number[]): boolean {
  const index = starts.findLastIndex((start) => start <= day)
  const [from = 0, to = 0] = [starts[index], starts[index + 1]]
  const week = Math.floor((day - from) / 7) + 1
  return weeks.includes(week) || weeks.includes(week - (to - from) / 7 - 1)
}
