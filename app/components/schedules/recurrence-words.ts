import { readParts, recurrenceText } from './recurrence-choice.ts'
import { WEEKDAY_NAMES } from './schedule-choice.ts'

// Windows `RRULE[/minutes[/timezone]]` in words, also those that the form cannot show.

const UNITS: Record<string, string> = {
  YEARLY: 'year',
  MONTHLY: 'month',
  WEEKLY: 'week',
  DAILY: 'day',
  HOURLY: 'hour',
  MINUTELY: 'minute',
}
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS: Record<string, string> = Object.fromEntries(
  ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'].map((code, day) => [code, WEEKDAY_NAMES[day] ?? code]),
)
const MINUTES_DEFAULT = '60'
/** Parts that the words name, or that change nothing that a reader needs. */
const KNOWN = new Set(
  'FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH BYHOUR BYMINUTE BYSECOND COUNT UNTIL DTSTART WKST'.split(' '),
)

/**
 * Returns a window as a sentence, such as `Every 2 weeks on Saturday at 03:00, for 90 minutes (Europe/Berlin)`.
 * `timezone` holds where the text names none.
 */
export function windowText(text: string, timezone: string | null): string {
  const [rule = '', minutes = MINUTES_DEFAULT, ...named] = text.trim().split('/')
  const zone = named.length > 0 ? named.join('/') : timezone
  const whole = [rule, minutes, ...(zone ? [zone] : [])].join('/')
  return recurrenceText(whole) ?? `${ruleWords(rule)}, for ${lengthText(Number(minutes))}${zone ? ` (${zone})` : ''}`
}

function ruleWords(rule: string): string {
  const parts = readParts(rule)
  const unit = UNITS[parts?.get('FREQ') ?? '']
  if (!parts || !unit || [...parts.keys()].some((name) => !KNOWN.has(name))) return 'By a rule of its own'
  const interval = Number(parts.get('INTERVAL') ?? 1)
  return [
    interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`,
    listed(parts.get('BYDAY'), 'on', dayText),
    listed(parts.get('BYMONTHDAY'), 'on', (day) => (Number(day) < 0 ? `day ${day} from the end` : `day ${day}`)),
    listed(parts.get('BYMONTH'), 'in', (month) => MONTHS[Number(month) - 1] ?? month),
    timesText(parts),
    parts.has('DTSTART') && `from ${dateText(parts.get('DTSTART'))}`,
    parts.has('UNTIL') && `until ${dateText(parts.get('UNTIL'))}`,
    parts.has('COUNT') && `${parts.get('COUNT')} times`,
  ]
    .filter(Boolean)
    .join(' ')
}

function listed(value: string | undefined, before: string, textOf: (item: string) => string): string | false {
  return value !== undefined && `${before} ${value.split(',').map(textOf).join(', ')}`
}

/** `2TU` is every second Tuesday of the period, `-1FR` the last Friday. */
function dayText(day: string): string {
  const [, nth, code = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(day) ?? []
  const name = DAYS[code] ?? day
  if (nth === undefined) return name
  return Number(nth) === -1 ? `the last ${name}` : `${name} number ${Number(nth)}`
}

/** When a rule opens within its days; nothing for a rule of hours or minutes without a minute. */
function timesText(parts: Map<string, string>): string | false {
  const minutes = (parts.get('BYMINUTE') ?? '0').split(',')
  const hours = parts.get('BYHOUR')?.split(',')
  if (hours) {
    const times = hours.flatMap((hour) =>
      minutes.map((minute) => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`),
    )
    return `at ${times.join(', ')}`
  }
  const given = /T(\d\d)(\d\d)/.exec(parts.get('DTSTART') ?? '')
  if (given) return `at ${given[1]}:${given[2]}`
  if (parts.get('FREQ') === 'HOURLY') return `at minute ${minutes.join(', ')}`
  return parts.get('FREQ') !== 'MINUTELY' && `at 00:${(minutes[0] ?? '0').padStart(2, '0')}`
}

function dateText(given: string | undefined): string {
  return (given ?? '').replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')
}

function lengthText(minutes: number): string {
  if (minutes % 60 !== 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
}
