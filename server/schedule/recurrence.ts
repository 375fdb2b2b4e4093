import { setImmediate } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { dateOf, dayNumber } from './recurrence-days.ts'
import { type Rule, readRule } from './recurrence-rule.ts'
import { occurrencesAround, StepLimitError } from './recurrence-times.ts'
import { isTimezone } from './time-zones.ts'
import { localToInstant, offsetAt } from './zone-offsets.ts'

// Maintenance windows and quiet hours, `RRULE[/minutes[/timezone]]`: a window opens at each occurrence of the rule and
// stays open for the given minutes. The rule is in local time, so that daylight saving does not move a window; its length
// is elapsed time.

export type RecurrenceKind = 'serviceWindow' | 'quietHours'

export type Recurrence = { rule: Rule; minutes: number; timezone: string | null }

/** The message says what is wrong with the window. */
export class RecurrenceError extends Error {
  override name = 'RecurrenceError'
}

export const QUIET_MINUTES_DEFAULT = 60
/** 31 days. */
const MINUTES_MAX = 44_640

/**
 * A cached evaluation, valid from `from` to `until`, the next occurrence: the last occurrence, or the problem. A rule that
 * exceeded the step limit is evaluated again after a day.
 */
type Span = { from: number; until: number; openedAt: number | null; problem?: string }

const spans = new Map<string, Span>()
const SPANS_MAX = 20_000
const REFUSED_MS = DAY_MS

/**
 * Parses a window. A maintenance window must have minutes; quiet hours without them last an hour.
 * @throws RecurrenceError that says what is wrong
 */
export function parseRecurrence(text: string, kind: RecurrenceKind): Recurrence {
  const recurrence = read(text, kind)
  // Only an evaluation shows whether a rule never occurs or costs too much.
  spanAround(text, recurrence, Date.now(), 'UTC')
  return recurrence
}

/** Returns what is wrong with the window, or null. */
export function recurrenceProblem(text: string, kind: RecurrenceKind): string | null {
  try {
    parseRecurrence(text, kind)
    return null
  } catch (error) {
    if (error instanceof RecurrenceError) return error.message
    throw error
  }
}

/**
 * Returns whether the window is open at `at`. `defaultZone` (IANA) is the time zone of a window without one.
 * @throws RecurrenceError when the window is invalid
 */
export function isOpen(text: string, kind: RecurrenceKind, at: Date, defaultZone: string): boolean {
  return closesAt(text, kind, at, defaultZone) !== null
}

/**
 * Returns when the window that is open at `at` closes, or null when none is open. The next window may open before that;
 * reading it takes another evaluation.
 * @throws RecurrenceError when the window is invalid
 */
export function closesAt(text: string, kind: RecurrenceKind, at: Date, defaultZone: string): Date | null {
  const recurrence = read(text, kind)
  const { openedAt } = spanAround(text, recurrence, at.getTime(), defaultZone)
  const end = openedAt === null ? null : openedAt + recurrence.minutes * MINUTE_MS
  return end === null || at.getTime() >= end ? null : new Date(end)
}

/** A window from when it opens to when it closes. */
export type Opening = { opensAt: Date; closesAt: Date }

/**
 * Returns the window that is open at `at`, if any, and those that open next; at most `count` in all, fewer when the rule
 * ends. Every opening takes an evaluation of a few milliseconds, so it gives way to other work before each.
 * @throws RecurrenceError when the window is invalid, never occurs or takes too long to evaluate
 */
export async function nextOpenings(
  text: string,
  kind: RecurrenceKind,
  at: Date,
  defaultZone: string,
  count: number,
): Promise<Opening[]> {
  const { rule, minutes, timezone } = read(text, kind)
  const openings: Opening[] = []
  let time = at.getTime()
  while (openings.length < count && Number.isFinite(time)) {
    // Not from the cache: it holds the present span of each window, and a look into the future would replace it.
    const { openedAt, until, problem } = computeSpan(rule, timezone ?? defaultZone, time)
    if (problem !== undefined) throw new RecurrenceError(problem)
    const closesAt = openedAt === null ? 0 : openedAt + minutes * MINUTE_MS
    if (openedAt !== null && closesAt > at.getTime())
      openings.push({ opensAt: new Date(openedAt), closesAt: new Date(closesAt) })
    time = until
    await setImmediate()
  }
  return openings
}

