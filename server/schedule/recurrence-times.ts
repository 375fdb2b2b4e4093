import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { createPeriods, type StepCounter, zeroBasedIndexes } from './recurrence-days.ts'
import type { Rule } from './recurrence-rule.ts'
import { localToInstant, offsetAt, spanNumber } from './zone-offsets.ts'

// Finds the occurrences of a rule. The search starts at the given instant, goes in both directions and counts its steps.

/** The evaluation of a rule exceeds the step limit. */
export class StepLimitError extends Error {
  override name = 'StepLimitError'
}

/** The limit of one evaluation: about the days of fifteen years, which take a few milliseconds. */
const STEPS_MAX = 12_000
const SPAN_STEPS = 10

/** The start and the end of a rule in milliseconds; `until` is infinite when it has no end. */
export type Bounds = { start: number; until: number; zone: string }

/**
 * Returns the last occurrence at or before `time`, within `backMs`, and the first one after it; null when there is none.
 * @throws StepLimitError when the evaluation exceeds the step limit
 */
export function occurrencesAround(rule: Rule, bounds: Bounds, time: number, backMs: number) {
  let left = STEPS_MAX
  const occurrences = createOccurrences(rule, bounds, {
    spend(steps) {
      left -= steps
      if (left < 0) throw new StepLimitError()
    },
  })
  if (rule.count !== null) return countedOccurrencesAround(occurrences.from(bounds.start), rule.count, time)
  return {
    previous: first(occurrences.upTo(time, time - backMs), (occurrence) => occurrence <= time),
    next: first(occurrences.from(Math.max(time, bounds.start)), (occurrence) => occurrence > time),
  }
}

function countedOccurrencesAround(occurrences: Iterable<number>, count: number, time: number) {
  let counted = 0
  let previous: number | null = null
  for (const occurrence of occurrences) {
    if (++counted > count) break
    if (occurrence > time) return { previous, next: occurrence }
    previous = occurrence
  }
  return { previous, next: null }
}

function first(occurrences: Iterable<number>, matches: (occurrence: number) => boolean): number | null {
  for (const occurrence of occurrences) if (matches(occurrence)) return occurrence
  return null
}

function createOccurrences(rule: Rule, bounds: Bounds, steps: StepCounter) {
  const { start, until, zone } = bounds
  const localDay = (instant: number) => Math.floor((instant + offsetAt(instant, zone)) / DAY_MS)
  const periods = createPeriods(rule, localDay(start))
  const isByClock = rule.frequency === 'HOURLY' || rule.frequency === 'MINUTELY'
  const times = isByClock ? elapsedTimes(rule, bounds, steps) : localTimes(rule, bounds, steps)
  // One extra day: when clocks change, the order of days can differ from the order of instants.
  const lastDay = until === Number.POSITIVE_INFINITY ? until : localDay(until) + 1

  return {
    /** Yields the occurrences from an instant on, in ascending order. */
    *from(instant: number): Generator<number> {
      const range = { from: instant, to: until }
      const day = localDay(instant) - 1
      for (let index = Math.max(0, periods.indexOf(day)); periods.firstDay(index) <= lastDay; index++) {
        for (const occurrence of times(fitting(periods.daysOf(index, steps), day, lastDay), range, false)) {
          if (occurrence > until) return
          if (occurrence >= start) yield occurrence
        }
      }
    },
    /** Yields the occurrences from `earliest` to `instant`, in descending order. */
    *upTo(instant: number, earliest: number): Generator<number> {
      const range = { from: Math.max(start, earliest), to: Math.min(instant, until) }
      const [low, high] = [localDay(range.from) - 1, localDay(range.to) + 1]
      const lowest = Math.max(0, periods.indexOf(low))
      for (let index = periods.indexOf(high); index >= lowest; index--) {
        for (const occurrence of times(fitting(periods.daysOf(index, steps), low, high), range, true)) {
          if (occurrence < range.from) return
          if (occurrence <= range.to) yield occurrence
        }
      }
    },
  }
}

/** The days of a period: all of them, to which positions refer, and those within the searched range. */
type Days = { all: number[]; fitting: number[] }

function fitting(all: number[], low: number, high: number): Days {
  return { all, fitting: all.filter((day) => day >= low && day <= high) }
}

/** Yields the occurrences on some days of a period, ascending or descending. A few can be outside the range. */
type Times = (days: Days, range: { from: number; to: number }, backwards: boolean) => Iterable<number>

