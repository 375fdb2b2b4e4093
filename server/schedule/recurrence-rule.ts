// The rule's text (RFC 5545), read part by part.

export type Frequency = 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY' | 'MINUTELY'

/** Lists are sorted and hold nothing twice; null where the rule does not name the part. */
export type Rule = {
  frequency: Frequency
  interval: number
  count: number | null
  months: number[] | null
  /** Days of the month, of the year, and weeks of the year; negative numbers count from the end. */
  monthDays: number[] | null
  yearDays: number[] | null
  weeks: number[] | null
  /** Weekdays from Monday, 0; `nth` of its month or year, from the end where negative, every one where 0. */
  weekdays: { weekday: number; nth: number }[] | null
  positions: number[] | null
  hours: number[] | null
  minutes: number[] | null
  second: number | null
  weekStart: number
  /** `YYYYMMDD[THHMMSS[Z]]`; null counts from 1970-01-01 00:00 local time. */
  start: string | null
  until: string | null
}

const FREQUENCIES: Frequency[] = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY']
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const WEEKDAY = /^([+-]?(?:[1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/

/** Whole numbers, and for lists that count from the end too, their negatives. */
const NUMBERS: Record<string, { min: number; max: number; negative?: true; single?: true }> = {
  INTERVAL: { min: 1, max: 10_000, single: true },
  // A counted rule is counted from its start at every question.
  COUNT: { min: 1, max: 1_000, single: true },
  BYMONTH: { min: 1, max: 12 },
  BYMONTHDAY: { min: 1, max: 31, negative: true },
  BYYEARDAY: { min: 1, max: 366, negative: true },
  BYWEEKNO: { min: 1, max: 53, negative: true },
  BYSETPOS: { min: 1, max: 366, negative: true },
  BYHOUR: { min: 0, max: 23 },
  BYMINUTE: { min: 0, max: 59 },
  BYSECOND: { min: 0, max: 59, single: true },
}

/** The recurrence rule, or a sentence saying what is wrong with it. */
export function readRule(given: string): Rule | string {
  const parts = new Map<string, string>()
  for (const part of given
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const [name = '', value, ...rest] = part.split('=')
    if (!name || !value || rest.length > 0) return `"${part}" is not a part such as FREQ=DAILY`
    if (parts.has(name)) return `${name} is given twice`
    const problem = partProblem(name, value)
    if (problem) return problem
    parts.set(name, value)
  }
  if (!parts.has('FREQ')) return 'needs a FREQ, as in FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'
  const rule = toRule(parts)
  return conflictProblem(rule) ?? rule
}

function toRule(parts: Map<string, string>): Rule {
  const numbers = (name: string) => {
    const given = parts.get(name)?.split(',').map(Number)
    return given ? [...new Set(given)].sort((a, b) => a - b) : null
  }
  const first = (name: string) => numbers(name)?.[0] ?? null
  return {
    frequency: parts.get('FREQ') as Frequency,
    interval: first('INTERVAL') ?? 1,
    count: first('COUNT'),
    months: numbers('BYMONTH'),
    monthDays: numbers('BYMONTHDAY'),
    yearDays: numbers('BYYEARDAY'),
    weeks: numbers('BYWEEKNO'),
    weekdays: parts.get('BYDAY')?.split(',').map(readWeekday) ?? null,
    positions: numbers('BYSETPOS'),
    hours: numbers('BYHOUR'),
    minutes: numbers('BYMINUTE'),
    second: first('BYSECOND'),
    weekStart: WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO'),
    start: parts.get('DTSTART') ?? null,
    until: parts.get('UNTIL') ?? null,
  }
}

function readWeekday(text: string): { weekday: number; nth: number } {
  const [, nth, name = ''] = WEEKDAY.exec(text) ?? []
  return { weekday: WEEKDAYS.indexOf(name), nth: Number(nth ?? 0) }
}

/** What RFC 5545 does not let stand together, and what names more times than a window can mean. */
function conflictProblem(rule: Rule): string | null {
  const { frequency, weekdays, hours, minutes } = rule
  if (rule.count !== null && rule.until !== null) return 'COUNT and UNTIL exclude each other'
  if ((hours?.length ?? 1) * (minutes?.length ?? 1) > 288) return 'BYHOUR and BYMINUTE name more than 288 times a day'
  if (rule.weeks && frequency !== 'YEARLY') return 'BYWEEKNO needs FREQ=YEARLY'
  if (rule.yearDays && /^(DAILY|WEEKLY|MONTHLY)$/.test(frequency))
    return `BYYEARDAY cannot stand with FREQ=${frequency}`
  if (rule.monthDays && frequency === 'WEEKLY') return 'BYMONTHDAY cannot stand with FREQ=WEEKLY'
  if (weekdays?.some(({ nth }) => nth !== 0)) {
    if (frequency !== 'MONTHLY' && frequency !== 'YEARLY') return 'BYDAY takes numbers with FREQ=MONTHLY or YEARLY only'
    if (rule.weeks) return 'BYDAY takes no numbers beside BYWEEKNO'
  }
  const others = [rule.months, rule.monthDays, rule.yearDays, rule.weeks, weekdays, hours, minutes, rule.second]
  return rule.positions && others.every((part) => part === null) ? 'BYSETPOS needs another BY part' : null
}

function partProblem(name: string, value: string): string | null {
  const numbers = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined
  if (numbers) return numbersProblem(name, value, numbers)
  switch (name) {
    case 'FREQ':
      if (value === 'SECONDLY') return 'FREQ=SECONDLY is too often for a window'
      return FREQUENCIES.some((known) => known === value) ? null : `FREQ must be one of ${FREQUENCIES.join(', ')}`
    case 'BYDAY':
      return value.split(',').every((item) => WEEKDAY.test(item))
        ? null
        : `BYDAY: "${value}" is not a list of weekdays such as MO,WE or 1MO,-1FR`
    case 'WKST':
      return WEEKDAYS.includes(value) ? null : `WKST: "${value}" is not a weekday such as MO`
    case 'DTSTART':
    case 'UNTIL':
      return /^\d{8}(T\d{6}Z?)?$/.test(value) ? null : `${name}: "${value}" is not a time such as 20270131T220000`
    default:
      return `${name} is not a part of a recurrence rule`
  }
}

function numbersProblem(
  name: string,
  value: string,
  { min, max, negative, single }: { min: number; max: number; negative?: true; single?: true },
): string | null {
  const items = value.split(',')
  if (single && items.length > 1) return `${name} takes one value`
  for (const item of items) {
    const match = /^([+-]?)(\d{1,5})$/.exec(item)
    const size = Number(match?.[2])
    if (!match || size < min || size > max || (match[1] && !negative)) {
      return `${name}: "${item}" is not a whole number from ${min} to ${max}${negative ? ', or its negative' : ''}`
    }
  }
  return null
}
