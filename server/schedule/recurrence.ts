import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { dateOf, dayNumber } from './recurrence-days.ts'
import { type Rule, readRule } from './recurrence-rule.ts'
import { occurrencesAround, StepLimitError } from './recurrence-times.ts'
import { localToInstant, offsetAt } from './zone-offsets.ts'

// `RRULE[/minutes[/timezone]]`: a window that opens at each time of the rule and stays open for its minutes. The rule
// is in local time, so a window keeps its place on the clock across daylight saving; its length is elapsed time.

export type RecurrenceKind = 'serviceWindow' | 'quietHours'

export type Recurrence = { rule: Rule; minutes: number; timezone: string | null }

/** The message says what is wrong with the text. */
export class RecurrenceError extends Error {
  override name = 'RecurrenceError'
}

export const QUIET_MINUTES_DEFAULT = 60
/** Thirty-one days. */
const MINUTES_MAX = 44_640

/**
 * What was found around an instant, by text and zone: the last opening before it, or why there is none to be had. A rule
 * is asked again only once its next time has come, and one that was refused only after a day.
 */
type Span = { from: number; until: number; opened: number | null; problem?: string }

const spans = new Map<string, Span>()
const SPANS_MAX = 20_000
const REFUSED_MS = DAY_MS

/**
 * Reads a window. A maintenance window names its minutes; quiet hours without them last an hour.
 * @throws RecurrenceError saying what is wrong
 */
export function parseRecurrence(text: string, kind: RecurrenceKind): Recurrence {
  const recurrence = read(text, kind)
  // A rule that never comes, or costs too much to ask, shows only when it is asked.
  spanAround(text, recurrence, Date.now(), 'UTC')
  return recurrence
}

/** What is wrong with the window, or null. */
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
 * Whether the window is open at `at`. `defaultZone` (IANA) is where it is local when it names no zone itself.
 * @throws RecurrenceError when the text is no window
 */
export function isOpen(text: string, kind: RecurrenceKind, at: Date, defaultZone: string): boolean {
  const recurrence = read(text, kind)
  const { opened } = spanAround(text, recurrence, at.getTime(), defaultZone)
  return opened !== null && at.getTime() < opened + recurrence.minutes * MINUTE_MS
}

function read(text: string, kind: RecurrenceKind): Recurrence {
  const [rule = '', minutes, ...zone] = text.split('/')
  if (minutes === undefined && kind === 'serviceWindow') {
    throw new RecurrenceError('needs minutes after the rule, as in FREQ=DAILY;BYHOUR=3/60')
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
    throw new RecurrenceError(`"${text}" is not a number of minutes from 1 to ${MINUTES_MAX}`)
  }
  return minutes
}

function readZone(text: string): string {
  if (!isTimezone(text)) throw new RecurrenceError(`"${text}" is not a time zone such as Europe/Berlin`)
  return text
}

/** Whether the text names a zone of the IANA database. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== null
  } catch {
    return false
  }
}

const NEVER_OPENS = 'the rule never comes, or takes too long to work out'

/**
 * The last opening at or before `time`, and the span of instants for which that holds.
 * @throws RecurrenceError when the rule names no time, or needs more than a question may cost
 */
function spanAround(text: string, { rule, timezone }: Recurrence, time: number, defaultZone: string): Span {
  const zone = timezone ?? defaultZone
  const key = `${zone}\0${text}`
  let span = spans.get(key)
  if (!span || time < span.from || time >= span.until) {
    span = computeSpan(rule, zone, time)
    // The oldest goes, so that a flood of new rules does not let go of all others at once.
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
    // What opened longer ago than any window stays open is no matter.
    const { previous, next } = occurrencesAround(rule, { start, until, zone }, time, MINUTES_MAX * MINUTE_MS)
    return { from: previous ?? time, until: next ?? Number.POSITIVE_INFINITY, opened: previous }
  } catch (error) {
    if (!(error instanceof StepLimitError)) throw error
    return { from: time, until: time + REFUSED_MS, opened: null, problem: NEVER_OPENS }
  }
}

/** The instant of `YYYYMMDD[THHMMSS[Z]]`, at `clock` where it names no time. @throws RecurrenceError */
function readTime(name: string, text: string, clock: string, zone: string): number {
  const [, year, month, date, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(text.includes('T') ? text : `${text}T${clock}`) ?? []
  const day = dayNumber(Number(year), Number(month), Number(date))
  const found = dateOf(day)
  const isReal = found.month === Number(month) && found.day === Number(date)
  if (!isReal || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    throw new RecurrenceError(`${name}: "${text}" is no time of the calendar`)
  }
  const local = day * DAY_MS + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1_000
  if (utc) return local
  // Clocks that go forward over it: as much later.
  return localToInstant(local, zone) ?? local - offsetAt(local - DAY_MS, zone)
}
