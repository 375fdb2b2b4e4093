import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { createPeriods, type StepCounter, zeroBasedIndexes } from './recurrence-days.ts'
import type { Rule } from './recurrence-rule.ts'
import { localToInstant, offsetAt, spanNumber } from './zone-offsets.ts'

// When a rule opens. The search begins at the instant that is asked about and goes both ways, and counts its steps.

/** The rule needs more steps than a question may take. */
export class StepLimitError extends Error {
  override name = 'TooDear'
}

/** What one question may take, a few milliseconds: about the days of fifteen years. */
const STEPS_MAX = 12_000
const SPAN_STEPS = 10

/** Where a rule counts from and where it ends, in milliseconds; `until` is infinite where it has no end. */
export type Bounds = { start: number; until: number; zone: string }

/**
 * The last opening in the `backMs` before `time` or at it, and the first after it; null where there is none.
 * @throws TooDear
 */
export function occurrencesAround(rule: Rule, bounds: Bounds, time: number, backMs: number) {
  let left = STEPS_MAX
  const openings = createOccurrences(rule, bounds, {
    spend(steps) {
      left -= steps
      if (left < 0) throw new StepLimitError()
    },
  })
  if (rule.count !== null) return countedOccurrencesAround(openings.from(bounds.start), rule.count, time)
  return {
    previous: first(openings.upTo(time, time - backMs), (opening) => opening <= time),
    next: first(openings.from(Math.max(time, bounds.start)), (opening) => opening > time),
  }
}

function countedOccurrencesAround(openings: Iterable<number>, count: number, time: number) {
  let counted = 0
  let previous: number | null = null
  for (const opening of openings) {
    if (++counted > count) break
    if (opening > time) return { previous, next: opening }
    previous = opening
  }
  return { previous, next: null }
}

function first(openings: Iterable<number>, wanted: (opening: number) => boolean): number | null {
  for (const opening of openings) if (wanted(opening)) return opening
  return null
}

function createOccurrences(rule: Rule, bounds: Bounds, steps: StepCounter) {
  const { start, until, zone } = bounds
  const localDay = (instant: number) => Math.floor((instant + offsetAt(instant, zone)) / DAY_MS)
  const periods = createPeriods(rule, localDay(start))
  const isByClock = rule.frequency === 'HOURLY' || rule.frequency === 'MINUTELY'
  const times = isByClock ? elapsedTimes(rule, bounds, steps) : localTimes(rule, bounds, steps)
  // A day more than needed: where clocks change, the order of days is not quite that of instants.
  const lastDay = until === Number.POSITIVE_INFINITY ? until : localDay(until) + 1

  return {
    /** Openings from an instant on, the first of them first. */
    *from(instant: number): Generator<number> {
      const range = { from: instant, to: until }
      const day = localDay(instant) - 1
      for (let index = Math.max(0, periods.indexOf(day)); periods.firstDay(index) <= lastDay; index++) {
        for (const opening of times(fitting(periods.daysOf(index, steps), day, lastDay), range, false)) {
          if (opening > until) return
          if (opening >= start) yield opening
        }
      }
    },
    /** Openings up to an instant and not before another, the last of them first. */
    *upTo(instant: number, earliest: number): Generator<number> {
      const range = { from: Math.max(start, earliest), to: Math.min(instant, until) }
      const [low, high] = [localDay(range.from) - 1, localDay(range.to) + 1]
      const lowest = Math.max(0, periods.indexOf(low))
      for (let index = periods.indexOf(high); index >= lowest; index--) {
        for (const opening of times(fitting(periods.daysOf(index, steps), low, high), range, true)) {
          if (opening < range.from) return
          if (opening <= range.to) yield opening
        }
      }
    },
  }
}

/** The days of a period that may matter, with those of the whole period, by which positions count. */
type Days = { all: number[]; fitting: number[] }

function fitting(all: number[], low: number, high: number): Days {
  return { all, fitting: all.filter((day) => day >= low && day <= high) }
}

/** The openings on some days of a period, in order or backwards: those within the range, and maybe some around it. */
type Times = (days: Days, range: { from: number; to: number }, backwards: boolean) => Iterable<number>

/** By the clock on the wall: times that a change of the clocks leaves out do not open. */
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
      const opening = toInstant(day * DAY_MS + time)
      if (opening !== null) yield opening
    }
  }
}

type DayAndTime = [day: number, time: number]

function* allTimes(days: Days, clock: number[], backwards: boolean): Generator<DayAndTime> {
  const times = inOrder(clock, backwards)
  for (const day of inOrder(days.fitting, backwards)) for (const time of times) yield [day, time]
}

function* atPositions(positions: number[], days: Days, clock: number[], backwards: boolean): Generator<DayAndTime> {
  for (const place of inOrder(zeroBasedIndexes(positions, days.all.length * clock.length), backwards)) {
    const day = days.all[Math.floor(place / clock.length)] as number
    if (days.fitting.includes(day)) yield [day, clock[place % clock.length] as number]
  }
}

/** The times of a day, in milliseconds since its midnight. */
function clockOf(rule: Rule, start: number): number[] {
  const minutes = rule.minutes ?? [minuteOf(start)]
  const hours = rule.hours ?? [hourOf(start)]
  return hours.flatMap((hour) => minutes.map((minute) => hour * HOUR_MS + minute * MINUTE_MS + secondOf(rule, start)))
}

/** By elapsed hours or minutes since the start: none is left out or comes twice when clocks change. */
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
  const turn = unit * rule.interval
  function* ofDay(day: number, range: { from: number; to: number }, backwards: boolean): Generator<number> {
    // Wide enough for a day that is longer for a change of the clocks, and for the hour that an opening is moved in.
    const midnight = day * DAY_MS - offsetAt(day * DAY_MS, zone)
    const low = Math.max(start, midnight - 3 * HOUR_MS, range.from - HOUR_MS)
    const high = Math.min(midnight + 27 * HOUR_MS, range.to + HOUR_MS)
    const [first, last] = [Math.ceil((low - start) / turn), Math.floor((high - start) / turn)]
    for (let nth = 0; nth <= last - first; nth++) {
      const instant = start + (backwards ? last - nth : first + nth) * turn
      const local = instant + offsetAt(instant, zone)
      const found = Math.floor(local / DAY_MS) === day ? within(instant, local) : []
      steps.spend(1 + found.length)
      const chosen = rule.positions
        ? zeroBasedIndexes(rule.positions, found.length).map((place) => found[place] as number)
        : found
      yield* inOrder(chosen, backwards)
    }
  }
  return function* (days, range, backwards) {
    for (const day of inOrder(days.fitting, backwards)) yield* ofDay(day, range, backwards)
  }
}

function inOrder<T>(list: T[], backwards: boolean): T[] {
  return backwards ? list.toReversed() : list
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