function read(text: string, kind: RecurrenceKind): Recurrence {
  const [rule = '', minutes, ...zone] = text.split('/')
  if (minutes === undefined && kind === 'serviceWindow') {
    throw new RecurrenceError('must have minutes after the rule, as in FREQ=DAILY;BYHOUR=3/60')
  }
  const read = readRule(rule)
  if (typeof read === 'string') throw new RecurrenceError(read)
  return {
    rule: read,
    minutes: minutes === undefined ? QUIET_MINUTES_DEFAULT : readMinutes(minutes),
    timezone: zone.length > 0 ? readZone(zone.join('/')) : null,
  }
}

function readMinutes(text: string): number {
  const minutes = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (minutes < 1 || minutes > MINUTES_MAX) {
    throw new RecurrenceError(`minutes: "${text}" is not an integer from 1 to ${MINUTES_MAX}`)
  }
  return minutes
}

function readZone(text: string): string {
  if (!isTimezone(text)) throw new RecurrenceError(`"${text}" is not a time zone such as Europe/Berlin`)
  return text
}

const NEVER_OPENS = 'the rule never occurs, or takes too long to evaluate'

/**
 * Returns the span that contains `time`, from the cache if possible.
 * @throws RecurrenceError when the rule never occurs, or exceeds the step limit
 */
function spanAround(text: string, { rule, timezone }: Recurrence, time: number, defaultZone: string): Span {
  const zone = timezone ?? defaultZone
  const key = `${zone}\0${text}`
  let span = spans.get(key)
  if (!span || time < span.from || time >= span.until) {
    span = computeSpan(rule, zone, time)
    // Evict the oldest only, so that a flood of new rules does not empty the whole cache.
    if (spans.size >= SPANS_MAX) spans.delete(spans.keys().next().value as string)
    spans.set(key, span)
  }
  if (span.problem !== undefined) throw new RecurrenceError(span.problem)
  return span
}

function computeSpan(rule: Rule, zone: string, time: number): Span {
  const start = readTime('DTSTART', rule.start ?? '19700101', '000000', zone)
  const until = rule.until === null ? Number.POSITIVE_INFINITY : readTime('UNTIL', rule.until, '235959', zone)
  try {
    // An occurrence longer ago than the longest window is irrelevant.
    const { previous, next } = occurrencesAround(rule, { start, until, zone }, time, MINUTES_MAX * MINUTE_MS)
    return { from: previous ?? time, until: next ?? Number.POSITIVE_INFINITY, openedAt: previous }
  } catch (error) {
    if (!(error instanceof StepLimitError)) throw error
    return { from: time, until: time + REFUSED_MS, openedAt: null, problem: NEVER_OPENS }
  }
}

/** Returns the instant of `YYYYMMDD[THHMMSS[Z]]`; `clock` is the default time of day. @throws RecurrenceError */
function readTime(name: string, text: string, clock: string, zone: string): number {
  const [, year, month, date, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(text.includes('T') ? text : `${text}T${clock}`) ?? []
  const day = dayNumber(Number(year), Number(month), Number(date))
  const found = dateOf(day)
  const isReal = found.month === Number(month) && found.day === Number(date)
  if (!isReal || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    throw new RecurrenceError(`${name}: "${text}" is not a valid date and time`)
  }
  const local = day * DAY_MS + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1_000
  if (utc) return local
  // A local time that a clock change skips moves forward by the length of the change.
  return localToInstant(local, zone) ?? local - offsetAt(local - DAY_MS, zone)
}
