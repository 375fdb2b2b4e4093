// The rule's text, checked part by part: the library that evaluates it passes over what it does not know.

export type RuleParts = {
  /** The rule without `DTSTART` and `UNTIL`, upper case. */
  text: string
  /** `YYYYMMDD[THHMMSS[Z]]`; null counts from 1970-01-01 00:00 local time. */
  start: string | null
  until: string | null
}

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY']
const WEEKDAY = /^([+-]?([1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/

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

/** The parts of a recurrence rule (RFC 5545), or a sentence saying what is wrong with it. */
export function readRule(given: string): RuleParts | string {
  const text = given.trim().toUpperCase()
  const seen = new Map<string, string>()
  for (const part of text.replace(/^RRULE:/, '').split(';')) {
    const [name = '', value, ...rest] = part.split('=')
    if (!name || !value || rest.length > 0) return `"${part}" is not a part such as FREQ=DAILY`
    if (seen.has(name)) return `${name} is given twice`
    const problem = partProblem(name, value)
    if (problem) return problem
    seen.set(name, value)
  }
  if (!seen.has('FREQ')) return 'needs a FREQ, as in FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'
  if (seen.has('COUNT') && seen.has('UNTIL')) return 'COUNT and UNTIL exclude each other'
  const times = (name: string) => seen.get(name)?.split(',').length ?? 1
  if (times('BYHOUR') * times('BYMINUTE') > 288) return 'BYHOUR and BYMINUTE name more than 288 times a day'

  const take = (name: string) => {
    const value = seen.get(name) ?? null
    seen.delete(name)
    return value
  }
  const [start, until] = [take('DTSTART'), take('UNTIL')]
  return { text: [...seen].map(([name, value]) => `${name}=${value}`).join(';'), start, until }
}

function partProblem(name: string, value: string): string | null {
  const numbers = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined
  if (numbers) return numbersProblem(name, value, numbers)
  switch (name) {
    case 'FREQ':
      if (value === 'SECONDLY') return 'FREQ=SECONDLY is too often for a window'
      return FREQUENCIES.includes(value) ? null : `FREQ must be one of ${FREQUENCIES.join(', ')}`
    case 'BYDAY':
      return value.split(',').every((item) => WEEKDAY.test(item))
        ? null
        : `BYDAY: "${value}" is not a list of weekdays such as MO,WE or 1MO,-1FR`
    case 'WKST':
      return /^(MO|TU|WE|TH|FR|SA|SU)$/.test(value) ? null : `WKST: "${value}" is not a weekday such as MO`
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
