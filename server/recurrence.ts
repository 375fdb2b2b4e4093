import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { type RuleParts, readRule } from './recurrence-rule.ts'

// `RRULE[/minutes[/timezone]]`: a window that opens at each time of the rule and stays open for its minutes. The rule
// is in local time, so a window keeps its place on the clock across daylight saving; its length is elapsed time.

export type RecurrenceKind = 'serviceWindow' | 'quietHours'

export type Recurrence = { parts: RuleParts; minutes: number; timezone: string | null }

/** The message says what is wrong with the text. */
export class RecurrenceError extends Error {
  override name = 'RecurrenceError'
}

export const QUIET_MINUTES_DEFAULT = 60
/** Thirty-one days. */
const MINUTES_MAX = 44_640

// What one question may cost: a rule that needs more is refused when it is written.
const ITERATIONS_MAX = 1_000
const EVALUATIONS_MAX = 5_000

/** Occurrences around an instant, by text and zone: a rule is asked again only once its next time has come. */
const spans = new Map<string, { from: number; until: number; opened: number | null }>()
const SPANS_MAX = 20_000

/**
 * Reads a window. A maintenance window names its minutes; quiet hours without them last an hour.
 * @throws RecurrenceError saying what is wrong
 */
export function parseRecurrence(text: string, kind: RecurrenceKind): Recurrence {
  const recurrence = read(text, kind)
  // Some malformed or boundless rules show only when they are asked.
  const found = around(recurrence, Date.now(), 'UTC')
  if (found.opened === null && found.until === Number.POSITIVE_INFINITY) {
    throw new RecurrenceError('the rule never comes round')
  }
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
  const key = `${kind}\0${defaultZone}\0${text}`
  const time = at.getTime()
  let span = spans.get(key)
  const recurrence = read(text, kind)
  if (!span || time < span.from || time >= span.until) {
    span = around(recurrence, time, defaultZone)
    if (spans.size >= SPANS_MAX) spans.clear()
    spans.set(key, span)
  }
  return span.opened !== null && time < span.opened + recurrence.minutes * 60_000
}

function read(text: string, kind: RecurrenceKind): Recurrence {
  const [rule = '', minutes, ...zone] = text.split('/')
  if (minutes === undefined && kind === 'serviceWindow') {
    throw new RecurrenceError('needs minutes after the rule, as in FREQ=DAILY;BYHOUR=3/60')
  }
  const parts = readRule(rule)
  if (typeof parts === 'string') throw new RecurrenceError(parts)
  return {
    parts,
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

/** The last time at or before `time` and the span of instants for which that answer holds. */
function around(recurrence: Recurrence, time: number, defaultZone: string) {
  const { start, until, text } = recurrence.parts
  const zone = recurrence.timezone ?? defaultZone
  try {
    const rule = new RRuleTemporal({
      rruleString: text,
      dtstart: localTime(start ?? '19700101T000000', zone),
      ...(until ? { until: localTime(until.length === 8 ? `${until}T235959` : until, zone) } : {}),
      temporal: Temporal,
      strict: true,
      maxIterations: ITERATIONS_MAX,
      maxCandidateEvaluations: EVALUATIONS_MAX,
    })
    const at = new Date(time)
    const opened = rule.previous(at, true)?.epochMilliseconds ?? null
    const next = rule.next(at, false)?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    return { from: opened ?? Number.NEGATIVE_INFINITY, until: next, opened }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RecurrenceError(
      /^Maximum (iterations|candidate)/.test(reason) ? 'the rule never comes round, or too rarely' : reason,
    )
  }
}

function localTime(text: string, zone: string): Temporal.ZonedDateTime {
  const padded = text.length === 8 ? `${text}T000000` : text
  return padded.endsWith('Z')
    ? Temporal.Instant.from(padded).toZonedDateTimeISO(zone)
    : Temporal.PlainDateTime.from(padded).toZonedDateTime(zone)
}
