import { daysText } from './schedule-choice.ts'

// Windows `RRULE[/minutes[/timezone]]` as choices of a form, and back. Their times are local.

export type RecurrenceChoice =
  | { repeat: 'none' }
  | ({ repeat: 'once'; date: string } & Hours)
  | ({ repeat: 'weekly'; weekdays: number[] } & Hours)
  | ({ repeat: 'monthly'; day: number } & Hours)
  | ({ repeat: 'monthly-weekday'; nth: number; weekday: number } & Hours)
  | { repeat: 'custom' }

export type FormRecurrence = Exclude<RecurrenceChoice, { repeat: 'none' } | { repeat: 'custom' }>

/** From one time of day, `HH:MM`, to the next `to` after it. A null zone is the organization's. */
type Hours = { from: string; to: string; timezone: string | null }

const DAY_MINUTES = 1_440
/** Quiet hours without minutes last an hour. */
const MINUTES_DEFAULT = 60
/** By number: 0 is Sunday. */
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const WEEKDAY = `(?:${WEEKDAYS.join('|')})`

/** Returns the choice of a window, `none` for an empty text, or `custom` if the form cannot show it. */
export function readRecurrence(text: string): RecurrenceChoice {
  const custom = { repeat: 'custom' } as const
  if (text.trim() === '') return { repeat: 'none' }
  const [rule = '', minutesText = String(MINUTES_DEFAULT), ...zone] = text.trim().split('/')
  const minutes = Number(minutesText)
  const parts = readParts(rule)
  if (!parts || !/^\d+$/.test(minutesText) || minutes < 1 || minutes > DAY_MINUTES) return custom
  const start = startOf(parts)
  if (!start) return custom
  const hours = {
    from: clockText(start.minute),
    to: clockText((start.minute + minutes) % DAY_MINUTES),
    timezone: zone.length > 0 ? zone.join('/') : null,
  }
  return daysOf(parts, start.date, hours) ?? custom
}

/** Returns the window of a choice of the form. */
export function recurrenceOf(choice: FormRecurrence): string {
  const zone = choice.timezone === null ? '' : `/${choice.timezone}`
  return `${ruleOf(choice)}/${minutesBetween(choice.from, choice.to)}${zone}`
}

/** Returns the window in words, such as `Every day from 22:00 to 07:00`; null if it has no short words. */
export function recurrenceText(text: string): string | null {
  const choice = readRecurrence(text)
  if (choice.repeat === 'none' || choice.repeat === 'custom') return null
  return `${dayWords(choice)} from ${choice.from} to ${choice.to}${choice.timezone ? ` (${choice.timezone})` : ''}`
}

const NTH_WORDS: Record<number, string> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', [-1]: 'last' }

/** The positions of a weekday in a month, with -1 for the last. */
export const NTH = Object.entries(NTH_WORDS).map(([nth, label]) => ({ nth: Number(nth), label }))

function dayWords(choice: FormRecurrence): string {
  switch (choice.repeat) {
    case 'once':
      return `On ${choice.date}`
    case 'weekly':
      return daysText(choice.weekdays)
    case 'monthly':
      return `On day ${choice.day} of ${choice.day > 28 ? 'each month that has it' : 'each month'}`
    default:
      return `On the ${NTH_WORDS[choice.nth]} ${daysText([choice.weekday])} of each month`
  }
}

function ruleOf(choice: FormRecurrence): string {
  const [hour, minute] = choice.from.split(':').map(Number)
  const clock = `BYHOUR=${hour};BYMINUTE=${minute}`
  switch (choice.repeat) {
    case 'once':
      return `DTSTART=${choice.date.replaceAll('-', '')}T${choice.from.replace(':', '')}00;FREQ=DAILY;COUNT=1`
    case 'weekly': {
      const days = choice.weekdays.toSorted((a, b) => (a || 7) - (b || 7)).map((day) => WEEKDAYS[day])
      return days.length === 7 ? `FREQ=DAILY;${clock}` : `FREQ=WEEKLY;BYDAY=${days.join()};${clock}`
    }
    case 'monthly':
      return `FREQ=MONTHLY;BYMONTHDAY=${choice.day};${clock}`
    default:
      return `FREQ=MONTHLY;BYDAY=${choice.nth}${WEEKDAYS[choice.weekday]};${clock}`
  }
}

type Parts = Map<string, string>

/** Returns the parts of a rule by name; null if it is not a rule. */
export function readParts(rule: string): Parts | null {
  const pairs = rule
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .map((part) => part.split('='))
  const parts = new Map(pairs.map(([name = '', value = '']) => [name, value]))
  return pairs.every((pair) => pair.length === 2) && parts.size === pairs.length ? parts : null
}

/** Returns when windows open: their minute of the day, and the date if the rule has one. Null if there are several. */
function startOf(parts: Parts): { minute: number; date: string | null } | null {
  const given = parts.get('DTSTART')
  if (given !== undefined) {
    const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T([01]\d|2[0-3])([0-5]\d)00$/.exec(given) ?? []
    if (parts.has('BYHOUR') || parts.has('BYMINUTE') || year === undefined) return null
    return { minute: Number(hour) * 60 + Number(minute), date: `${year}-${month}-${day}` }
  }
  const [hour, minute] = [parts.get('BYHOUR') ?? '0', parts.get('BYMINUTE') ?? '0']
  const isOneTime = [hour, minute].every((value) => /^\d{1,2}$/.test(value)) && Number(hour) < 24 && Number(minute) < 60
  return isOneTime ? { minute: Number(hour) * 60 + Number(minute), date: null } : null
}

const CLOCK_PARTS = new Set(['BYHOUR', 'BYMINUTE', 'DTSTART'])

/** Returns the choice whose days the parts other than the clock describe, or null. */
function daysOf(parts: Parts, date: string | null, hours: Hours): RecurrenceChoice | null {
  const days = [...parts]
    .filter(([name]) => !CLOCK_PARTS.has(name))
    .map((part) => part.join('='))
    .sort()
    .join(';')
  if (date !== null) return days === 'COUNT=1;FREQ=DAILY' ? { repeat: 'once', date, ...hours } : null
  if (days === 'FREQ=DAILY') return { repeat: 'weekly', weekdays: [...WEEKDAYS.keys()], ...hours }
  const [, weekdays] = new RegExp(`^BYDAY=(${WEEKDAY}(?:,${WEEKDAY})*);FREQ=(?:WEEKLY|DAILY)$`).exec(days) ?? []
  if (weekdays !== undefined) return { repeat: 'weekly', weekdays: weekdaysOf(weekdays), ...hours }
  const [, day] = /^BYMONTHDAY=(\d{1,2});FREQ=MONTHLY$/.exec(days) ?? []
  if (Number(day) >= 1 && Number(day) <= 31) return { repeat: 'monthly', day: Number(day), ...hours }
  const [, nth, weekday] = new RegExp(`^BYDAY=\\+?(-?\\d)(${WEEKDAY});FREQ=MONTHLY$`).exec(days) ?? []
  if (weekday === undefined || !(Number(nth) in NTH_WORDS)) return null
  return { repeat: 'monthly-weekday', nth: Number(nth), weekday: WEEKDAYS.indexOf(weekday), ...hours }
}

function weekdaysOf(text: string): number[] {
  return [...new Set(text.split(',').map((name) => WEEKDAYS.indexOf(name)))].sort()
}

function clockText(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(11, 16)
}

/** The same time twice is a whole day. */
function minutesBetween(from: string, to: string): number {
  return (minuteOf(to) - minuteOf(from) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}
