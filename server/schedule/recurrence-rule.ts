// Parses recurrence rules (RFC 5545).

export type Frequency = 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY' | 'MINUTELY'

/** Arrays are sorted and without duplicates; null when the rule lacks the part. */
export type Rule = {
  frequency: Frequency
  interval: number
  count: number | null
  months: number[] | null
  /** Days of the month, days of the year, weeks of the year. Negative numbers count from the end. */
  monthDays: number[] | null
  yearDays: number[] | null
  weeks: number[] | null
  /** Weekdays, 0 is Monday. `nth` of the month or year: negative counts from the end, 0 means every one. */
  weekdays: { weekday: number; nth: number }[] | null
  positions: number[] | null
  hours: number[] | null
  minutes: number[] | null
  second: number | null
  weekStart: number
  /** `YYYYMMDD[THHMMSS[Z]]`; null means 1970-01-01 00:00 local time. */
  start: string | null
  until: string | null
}

const FREQUENCIES: Frequency[] = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY']
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const WEEKDAY = /^([+-]?(?:[1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/

/** The ranges of numeric parts. `negative` allows numbers that count from the end. */
const NUMBERS: Record<string, { min: number; max: number; negative?: true; single?: true }> = {
  INTERVAL: { min: 1, max: 10_000, single: true },
  // Every evaluation of a rule with COUNT starts at its first occurrence.
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

/** Returns the parsed rule, or a sentence that says what is wrong with it. */
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
  if (!parts.has('FREQ')) return 'must have a FREQ, as in FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'
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

/** Returns the first combination of parts that RFC 5545 forbids or that makes too many occurrences, or null. */
function conflictProblem(rule: Rule): string | null {
  const { frequency, weekdays, hours, minutes } = rule
  if (rule.count !== null && rule.until !== null) return 'COUNT and UNTIL must not be used together'
  if ((hours?.length ?? 1) * (minutes?.length ?? 1) > 288)
    return 'BYHOUR and BYMINUTE must give at most 288 times a day'
  if (rule.weeks && frequency !== 'YEARLY') return 'BYWEEKNO requires FREQ=YEARLY'
  if (rule.yearDays && /^(DAILY|WEEKLY|MONTHLY)$/.test(frequency))
    return `BYYEARDAY must not be used with FREQ=${frequency}`
  if (rule.monthDays && frequency === 'WEEKLY') return 'BYMONTHDAY must not be used with FREQ=WEEKLY'
  if (weekdays?.some(({ nth }) => nth !== 0)) {
    if (frequency !== 'MONTHLY' && frequency !== 'YEARLY')
      return 'BYDAY may have numbers only with FREQ=MONTHLY or FREQ=YEARLY'
    if (rule.weeks) return 'BYDAY must not have numbers with BYWEEKNO'
  }
  const others = [rule.months, rule.monthDays, rule.yearDays, rule.weeks, weekdays, hours, minutes, rule.second]
  return rule.positions && others.every((part) => part === null) ? 'BYSETPOS requires another BY part' : null
}

function partProblem(name: string, value: string): string | null {
  const numbers = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined
  if (numbers) return numbersProblem(name, value, numbers)
  switch (name) {
    case 'FREQ':
      if (value === 'SECONDLY') return 'FREQ must not be SECONDLY'
      return FREQUENCIES.some((known) => known === value) ? null : `FREQ must be one of ${FREQUENCIES.join(', ')}`
    case 'BYDAY':
      return value.split(',').every((item) => WEEKDAY.test(item))
        ? null
        : `BYDAY: "${value}" is not a list of weekdays such as MO,WE or 1MO,-1FR`
    case 'WKST':
      return WEEKDAYS.includes(value) ? null : `WKST: "${value}" is not a weekday such as MO`
    case 'DTSTART':
    case 'UNTIL':
      return /^\d{8}(T\d{6}Z?)?$/.test(value)
        ? null
        : `${name}: "${value}" is not a date or time such as 20270131T220000`
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
  if (single && items.length > 1) return `${name} must have one value`
  for (const item of items) {
    const match = /^([+-]?)(\d{1,5})$/.exec(item)
    const size = Number(match?.[2])
    if (!match || size < min || size > max || (match[1] && !negative)) {
      return `${name}: "${item}" is not an integer from ${min} to ${max}${negative ? ` or from -${max} to -${min}` : ''}`
    }
  }
  return null
}