/** Occurrences by local time. Local times that a clock change skips have no occurrence. */
function localTimes(rule: Rule, { start, zone }: Bounds, steps: StepCounter): Times {
  const clock = clockOf(rule, start + offsetAt(start, zone))
  let span = Number.NaN
  const toInstant = (local: number) => {
    steps.spend(spanNumber(local) === span ? 1 : SPAN_STEPS)
    span = spanNumber(local)
    return localToInstant(local, zone)
  }
  return function* (days, _range, backwards) {
    const pairs = rule.positions
      ? atPositions(rule.positions, days, clock, backwards)
      : allTimes(days, clock, backwards)
    for (const [day, time] of pairs) {
      const occurrence = toInstant(day * DAY_MS + time)
      if (occurrence !== null) yield occurrence
    }
  }
}

type DayAndTime = [day: number, time: number]

function* allTimes(days: Days, clock: number[], backwards: boolean): Generator<DayAndTime> {
  const times = inOrder(clock, backwards)
  for (const day of inOrder(days.fitting, backwards)) for (const time of times) yield [day, time]
}

function* atPositions(positions: number[], days: Days, clock: number[], backwards: boolean): Generator<DayAndTime> {
  for (const index of inOrder(zeroBasedIndexes(positions, days.all.length * clock.length), backwards)) {
    const day = days.all[Math.floor(index / clock.length)] as number
    if (days.fitting.includes(day)) yield [day, clock[index % clock.length] as number]
  }
}

/** Returns the times of a day, in milliseconds since midnight. */
function clockOf(rule: Rule, start: number): number[] {
  const minutes = rule.minutes ?? [minuteOf(start)]
  const hours = rule.hours ?? [hourOf(start)]
  return hours.flatMap((hour) => minutes.map((minute) => hour * HOUR_MS + minute * MINUTE_MS + secondOf(rule, start)))
}

/** Occurrences by elapsed hours or minutes since the start: a clock change neither skips nor repeats one. */
function elapsedTimes(rule: Rule, { start, zone }: Bounds, steps: StepCounter): Times {
  const unit = rule.frequency === 'HOURLY' ? HOUR_MS : MINUTE_MS
  const startLocal = start + offsetAt(start, zone)
  const minutes = rule.minutes ?? [minuteOf(startLocal)]
  const second = secondOf(rule, startLocal)

  const within = (instant: number, local: number): number[] => {
    if (rule.hours && !rule.hours.includes(hourOf(local))) return []
    if (unit === HOUR_MS) {
      const hour = instant - (local - Math.floor(local / HOUR_MS) * HOUR_MS)
      return minutes.map((minute) => hour + minute * MINUTE_MS + second)
    }
    if (rule.minutes && !rule.minutes.includes(minuteOf(local))) return []
    return [instant - (local - Math.floor(local / MINUTE_MS) * MINUTE_MS) + second]
  }
  const intervalMs = unit * rule.interval
  function* ofDay(day: number, range: { from: number; to: number }, backwards: boolean): Generator<number> {
    // Wide enough for a day that a clock change makes longer, and for moving an occurrence within its hour.
    const midnight = day * DAY_MS - offsetAt(day * DAY_MS, zone)
    const low = Math.max(start, midnight - 3 * HOUR_MS, range.from - HOUR_MS)
    const high = Math.min(midnight + 27 * HOUR_MS, range.to + HOUR_MS)
    const [first, last] = [Math.ceil((low - start) / intervalMs), Math.floor((high - start) / intervalMs)]
    for (let nth = 0; nth <= last - first; nth++) {
      const instant = start + (backwards ? last - nth : first + nth) * intervalMs
      const local = instant + offsetAt(instant, zone)
      const found = Math.floor(local / DAY_MS) === day ? within(instant, local) : []
      steps.spend(1 + found.length)
      const chosen = rule.positions
        ? zeroBasedIndexes(rule.positions, found.length).map((index) => found[index] as number)
        : found
      yield* inOrder(chosen, backwards)
    }
  }
  return function* (days, range, backwards) {
    for (const day of inOrder(days.fitting, backwards)) yield* ofDay(day, range, backwards)
  }
}

function inOrder<T>(items: T[], backwards: boolean): T[] {
  return backwards ? items.toReversed() : items
}

function hourOf(local: number): number {
  return new Date(local).getUTCHours()
}

function minuteOf(local: number): number {
  return new Date(local).getUTCMinutes()
}

function secondOf(rule: Rule, local: number): number {
  return (rule.second ?? new Date(local).getUTCSeconds()) * 1_000
}
