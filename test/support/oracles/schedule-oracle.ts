// The slots of a cron expression by a walk through every minute, from the written rules. Only Intl knows the time zone.

const MINUTE_MS = 60_000

/** A minute, and what the clocks show then as if it were UTC. */
export type LocalMinute = { at: number; local: number }

/** Returns the minutes from an instant on. */
export function localMinutes(zone: string, from: number, count: number): LocalMinute[] {
  const clock = clockIn(zone)
  return Array.from({ length: count }, (_, i) => {
    const at = from + i * MINUTE_MS
    return { at, local: clock(at) }
  })
}

/** Returns the instants at which the clocks of a zone change in a year. */
export function switchesOf(zone: string, year: number): number[] {
  const clock = clockIn(zone)
  const found: number[] = []
  const end = Date.UTC(year + 1, 0, 1)
  for (let at = Date.UTC(year, 0, 1); at < end; at += 30 * MINUTE_MS) {
    if (clock(at) - clock(at - 30 * MINUTE_MS) !== 30 * MINUTE_MS) found.push(at)
  }
  return found
}

/** Returns the slots among the minutes. The first minute must not be near a change of the clocks. */
export function slotsOf(text: string, walk: readonly LocalMinute[]): number[] {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = text.split(' ')
  const [minutes, hours] = [valuesOf(minute, 0, 59), valuesOf(hour, 0, 23)]
  const [days, months, weekdays] = [valuesOf(day, 1, 31), valuesOf(month, 1, 12), valuesOf(weekday, 0, 6)]
  const isEveryHour = hours.size === 24
  const runsTwice = isEveryHour || minute.startsWith('*')
  const either = !day.startsWith('*') && !weekday.startsWith('*')
  const matches = (local: number) => {
    const date = new Date(local)
    if (!minutes.has(date.getUTCMinutes()) || !hours.has(date.getUTCHours())) return false
    if (!months.has(date.getUTCMonth() + 1)) return false
    const [onDay, onWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())]
    return either ? onDay || onWeekday : onDay && onWeekday
  }
  const slots: number[] = []
  const seen = new Set<number>()
  let previous = (walk[0]?.local ?? 0) - MINUTE_MS
  for (const { at, local } of walk) {
    let isSlot = matches(local) && (runsTwice || !seen.has(local))
    for (let skipped = previous + MINUTE_MS; skipped < local; skipped += MINUTE_MS) {
      isSlot ||= !isEveryHour && matches(skipped)
    }
    if (isSlot) slots.push(at)
    seen.add(local)
    previous = local
  }
  return slots
}

function valuesOf(field: string, min: number, max: number): Set<number> {
  const parts = field.split(',').map((part) => {
    const [range = '', step = '1'] = part.split('/')
    const [from = min, to = from] = range === '*' ? [min, max] : range.split('-').map(Number)
    return { from, to, step: Number(step) }
  })
  const all = Array.from({ length: max - min + 1 }, (_, i) => min + i)
  const isIn = (value: number) =>
    parts.some(({ from, to, step }) => value >= from && value <= to && (value - from) % step === 0)
  return new Set(all.filter(isIn))
}

function clockIn(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  return (at) => {
    const [day, month, year, hour, minute] = format.format(at).match(/\d+/g)!.map(Number)
    return Date.UTC(year!, month! - 1, day, hour, minute)
  }
}
