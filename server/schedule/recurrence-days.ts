import { DAY_MS } from '../durations.ts'
import type { Rule } from './recurrence-rule.ts'

// Selects the days of a rule. A day is the number of days since 1970-01-01; weekday 0 is Monday.

/** Counts the cost of an evaluation; one step is about one day. `spend` throws when the cost exceeds the limit. */
export type StepCounter = { spend: (steps: number) => void }

/** The cost of a month and of a year in addition to their days. */
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
 * Returns the periods of a rule that starts on day `start`. A period is a year, month or week, or a day for the higher
 * frequencies. The index of the first period is 0.
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

/** Parts that the rule lacks are taken from its start. */
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

  const matches = (number: number, year: number, month: number, day: number) => {
    if (months && !months.has(month)) return false
    if (known.year !== year) known = yearOf(year, rule.weekStart)
    const length = monthLength(year, month)
    if (monthDays && !monthDays.has(day) && !monthDays.has(day - length - 1)) return false
    const ofYear = number - known.first + 1
    if (yearDays && !yearDays.has(ofYear) && !yearDays.has(ofYear - known.length - 1)) return false
    if (rule.weeks && !isInWeeks(rule.weeks, number, known.weeks)) return false
    if (!rule.weekdays) return true
    const weekday = weekdayOf(number)
    const [ordinal, size] = nthOfYear ? [ofYear, known.length] : [day, length]
    const [nth, fromEnd] = [Math.ceil(ordinal / 7), -Math.ceil((size - ordinal + 1) / 7)]
    return rule.weekdays.some((one) => one.weekday === weekday && (!one.nth || one.nth === nth || one.nth === fromEnd))
  }
  const among = (offsets: readonly number[], first: number, steps: StepCounter) => {
    steps.spend(1 + offsets.length)
    const numbers = offsets.map((offset) => first + offset)
    return numbers.filter((number) => {
      const { year, month, day } = dateOf(number)
      return matches(number, year, month, day)
    })
  }
  const ofMonth = (year: number, month: number, steps: StepCounter) => {
    steps.spend(MONTH_STEPS)
    if (months && !months.has(month)) return []
    const indexes = zeroBasedIndexes(rule.monthDays, monthLength(year, month))
    steps.spend(indexes.length)
    const first = dayNumber(year, month, 1)
    return indexes.flatMap((index) => (matches(first + index, year, month, index + 1) ? [first + index] : []))
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

/** Converts numbers from 1, or from -1 for the last, to sorted indexes below `length`. Null means all indexes. */
export function zeroBasedIndexes(numbers: readonly number[] | null, length: number): number[] {
  if (!numbers) return ALL.slice(0, length)
  const indexes = numbers.map((number) => (number > 0 ? number - 1 : length + number))
  return [...new Set(indexes)].filter((index) => index >= 0 && index < length).sort((a, b) => a - b)
}

function monthLength(year: number, month: number): number {
  if (month === 2) return yearLength(year) - 337
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function yearLength(year: number): number {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365
}

/** Returns the first day of week 1, the first week with at least four days in the year. */
function firstWeek(year: number, weekStart: number): number {
  const first = dayNumber(year, 1, 1)
  const before = modulo(weekdayOf(first) - weekStart, 7)
  return first - before + (before > 3 ? 7 : 0)
}

/** A year, with the first days of week 1 of the previous year, of this year and of the next two. */
function yearOf(year: number, weekStart: number) {
  return {
    year,
    first: dayNumber(year, 1, 1),
    length: yearLength(year),
    weeks: [year - 1, year, year + 1, year + 2].map((each) => firstWeek(each, weekStart)),
  }
}

/** The last days of a year can be in week 1 of the next year, and its first days in the last week of the previous year. */
function isInWeeks(weeks: number[], day: number, starts: number[]): boolean {
  const index = starts.findLastIndex((start) => start <= day)
  const [from = 0, to = 0] = [starts[index], starts[index + 1]]
  const week = Math.floor((day - from) / 7) + 1
  return weeks.includes(week) || weeks.includes(week - (to - from) / 7 - 1)
}
